"""Ranks and boards against counting, at sizes where the index changes its shape."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adr_core import Ladder, LadderState, Parameters, PlayerState, UnknownPlayerError

from .streams import PATIENT

SIZES = [1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 258, 600, 1025, 2049, 5000]


def state(mu: float) -> PlayerState:
    return PlayerState(mu, 100.0, 0, 0.0, 0.0, 1, 0.0, (), None, 0.0, 0.0, (0.0,), 0)


def loaded(skills: list[float], p: Parameters | None = None) -> Ladder:
    players = tuple((f"p{number}", state(mu)) for number, mu in enumerate(skills))
    return Ladder.load(p or Parameters(), LadderState(players=players, clock=0.0))


def assert_boards_are_right(ladder: Ladder) -> None:
    """Everything a board can say, against plain counting and sorting."""
    skills = {player: ladder.player(player).mu for player in ladder.players}
    order = sorted(skills, key=lambda player: (-skills[player], player))
    first: dict[float, int] = {}
    for place, player in enumerate(order):
        first.setdefault(skills[player], place + 1)
    for player, mu in skills.items():
        assert ladder.rank(player) == first[mu]
    assert [player for player, _ in ladder.top(len(order) + 5)] == order
    for start in {0, 1, len(order) // 2, max(0, len(order) - 3), len(order), len(order) + 1}:
        for count in (0, 1, 10, 100):
            page = ladder.page(start, count)
            assert [player for player, _ in page] == order[start : start + count]
            assert all(found == ladder.player(player) for player, found in page)


@pytest.mark.parametrize("size", SIZES)
def test_a_loaded_board_is_right_at_every_size(size: int) -> None:
    chance = random.Random(size)
    assert_boards_are_right(loaded([chance.gauss(2000, 300) % 4000 for _ in range(size)]))


def test_a_growing_board_is_right_each_time_the_players_have_doubled() -> None:
    ladder, chance = Ladder(), random.Random(3)
    names = [f"p{number}" for number in range(2100)]
    checked = 0
    for number in range(1, len(names)):
        ladder.kill(names[number], names[chance.randrange(number)], number * 70.0)
        ladder.kill(*chance.sample(names[: number + 1], 2), number * 70.0 + 30.0)
        if number + 1 in SIZES:
            assert_boards_are_right(ladder)
            checked += 1
    assert checked == 14


def test_a_board_of_equal_players_ranks_them_all_first() -> None:
    ladder = loaded([1000.0] * 3000)
    assert {ladder.rank(player) for player in ladder.players} == {1}
    assert_boards_are_right(ladder)


def test_a_board_is_right_when_one_outlier_stretches_it() -> None:
    chance = random.Random(5)
    p = Parameters(mu_max=1e9)
    skills = [1e9, *(chance.gauss(1000, 1) for _ in range(1500))]
    ladder = loaded(skills, p)
    assert_boards_are_right(ladder)
    for number in range(3000):
        ladder.kill(*chance.sample(list(ladder.players), 2), number * 70.0)
    assert_boards_are_right(ladder)


def test_a_board_is_right_after_the_ratings_have_wandered_out_of_its_range() -> None:
    ladder, chance = loaded([1000.0 + 1e-7 * n for n in range(400)]), random.Random(6)
    names = list(ladder.players)
    for number in range(4000):
        winner, loser = sorted(chance.sample(range(400), 2))
        ladder.kill(names[winner], names[loser], number * 70.0)
        if number % 1000 == 0:
            assert_boards_are_right(ladder)
    assert_boards_are_right(ladder)


def test_a_board_of_thousands_stays_right_while_they_play() -> None:
    chance = random.Random(8)
    ladder = loaded([chance.gauss(2000, 300) for _ in range(9000)])
    names = list(ladder.players)
    for number in range(5000):
        ladder.kill(*chance.sample(names, 2), number * 70.0)
    assert_boards_are_right(ladder)


def test_a_board_steps_over_an_empty_stretch_and_over_nobody() -> None:
    chance = random.Random(9)
    assert_boards_are_right(
        loaded([4000.0, 0.0, *(chance.uniform(1985.0, 1999.9) for _ in range(298))])
    )


@PATIENT
@given(
    skills=st.lists(
        st.one_of(st.floats(0, 4000), st.sampled_from((0.0, 999.9999999999999, 1000.0, 4000.0))),
        min_size=1,
        max_size=300,
    )
)
def test_a_board_is_right_for_any_ratings_with_ties_and_near_ties(skills: list[float]) -> None:
    assert_boards_are_right(loaded(skills))


def test_an_empty_ladder_has_an_empty_board() -> None:
    assert Ladder().top(10) == []
    assert Ladder().page(5, 10) == []
    assert len(Ladder().players) == 0


def test_asking_for_somebody_unknown_is_a_plain_error() -> None:
    ladder = Ladder()
    ladder.kill("a", "b", 0.0)
    for question in (
        lambda: ladder.player("zoe"),
        lambda: ladder.rank("zoe"),
        lambda: ladder.probability("a", "zoe"),
    ):
        with pytest.raises(UnknownPlayerError, match="'zoe'") as caught:
            question()
        assert isinstance(caught.value, KeyError)


def test_the_players_are_a_live_view() -> None:
    ladder = Ladder()
    players = ladder.players
    ladder.kill("a", "b", 0.0)
    assert "a" in players
    assert "c" not in players
    assert sorted(players) == ["a", "b"]


def test_the_probabilities_of_a_pair_add_up_to_one() -> None:
    ladder = Ladder()
    for number in range(9):
        ladder.kill("a", "b", number * 70.0)
    assert ladder.probability("a", "b") > 0.5
    assert ladder.probability("a", "b") + ladder.probability("b", "a") == pytest.approx(1.0)
