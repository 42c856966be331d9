"""Going on under other parameters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adr_core import Ladder, ParameterError, Parameters

from .streams import (
    LIVELY,
    PATIENT,
    Event,
    feed,
    legal_parameters,
    lively_parameters,
    random_stream,
    streams,
)
from .test_bounds import assert_ordered
from .test_restart import assert_same


def played(p: Parameters, *, players: int = 30, length: int = 600) -> Ladder:
    ladder = Ladder(p)
    for event in random_stream(11, players=players, length=length, pace=60.0):
        feed(ladder, event)
    return ladder


@PATIENT
@given(
    old=st.one_of(lively_parameters(), legal_parameters()),
    new=st.one_of(lively_parameters(), legal_parameters()),
    before=streams(longest=40),
    after=streams(longest=20),
)
def test_any_parameters_can_follow_any_others(
    old: Parameters, new: Parameters, before: list[Event], after: list[Event]
) -> None:
    ladder = Ladder(old)
    for event in before:
        feed(ladder, event)
    earlier = dict(ladder.dump().players)
    changes = ladder.reconfigure(new)
    assert ladder.parameters == new
    assert_ordered(ladder)
    moved = {change.player: change for change in changes}
    for player, was in earlier.items():
        state = ladder.player(player)
        assert new.mu_min <= state.mu <= new.mu_max
        assert new.sigma_min <= state.sigma <= new.sigma_max
        assert new.nu_min <= state.pool <= new.nu_max
        assert state.window == was.window[-new.window :]
        assert state.recent == was.recent[-new.n_active :]
        assert (state.tier is None) == (was.tier is None)
        if state.tier != was.tier:
            assert (moved[player].before, moved[player].after) == (was.tier, state.tier)
        else:
            assert player not in moved
        if state.tier is not None and old.shares != new.shares:
            bounds = (float("inf"), *ladder.boundaries, float("-inf"))
            assert bounds[state.tier] <= state.mu < bounds[state.tier - 1]
            assert state.promotion == state.demotion == 0.0
    loaded = Ladder.load(new, ladder.dump())
    assert_same(ladder, loaded)
    for event in after:
        assert feed(ladder, event) == feed(loaded, event)
    assert_same(ladder, loaded)


def test_the_same_parameters_change_nothing() -> None:
    ladder = played(LIVELY)
    before = ladder.dump()
    assert ladder.reconfigure(replace(LIVELY)) == ()
    assert ladder.dump() == before


def test_parameters_that_do_not_shape_the_tiers_leave_boundaries_and_tiers() -> None:
    ladder = played(LIVELY)
    before = ladder.dump()
    new = replace(LIVELY, eta_max=80.0, beta=0.5, p_min=9, h_req=1.0, t_cooldown=5.0)
    assert ladder.reconfigure(new) == ()
    assert ladder.dump() == before


@pytest.mark.parametrize(
    "change", [{"shares": (0.25, 0.25, 0.25, 0.25)}, {"mu_0": 900.0}, {"spread": 100.0}]
)
def test_a_change_of_shares_start_or_spread_takes_the_quantiles_of_now(change: object) -> None:
    ladder = played(LIVELY)
    assert isinstance(change, dict)
    new = replace(LIVELY, p_min=5, **change)
    ladder.reconfigure(new)
    assert ladder.active_count >= 5
    edge = (ladder.clock or 0.0) - new.t_active * 86_400
    skills = sorted(
        state.mu for _, state in ladder.dump().players if state.recent[-new.n_active] > edge
    )
    assert len(skills) == ladder.active_count
    assert set(ladder.boundaries) <= set(skills)
    for k, boundary in enumerate(ladder.boundaries, start=1):
        need = len(skills) * (1 - sum(new.shares[:k])) - 1e-9
        assert sum(mu < boundary for mu in skills) < need <= sum(mu <= boundary for mu in skills)


def test_with_too_few_active_players_new_shares_start_from_the_formula() -> None:
    ladder = played(LIVELY)
    new = replace(LIVELY, shares=(0.1, 0.9), p_min=1000)
    ladder.reconfigure(new)
    assert ladder.boundaries == Ladder(new).boundaries


def test_with_nobody_active_new_shares_take_the_quantiles_of_everybody() -> None:
    ladder = played(LIVELY)
    assert ladder.clock is not None
    ladder.recalibrate(ladder.clock + 20 * 86_400)
    assert ladder.active_count == 0
    ladder.reconfigure(replace(LIVELY, shares=(0.5, 0.5)))
    skills = sorted(state.mu for _, state in ladder.dump().players)
    assert ladder.boundaries == (skills[(len(skills) + 1) // 2 - 1],)


def test_new_shares_say_who_is_in_another_tier_from_the_best_down() -> None:
    ladder = played(LIVELY)
    before = dict(ladder.dump().players)
    changes = ladder.reconfigure(replace(LIVELY, shares=(1 / 15,) * 15))
    assert changes
    skills = [ladder.player(change.player).mu for change in changes]
    assert skills == sorted(skills, reverse=True)
    for change in changes:
        assert change.before == before[change.player].tier
        assert change.after == ladder.player(change.player).tier


def test_a_longer_window_of_activity_brings_players_back() -> None:
    ladder = played(LIVELY)
    assert ladder.clock is not None
    ladder.recalibrate(ladder.clock + 20 * 86_400)
    assert ladder.active_count == 0
    ladder.reconfigure(replace(LIVELY, t_active=40.0))
    assert ladder.active_count > 0


def test_newcomers_start_where_the_new_parameters_say() -> None:
    ladder = played(LIVELY)
    ladder.reconfigure(replace(LIVELY, mu_0=1500.0))
    outcome = ladder.kill("new", "player 0", 2e9)
    assert outcome.attacker is not None
    assert outcome.attacker.mu_before == 1500.0


def test_fewer_remembered_pairs_forget_the_oldest() -> None:
    ladder = played(LIVELY)
    pairs = ladder.dump().pairs
    ladder.reconfigure(replace(LIVELY, pairs_remembered=3))
    assert ladder.dump().pairs == pairs[-3:]


def test_anything_but_parameters_is_refused_and_changes_nothing() -> None:
    ladder = played(LIVELY)
    before = ladder.dump()
    with pytest.raises(ParameterError):
        ladder.reconfigure({"mu_0": 5.0})  # type: ignore[arg-type]
    assert ladder.dump() == before
    assert ladder.parameters is LIVELY


def test_changes_of_tiers_that_are_not_to_be_told_happen_all_the_same() -> None:
    told, untold = played(LIVELY), played(LIVELY)
    fresh = replace(LIVELY, shares=(0.1, 0.2, 0.3, 0.4), window=7)
    assert told.reconfigure(fresh)
    assert untold.reconfigure(fresh, told=False) == ()
    assert_same(told, untold)
