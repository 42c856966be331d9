"""Section 7.1: nothing leaves its bounds, whatever is legal and whatever arrives."""

from __future__ import annotations

import math

from hypothesis import given

from adr_core import Ladder, Outcome, Parameters, PlayerState

from .streams import PATIENT, Event, Kill, feed, legal_parameters, lively_parameters, streams


def assert_within_bounds(state: PlayerState, p: Parameters) -> None:
    assert p.mu_min <= state.mu <= p.mu_max
    assert p.sigma_min <= state.sigma <= p.sigma_max
    assert -1.0 <= state.trend <= 1.0
    assert p.nu_min <= state.pool <= p.nu_max
    assert 0 <= state.streak <= state.events
    assert 0 <= state.returning <= p.return_events
    assert len(state.window) <= p.window
    assert all(0.0 <= change <= slack(p.delta_max, p) for change in state.window)
    assert len(state.recent) == min(p.n_active, state.events)
    assert list(state.recent) == sorted(state.recent)
    assert state.recent[-1] == state.last_event
    assert state.tier is None or 1 <= state.tier <= p.tiers
    assert 0.0 <= state.promotion < p.h_req
    assert 0.0 <= state.demotion < p.h_req


def slack(limit: float, p: Parameters) -> float:
    """The limit, and the last bit of the two ratings that a change is the difference of."""
    return limit + 2 * math.ulp(max(abs(p.mu_min), abs(p.mu_max)))


@PATIENT
@given(p=legal_parameters(), stream=streams())
def test_nothing_leaves_its_bounds_under_any_legal_parameters(
    p: Parameters, stream: list[Event]
) -> None:
    ladder = Ladder(p)
    for event in stream:
        result = feed(ladder, event)
        if isinstance(result, Outcome) and result.counted:
            assert result.probability is not None
            assert 0.0 <= result.probability <= 1.0
            for change in (result.attacker_change, result.victim_change):
                assert abs(change) <= slack(p.delta_max, p)
            assert isinstance(event, Kill)
            assert ladder.player(event.victim).streak == 0
        for player in ladder.players:
            assert_within_bounds(ladder.player(player), p)
        assert_ordered(ladder)


@PATIENT
@given(p=lively_parameters(), stream=streams(longest=120))
def test_nothing_leaves_its_bounds_where_every_rule_is_reached(
    p: Parameters, stream: list[Event]
) -> None:
    ladder = Ladder(p)
    clock = -math.inf
    for event in stream:
        result = feed(ladder, event)
        if ladder.clock is not None:
            assert ladder.clock >= clock
            clock = ladder.clock
        if isinstance(event, Kill) and isinstance(result, Outcome) and result.counted:
            for player in (event.attacker, event.victim):
                assert_within_bounds(ladder.player(player), p)
        assert_ordered(ladder)


def assert_ordered(ladder: Ladder) -> None:
    assert len(ladder.boundaries) == ladder.parameters.tiers - 1
    assert all(map(math.isfinite, ladder.boundaries))
    assert list(ladder.boundaries) == sorted(ladder.boundaries, reverse=True)
