"""Contest ratings against the letter of their formulas, and what the formulas promise."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from statistics import fmean
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adr_core import (
    ContestParameters,
    ContestResult,
    EventError,
    ParameterError,
    Standing,
    rate_contest,
)

NEAR = 1e-9
ALLOWED_SECONDS = 3.0
"""It takes about 0.6 s on one core; a shared one may be far slower for a while."""


def letter(field: list[Standing], *, every: int = 1) -> list[ContestResult]:
    """The formulas as they are printed, pair by pair, for each or for every so many-th."""
    ratings, scores = [one.rating for one in field], [one.score for one in field]
    results = []
    for i, one in list(enumerate(field))[::every]:
        r, s = one.rating, one.score
        rivals = zip(ratings[:i] + ratings[i + 1 :], scores[:i] + scores[i + 1 :], strict=True)
        pairs = [(0.85 / (1 + 10 ** ((q - r) / 400)), 0.5 + (s - z) / 2) for q, z in rivals]
        expected, actual = (math.fsum(part) for part in zip(*pairs, strict=True))
        k = 40 if one.contests < 10 else 28 if one.contests < 30 else 18
        raw = k / math.sqrt(len(field) - 1) * (actual - expected)
        after = max(1500.0, one.rating + max(-200.0, min(300.0, raw)))
        results.append(
            ContestResult(one.player, expected, raw, after - one.rating, after, one.contests + 1)
        )
    return results


def assert_near(found: list[ContestResult], wanted: list[ContestResult]) -> None:
    assert [(r.player, r.contests) for r in found] == [(r.player, r.contests) for r in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert one.expected == pytest.approx(other.expected, abs=NEAR, rel=0)
        assert one.raw == pytest.approx(other.raw, abs=NEAR, rel=0)
        assert one.delta == pytest.approx(other.delta, abs=NEAR, rel=0)
        assert one.rating == pytest.approx(other.rating, abs=NEAR, rel=0)


def crowd(count: int, seed: int, *, spread: float = 400.0) -> list[Standing]:
    chance = random.Random(seed)
    return [
        Standing(
            f"p{number}",
            1500.0 + chance.expovariate(1 / spread),
            chance.randrange(45),
            chance.random(),
        )
        for number in range(count)
    ]


standings = st.lists(
    st.builds(
        Standing,
        st.text(min_size=1, max_size=3),
        st.one_of(st.just(1500.0), st.floats(1500, 4000), st.floats(-1e9, 1e9)),
        st.integers(0, 60),
        st.floats(0, 1),
    ),
    max_size=40,
    unique_by=lambda standing: standing.player,
)


def test_two_newcomers_share_out_more_than_there_was() -> None:
    winner, loser = rate_contest([Standing("ann", 1500.0, 0, 1.0), Standing("bob", 1500.0, 0, 0.0)])
    assert winner == ContestResult("ann", 0.425, pytest.approx(23.0), 23.0, 1523.0, 1)
    assert loser == ContestResult("bob", 0.425, pytest.approx(-17.0), 0.0, 1500.0, 1)


def test_three_by_hand() -> None:
    ann, bob, eve = rate_contest(
        [
            Standing("ann", 1900.0, 30, 0.5),
            Standing("bob", 1500.0, 10, 1.0),
            Standing("eve", 1500.0, 9, 0.0),
        ]
    )
    # E: 2 * 0.85 / 1.1, then 0.85 / 11 + 0.425 twice; A: 1, 1.75 and 0.25
    assert ann.expected == pytest.approx(1.7 / 1.1)
    assert ann.delta == pytest.approx(18 / 2**0.5 * (1.0 - 1.7 / 1.1))
    assert bob.expected == eve.expected == pytest.approx(0.85 / 11 + 0.425)
    assert bob.delta == pytest.approx(28 / 2**0.5 * (1.75 - 0.85 / 11 - 0.425))
    assert eve.raw == pytest.approx(40 / 2**0.5 * (0.25 - 0.85 / 11 - 0.425))
    assert eve.delta == 0.0


@pytest.mark.parametrize(
    ("contests", "k"), [(0, 40), (9, 40), (10, 28), (29, 28), (30, 18), (500, 18)]
)
def test_the_step_depends_on_the_contests_played_before(contests: int, k: int) -> None:
    winner, _ = rate_contest(
        [Standing("ann", 2000.0, contests, 1.0), Standing("bob", 2000.0, 0, 0.0)]
    )
    assert winner.delta == pytest.approx(0.575 * k)
    assert winner.contests == contests + 1


def test_one_contest_moves_nobody_by_more_than_its_limits() -> None:
    field = [Standing(f"p{n}", 2500.0, 0, 0.0) for n in range(400)]
    best = rate_contest([*field, Standing("best", 2500.0, 0, 1.0)])[-1]
    assert (best.raw, best.delta) == (pytest.approx(460.0), 300.0)
    winners = [replace(one, score=1.0) for one in field]
    worst = rate_contest([*winners, Standing("worst", 2500.0, 0, 0.0)])[-1]
    assert (worst.raw, worst.delta) == (pytest.approx(-340.0), -200.0)
    fallen = rate_contest([*winners, Standing("low", 1600.0, 0, 0.0)])[-1]
    assert fallen.rating >= 1500.0


def test_whoever_is_alone_keeps_the_rating_and_has_played_a_contest() -> None:
    assert rate_contest([Standing("ann", 1712.5, 3, 0.2)]) == [
        ContestResult("ann", 0.0, 0.0, 0.0, 1712.5, 4)
    ]
    assert rate_contest([]) == []


@pytest.mark.parametrize("count", [2, 3, 40, 300, 301, 1_000, 3_000])
def test_small_and_large_fields_follow_the_letter(count: int) -> None:
    field, every = crowd(count, seed=count), -(-count // 500)
    assert_near(rate_contest(field)[::every], letter(field, every=every))


@pytest.mark.parametrize("spread", [1e-3, 5.0, 3_000.0, 8_000.0])
def test_narrow_and_wide_fields_follow_the_letter(spread: float) -> None:
    field = crowd(700, seed=7, spread=spread)
    assert_near(rate_contest(field), letter(field))


def test_a_hundred_thousand_different_ratings_are_rated_at_once_and_rightly() -> None:
    field = crowd(100_000, seed=9)
    began = process_time()
    results = rate_contest(field)
    took = process_time() - began
    for one in random.Random(1).sample(range(len(field)), 12):
        x = field[one].rating
        among = math.fsum(1 / (1 + 10 ** ((other.rating - x) / 400)) for other in field)
        expected = 0.85 * (among - 0.5)
        actual = math.fsum(0.5 + (field[one].score - o.score) / 2 for o in field) - 0.5
        k = ContestParameters().k(field[one].contests)
        raw = k / math.sqrt(len(field) - 1) * (actual - expected)
        assert results[one].raw == pytest.approx(raw, abs=NEAR, rel=0)
        assert results[one].expected == pytest.approx(expected, abs=0, rel=1e-13)
    assert took < ALLOWED_SECONDS, "the processor's own time: others do not count"


def test_equal_ratings_in_a_large_field_follow_the_letter() -> None:
    field = [replace(one, rating=round(one.rating, -1)) for one in crowd(900, seed=2)]
    field += [replace(one, player=f"q{one.player}") for one in crowd(300, seed=3)]
    assert_near(rate_contest(field), letter(field))


@given(standings)
def test_any_field_follows_the_letter(field: list[Standing]) -> None:
    usual = [replace(one, rating=1500.0 + abs(one.rating) % 5_000) for one in field]
    if len(usual) > 1:
        assert_near(rate_contest(usual), letter(usual))


@given(standings, st.randoms(use_true_random=False))
def test_the_order_of_a_field_changes_nothing_to_the_last_bit(
    field: list[Standing], chance: random.Random
) -> None:
    mixed = chance.sample(field, len(field))
    assert sorted(map(repr, rate_contest(mixed))) == sorted(map(repr, rate_contest(field)))


def test_nor_does_the_order_of_a_large_field() -> None:
    field = crowd(2_500, seed=11)
    mixed = random.Random(4).sample(field, len(field))
    assert sorted(map(repr, rate_contest(mixed))) == sorted(map(repr, rate_contest(field)))


@given(standings)
def test_nobody_falls_below_the_floor_and_no_change_is_beyond_its_limits(
    field: list[Standing],
) -> None:
    usual = [replace(one, rating=1500.0 + abs(one.rating) % 5_000) for one in field]
    for result in rate_contest(usual):
        assert result.rating >= 1500.0
        assert -200.0 - NEAR <= result.delta <= 300.0 + NEAR


def test_a_better_score_is_never_worth_less() -> None:
    field = crowd(400, seed=5)
    equal = [replace(one, rating=1800.0, contests=0) for one in field]
    by_score = sorted(zip(equal, rate_contest(equal), strict=True), key=lambda pair: pair[0].score)
    deltas = [result.delta for _, result in by_score]
    assert deltas == sorted(deltas)


def test_of_equals_with_evenly_spread_scores_slightly_more_than_half_gain() -> None:
    field = [Standing(f"p{n}", 1800.0, 0, n / 999) for n in range(1_000)]
    gained = sum(result.delta > 0 for result in rate_contest(field))
    assert gained == 650


@pytest.mark.parametrize(("deviation", "share"), [(0.5, 0.618), (0.3, 0.691), (0.15, 0.841)])
def test_with_normal_scores_the_share_that_gains_is_phi_of_the_bonus(
    deviation: float, share: float
) -> None:
    chance = random.Random(8)
    scores = [chance.gauss(0.5, deviation) / 5 + 0.4 for _ in range(4_000)]  # all within [0, 1]
    bonus = ContestParameters(expected_share=1 - 0.15 / 5)
    field = [Standing(f"p{n}", 1800.0, 0, min(1.0, max(0.0, s))) for n, s in enumerate(scores)]
    gained = sum(result.delta > 0 for result in rate_contest(field, bonus))
    assert gained / len(field) == pytest.approx(share, abs=0.02)


def test_where_a_minority_has_all_the_score_only_the_minority_gains() -> None:
    field = [Standing(f"p{n}", 1800.0, 0, float(n < 40)) for n in range(100)]
    assert sum(result.delta > 0 for result in rate_contest(field)) == 40


def test_the_mean_of_equals_rises_by_what_each_pair_hands_out() -> None:
    field = [Standing(f"p{n}", 2500.0, 0, n / 100) for n in range(101)]
    mean = fmean(result.delta for result in rate_contest(field))
    assert mean == pytest.approx(0.075 * 40 * 100**0.5)


def test_in_a_club_whose_ratings_foretell_its_scores_four_in_five_gain() -> None:
    chance = random.Random(5)
    skills = [chance.gauss(0, 300) for _ in range(60)]
    club = [Standing(f"p{n}", 1500.0, 0, 0.0) for n in range(60)]
    shares = []
    for _ in range(60):
        played = sorted(range(60), key=lambda n: skills[n] + chance.gauss(0, 200))
        scores = {n: place / 59 for place, n in enumerate(played)}
        results = rate_contest([replace(one, score=scores[n]) for n, one in enumerate(club)])
        club = [Standing(r.player, r.rating, r.contests, 0.0) for r in results]
        shares.append(fmean(result.delta > 0 for result in results))
    assert 0.75 < fmean(shares[20:]) < 0.85


def test_beating_the_weak_is_worth_less_than_beating_the_strong() -> None:
    def gain(of_others: float) -> float:
        others = [Standing(f"p{n}", of_others, 20, 0.3) for n in range(30)]
        return rate_contest([*others, Standing("strong", 2200.0, 20, 0.9)])[-1].delta

    gains = [gain(rating) for rating in (1500.0, 1800.0, 2200.0, 2600.0)]
    assert gains == sorted(gains) and len(set(gains)) == 4


def test_a_newcomer_gains_more_than_a_veteran_with_the_same_score() -> None:
    field = [Standing(f"p{n}", 1700.0, 20, 0.4) for n in range(30)]
    veteran, newcomer = rate_contest(
        [*field, Standing("veteran", 1900.0, 60, 0.9), Standing("newcomer", 1500.0, 0, 0.9)]
    )[-2:]
    assert newcomer.delta > 2 * veteran.delta > 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": 1.0000001}, "'p3': score"),
        ({"score": -0.1}, "score = -0.1: must be from 0 to 1"),
        ({"score": math.nan}, "score"),
        ({"score": True}, "score"),
        ({"rating": math.inf}, "rating"),
        ({"rating": 1e300}, "rating"),
        ({"contests": -1}, "contests"),
        ({"contests": 1.5}, "contests"),
        ({"player": ""}, "player"),
        ({"player": "p5"}, "'p5' is in the contest twice"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(change: dict[str, object], words: str) -> None:
    field = crowd(6, seed=1)
    field[3] = replace(field[3], **change)  # type: ignore[arg-type]
    with pytest.raises(EventError, match=words):
        rate_contest(field)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("expected_share", 1.1),
        ("scale", 0.0),
        ("delta_min", 1.0),
        ("delta_max", -1.0),
        ("k_provisional", -1.0),
        ("provisional", 1.5),
        ("established", 9),
        ("base_rating", math.nan),
    ],
)
def test_parameters_that_make_no_sense_are_refused(field: str, value: float) -> None:
    with pytest.raises(ParameterError, match=field):
        ContestParameters(**{field: value})  # type: ignore[arg-type]
