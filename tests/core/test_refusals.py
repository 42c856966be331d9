"""What cannot be meant is an error with a name, and changes nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adr_core import EventError, Ladder, LadderState, Parameters, RatingError, StateError

from .streams import LIVELY, PATIENT, Event, feed, lively_parameters, random_stream, streams
from .test_restart import assert_same

NO_TIMES = (math.nan, math.inf, -math.inf, True, None, "1", 1j, Fraction(1), 10**400, 1e16)
NO_IDS = ("", None, 7, b"a")


def bad_calls(ladder: Ladder) -> list[Any]:
    """Every kind of call that must be refused."""
    return [
        lambda: ladder.kill("p0", "p0", 1.0),
        *[lambda t=t: ladder.kill("p0", "newcomer", t) for t in NO_TIMES],
        *[lambda i=i: ladder.kill(i, "p1", 1.0) for i in NO_IDS],
        *[lambda i=i: ladder.kill("newcomer", i, 1.0) for i in NO_IDS],
        *[lambda t=t: ladder.recalibrate(t) for t in NO_TIMES],
        *[lambda t=t: ladder.calibrate(t) for t in NO_TIMES],
        lambda: ladder.reconfigure(None),  # type: ignore[arg-type]
        lambda: ladder.player("nobody"),
        lambda: ladder.player([]),  # type: ignore[arg-type]
        lambda: ladder.rank("nobody"),
        lambda: ladder.probability("p0", "nobody"),
        lambda: ladder.top(-1),
        lambda: ladder.top(1.5),  # type: ignore[arg-type]
        lambda: ladder.page(True, 1),
    ]


@PATIENT
@given(p=lively_parameters(), stream=streams(), data=st.data())
def test_errors_change_nothing(p: Parameters, stream: list[Event], data: st.DataObject) -> None:
    untouched, harassed = Ladder(p), Ladder(p)
    calls = bad_calls(harassed)
    for event in stream:
        before = harassed.dump()
        with pytest.raises(RatingError):
            data.draw(st.sampled_from(calls))()
        assert harassed.dump() == before
        assert feed(untouched, event) == feed(harassed, event)
    assert_same(untouched, harassed)


def test_every_refusal_is_a_value_error() -> None:
    ladder = Ladder()
    ladder.kill("p0", "p1", 0.0)
    for call in bad_calls(ladder):
        with pytest.raises(ValueError) as caught:
            call()
        assert isinstance(caught.value, RatingError)
        assert str(caught.value)


def test_a_refused_kill_says_what_was_wrong() -> None:
    with pytest.raises(EventError, match=r"time = nan: must be a finite number of seconds"):
        Ladder().kill("a", "b", math.nan)
    with pytest.raises(EventError, match=r"victim = '': must be a text"):
        Ladder().kill("a", "", 0.0)
    with pytest.raises(EventError, match=r"attacker = victim = 'a'"):
        Ladder().kill("a", "a", 0.0)


def kept() -> LadderState:
    ladder = Ladder(LIVELY)
    for event in random_stream(1, players=5, length=80, pace=60.0):
        feed(ladder, event)
    return ladder.dump()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mu", -1.0),
        ("mu", 4000.1),
        ("mu", math.nan),
        ("mu", "1000"),
        ("mu", True),
        ("sigma", 9.0),
        ("sigma", math.inf),
        ("streak", -1),
        ("streak", 1.5),
        ("streak", True),
        ("trend", 1.1),
        ("pool", 61.0),
        ("events", -1),
        ("events", None),
        ("last_event", None),
        ("last_event", math.inf),
        ("last_event", 1e14),
        ("window", (1.0,) * 21),
        ("window", (-1.0,)),
        ("window", (math.nan,)),
        ("window", (1.0, "x")),
        ("window", [1.0]),
        ("tier", 0),
        ("tier", 4),
        ("tier", 1.0),
        ("promotion", -1.0),
        ("demotion", math.nan),
        ("recent", (2.0, 1.0)),
        ("recent", (0.0,) * 6),
        ("recent", (1e12,)),
        ("recent", (None,)),
        ("returning", 2),
        ("returning", -1),
    ],
)
def test_a_stored_player_that_cannot_be_is_refused_by_name_and_field(
    field: str, value: Any
) -> None:
    state = kept()
    name, player = state.players[2]
    bad = (*state.players[:2], (name, replace(player, **{field: value})), *state.players[3:])
    with pytest.raises(StateError, match=f"player '{name}': {field} = "):
        Ladder.load(LIVELY, replace(state, players=bad))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"clock": None}, "clock"),
        ({"clock": math.nan}, "clock"),
        ({"clock": 5.0}, "last_event"),
        ({"boundaries": (1.0,)}, "3 tiers need 2, not 1"),
        ({"boundaries": (1.0, 2.0)}, "from the top down"),
        ({"boundaries": (math.inf, 2.0)}, "finite"),
        ({"pairs": (("a", "a", 1.0, 0.0),)}, "two players"),
        ({"pairs": (("a", "", 1.0, 0.0),)}, "ids"),
        ({"pairs": (("a", "b", math.nan, 0.0),)}, "time"),
        ({"pairs": (("a", "b", 1.0, -1.0),)}, "flow"),
        ({"pairs": (("a", "b", 1.0, 0.0), ("a", "b", 2.0, 0.0))}, "twice"),
        ({"players": (("", None),)}, "id must be"),
        ({"players": (("a", None),)}, "PlayerState"),
        ({"players": kept().players + kept().players[:1]}, "twice"),
    ],
)
def test_a_stored_ladder_that_cannot_be_is_refused(change: Any, words: str) -> None:
    with pytest.raises(StateError, match=words):
        Ladder.load(LIVELY, replace(kept(), **change))


def test_a_tier_mark_without_a_tier_is_refused() -> None:
    state = kept()
    name, player = state.players[0]
    bad = replace(player, tier=None, promotion=3.0)
    with pytest.raises(StateError, match=f"'{name}': tier = None"):
        Ladder.load(LIVELY, replace(state, players=((name, bad),)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "nonsense",
        '{"format": 2, "clock": null, "boundaries": null, "players": [], "pairs": []}',
        '{"format": 1, "clock": NaN, "boundaries": null, "players": [], "pairs": []}',
        '{"format": 1, "clock": null, "boundaries": 3, "players": [], "pairs": []}',
        '{"format": 1, "clock": null, "boundaries": null, "players": {}, "pairs": []}',
        '{"format": 1, "clock": null, "boundaries": null, "players": [3], "pairs": []}',
        '{"format": 1, "clock": null, "boundaries": null, "players": [{"id": "a"}], "pairs": []}',
        '{"format": 1, "clock": null, "boundaries": null, "players": [], "pairs": [["a", "b"]]}',
        '{"format": 1, "clock": null, "boundaries": null, "players": [], "pairs": [], "x": 1}',
        "[" * 100_000,
    ],
)
def test_text_that_is_no_ladder_is_refused(text: str) -> None:
    with pytest.raises(StateError):
        LadderState.from_json(text)


def test_a_state_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(StateError, match="cannot be written"):
        LadderState(clock=math.nan).to_json()


def test_whole_numbers_in_json_are_read_as_floats() -> None:
    text = '{"format":1,"clock":5,"boundaries":[3,2],"players":[],"pairs":[["a","b",4]]}'
    state = LadderState.from_json(text)
    assert [type(value) for value in (state.clock, *(state.boundaries or ()))] == [float] * 3
    assert type(state.pairs[0][2]) is float
    assert state.pairs[0][3] == 0.0  # what a state holds that was written before there was a flow
