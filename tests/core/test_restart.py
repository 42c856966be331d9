"""Stopping and going on, and taking players by other names, change no bit of anything."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adr_core import Ladder, LadderState, Parameters

from .streams import (
    PATIENT,
    Event,
    Kill,
    feed,
    legal_parameters,
    lively_parameters,
    random_stream,
    streams,
)


def reloaded(ladder: Ladder, *, seed: int) -> Ladder:
    """The ladder after its state went through JSON, with the players in another order."""
    state = LadderState.from_json(ladder.dump().to_json())
    assert state == ladder.dump()
    players = list(state.players)
    random.Random(seed).shuffle(players)
    return Ladder.load(ladder.parameters, replace(state, players=tuple(players)))


def assert_same(one: Ladder, other: Ladder) -> None:
    ours, theirs = one.dump(), other.dump()
    assert dict(ours.players) == dict(theirs.players)
    assert ours.boundaries == theirs.boundaries
    assert ours.clock == theirs.clock
    assert ours.pairs == theirs.pairs
    assert one.active_count == other.active_count
    assert one.top(len(one.players)) == other.top(len(other.players))
    assert [one.rank(player) for player in one.players] == [
        other.rank(player) for player in one.players
    ]


@PATIENT
@given(
    p=st.one_of(lively_parameters(), legal_parameters()),
    stream=streams(),
    at=st.integers(0, 60),
    seed=st.integers(0, 9),
)
def test_a_loaded_ladder_goes_on_as_if_it_had_never_stopped(
    p: Parameters, stream: list[Event], at: int, seed: int
) -> None:
    kept = Ladder(p)
    for event in stream[:at]:
        feed(kept, event)
    loaded = reloaded(kept, seed=seed)
    assert_same(kept, loaded)
    for event in stream[at:]:
        assert feed(kept, event) == feed(loaded, event)
        assert kept.boundaries == loaded.boundaries
    assert_same(kept, loaded)


@pytest.mark.parametrize(
    "p", [Parameters.paper(), Parameters.consistent(), Parameters.calibrated()]
)
def test_restarting_after_every_hundred_events_changes_nothing_in_a_long_run(p: Parameters) -> None:
    stream = random_stream(7, players=40, length=3000, pace=300.0)
    kept, restarted = Ladder(p), Ladder(p)
    for number, event in enumerate(stream):
        assert feed(kept, event) == feed(restarted, event)
        if number % 100 == 0:
            restarted = reloaded(restarted, seed=number)
    assert_same(kept, restarted)


@PATIENT
@given(
    p=st.one_of(lively_parameters(), legal_parameters()),
    stream=streams(),
    order=st.permutations(range(6)),
)
def test_other_names_for_the_players_change_nothing(
    p: Parameters, stream: list[Event], order: list[int]
) -> None:
    names = {f"p{old}": f"name {new}" for old, new in enumerate(order)}
    one, other = Ladder(p), Ladder(p)
    for event in stream:
        feed(one, event)
        if isinstance(event, Kill):
            event = Kill(names[event.attacker], names[event.victim], event.time)  # noqa: PLW2901
        feed(other, event)
    assert {names[key]: value for key, value in one.dump().players} == dict(other.dump().players)
    assert one.boundaries == other.boundaries
    assert [(names[a], names[v], *rest) for a, v, *rest in one.dump().pairs] == list(
        other.dump().pairs
    )
    for player in one.players:
        assert one.rank(player) == other.rank(names[player])


def test_of_more_pairs_than_are_remembered_the_newest_are_kept() -> None:
    p = Parameters(pairs_remembered=2)
    pairs = (("a", "b", 1.0, 0.0), ("c", "d", 3.0, 2.5), ("e", "f", 2.0, 0.0))
    assert Ladder.load(p, LadderState(pairs=pairs)).dump().pairs == pairs[1:]


def test_a_state_without_boundaries_gets_those_of_a_new_ladder() -> None:
    assert Ladder.load(Parameters(), LadderState()).boundaries == Ladder().boundaries
