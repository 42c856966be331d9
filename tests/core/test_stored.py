"""Players as a table has them: looked at all at once, and as strictly as one by one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adr_core import Ladder, LadderState, PlayerState, StateError
from adr_core.state import FIELDS, Stored
from adr_core.state_rules import check_player
from adr_core.steps import PORTION, portions
from adr_core.usual import usual

from .streams import LIVELY, PATIENT, feed, random_stream


def crowd() -> LadderState:
    """More players than are looked at at once, some placed, some new."""
    ladder = Ladder(LIVELY)
    for event in random_stream(3, players=2 * PORTION + 9, length=6 * PORTION, pace=6.0):
        feed(ladder, event)
    return ladder.dump()


CROWD = crowd()
ROWS: list[Stored] = [(player, *state.packed()) for player, state in CROWD.players]


def restored(rows: list[Stored]) -> Ladder:
    return Ladder.restore(LIVELY, replace(CROWD, players=()), portions(rows))


def test_a_packed_state_comes_back_as_it_was() -> None:
    for _, state in CROWD.players:
        assert PlayerState.unpacked(state.packed()) == state


def test_a_restored_ladder_is_the_one_that_was_stored() -> None:
    tiers = {state.tier for _, state in CROWD.players}
    assert None in tiers and len(tiers) > 2
    assert len(ROWS) > PORTION
    assert all(usual(some, LIVELY, CROWD.clock) for some in portions(ROWS))
    assert restored(ROWS).dump() == CROWD == Ladder.load(LIVELY, CROWD).dump()


WRONG = [
    *[("mu", value) for value in (-1.0, 4000.1, math.nan, math.inf, "1000", None, True)],
    *[("sigma", value) for value in (9.0, math.inf, math.nan)],
    *[("streak", value) for value in (-1, 1.5, True)],
    *[("trend", value) for value in (1.1, -1.1, math.nan)],
    ("pool", 61.0),
    *[("events", value) for value in (-1, 0, None, 2.0)],
    *[("last_event", value) for value in (None, math.inf, math.nan, 1e14)],
    *[("window", value) for value in ((1.0,) * 21, (-1.0,), (math.nan,), (math.inf,))],
    *[("tier", value) for value in (0, 4, 1.0, True)],
    *[("promotion", value) for value in (-1.0, math.nan)],
    ("demotion", math.inf),
    *[("recent", value) for value in ((2.0, 1.0), (0.0,) * 6, (1e12,), (-math.inf, 0.0))],
    *[("recent", value) for value in ((math.nan,), (0.0, math.nan), (-1e16,))],
    *[("returning", value) for value in (2, -1, 0.0)],
]


@pytest.mark.parametrize(("field", "value"), WRONG)
@pytest.mark.parametrize("place", [0, PORTION // 2, len(ROWS) - 1])
def test_one_wrong_field_among_many_players_is_named(field: str, value: Any, place: int) -> None:
    player, state = CROWD.players[place]
    wrong: list[Any] = list(state.packed())
    sequences = {"window", "recent"}
    wrong[FIELDS.index(field)] = packed_of(field, value, state) if field in sequences else value
    rows = [*ROWS[:place], (player, *wrong), *ROWS[place + 1 :]]
    with pytest.raises(StateError, match=f"player '{player}': ") as caught:
        restored(rows)
    named = str(caught.value).partition("': ")[2]
    # a wrong number of events may show at the times first
    assert named.startswith(f"{field} = ") or field == "events" or "expected" in named


def packed_of(field: str, value: tuple[float, ...], state: PlayerState) -> bytes:
    packed = replace(state, **{field: value}).packed()[FIELDS.index(field)]
    assert isinstance(packed, bytes)
    return packed


def test_numbers_that_are_cut_off_are_refused() -> None:
    for field in ("window", "recent"):
        player, *packed = ROWS[0]
        place = FIELDS.index(field)
        packed[place] = packed[place][:-1]
        with pytest.raises(StateError, match=f"player '{player}'"):
            restored([(player, *packed), *ROWS[1:]])


@pytest.mark.parametrize("place", [1, PORTION + 3])
def test_nobody_is_there_twice(place: int) -> None:
    with pytest.raises(StateError, match=f"player '{ROWS[0][0]}': is there twice"):
        restored([*ROWS[:place], ROWS[0], *ROWS[place:]])


def test_somebody_unusual_is_taken_in_with_all_the_others() -> None:
    """Whole numbers where others have fractions, and no past at all, break no rule."""
    rows = list(ROWS)
    player, *packed = rows[7]
    packed[FIELDS.index("mu")] = 1000
    rows[7] = (player, *packed)
    rows[9] = (rows[9][0], *PlayerState.initial(LIVELY).packed())
    assert not usual(rows[:PORTION], LIVELY, CROWD.clock)
    players = dict(CROWD.players)
    players[player] = replace(players[player], mu=1000.0)
    players[rows[9][0]] = PlayerState.initial(LIVELY)
    assert dict(restored(rows).dump().players) == players


_numbers = st.sampled_from(
    [
        *(0.0, -0.0, 1.0, 5.0, -1.0, 1000.0, 4000.0, 2e5, 1e9, 3e9, 1e15, 1e16),
        *(math.inf, -math.inf, math.nan, 5e-324, 131_071.9, 131_072.0),
    ]
)
_values: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("mu", "sigma", "trend", "pool", "promotion", "demotion"), _numbers),
    **dict.fromkeys(("streak", "events", "returning"), st.sampled_from([0, 1, 2, 7, -1, 10**400])),
    "last_event": st.none() | _numbers,
    "tier": st.none() | st.sampled_from([0, 1, 3, 4]),
    "window": st.lists(_numbers, max_size=21).map(tuple),
    "recent": st.lists(_numbers, max_size=6).map(tuple),
}


@PATIENT
@given(
    change=st.fixed_dictionaries({}, optional=_values),
    chosen=st.integers(0, len(ROWS) - 1),
    clock=st.sampled_from([CROWD.clock, 0.0, -1.0]),
)
def test_whatever_passes_in_a_crowd_keeps_to_every_rule(
    change: dict[str, Any], chosen: int, clock: float
) -> None:
    player, state = CROWD.players[chosen]
    changed = replace(state, **change)
    if usual([ROWS[0], (player, *changed.packed())], LIVELY, clock):
        check_player(player, changed, LIVELY, clock)
