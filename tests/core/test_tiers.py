"""Tiers: boundaries, placement, and the slow way up and down."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adr_core import Ladder, LadderState, Parameters, PlayerState, TierChange

from .streams import DAY, PATIENT, legal_shares

THREE = Parameters(shares=(0.2, 0.3, 0.5), n_active=1, p_min=5, beta=1.0, h_req=100.0)


def player(mu: float, *, tier: int | None = None, sigma: float = 100.0) -> PlayerState:
    return PlayerState(mu, sigma, 0, 0.0, 0.0, 99, 0.0, (), tier, 0.0, 0.0, (0.0,), 0)


def ladder_of(p: Parameters, *states: PlayerState) -> Ladder:
    players = tuple((f"p{number}", state) for number, state in enumerate(states))
    return Ladder.load(p, LadderState(players=players, clock=0.0))


def test_before_any_calibration_the_boundaries_are_normal_quantiles() -> None:
    expected = [1000 + 200 * NormalDist().inv_cdf(1 - k / 15) for k in range(1, 15)]
    assert Ladder().boundaries == pytest.approx(expected, rel=1e-12)


def test_calibrated_boundaries_are_the_skills_that_the_shares_ask_for() -> None:
    ladder = ladder_of(THREE, *(player(100.0 * n) for n in range(1, 11)))
    assert ladder.calibrate(1.0)
    assert ladder.boundaries == (800.0, 500.0)


@PATIENT
@given(
    skills=st.lists(st.floats(0, 4000), min_size=1, max_size=40),
    shares=legal_shares(),
)
def test_each_boundary_is_the_lowest_skill_with_enough_players_at_or_below(
    skills: list[float], shares: tuple[float, ...]
) -> None:
    p = replace(THREE, shares=shares, p_min=1)
    ladder = ladder_of(p, *(player(mu) for mu in skills))
    ladder.calibrate(0.0)
    for k, boundary in enumerate(ladder.boundaries, start=1):
        need = max(1, ceil(len(skills) * (1 - sum(p.shares[:k])) - 1e-9))
        below = sum(mu < boundary for mu in skills)
        up_to = sum(mu <= boundary for mu in skills)
        assert below < need <= up_to


def test_boundaries_move_part_of_the_way() -> None:
    p = replace(THREE, beta=0.25)
    ladder = ladder_of(p, *(player(100.0 * n) for n in range(1, 11)))
    old = ladder.boundaries
    ladder.calibrate(1.0)
    expected = [
        0.75 * before + 0.25 * target for before, target in zip(old, (800.0, 500.0), strict=True)
    ]
    assert ladder.boundaries == pytest.approx(expected, rel=1e-14)


def test_with_too_few_active_players_a_calibration_moves_the_clock_alone() -> None:
    ladder = ladder_of(THREE, *(player(100.0 * n) for n in range(1, 5)))
    before = ladder.dump()
    result = ladder.recalibrate(5.0)
    assert (result.updated, result.tier_changes, result.touched) == (False, (), ())
    assert ladder.dump() == replace(before, clock=5.0)


def test_with_nobody_active_everybody_calibrates() -> None:
    ladder = ladder_of(THREE, *(player(100.0 * n) for n in range(1, 11)))
    assert ladder.recalibrate(100 * DAY).updated
    assert ladder.active_count == 0


def test_a_calibration_places_active_players_by_interval() -> None:
    ladder = ladder_of(THREE, *(player(100.0 * n) for n in range(1, 11)))
    result = ladder.recalibrate(1.0)
    tiers = [ladder.player(f"p{n}").tier for n in range(10)]
    assert tiers == [3, 3, 3, 3, 2, 2, 2, 1, 1, 1]
    assert result.tier_changes[0] == TierChange("p9", None, 1)
    assert result.touched == tuple(f"p{n}" for n in range(9, -1, -1))


def test_a_calibration_leaves_inactive_players_alone() -> None:
    absent = replace(player(3000.0), last_event=-30 * DAY, recent=(-30 * DAY,))
    ladder = ladder_of(THREE, absent, *(player(100.0 * n) for n in range(1, 11)))
    result = ladder.recalibrate(1.0)
    assert ladder.player("p0") == absent
    assert "p0" not in result.touched
    assert ladder.boundaries == (800.0, 500.0)


def test_moving_boundaries_promote_and_demote_players_who_did_nothing() -> None:
    crowd = [player(100.0 * n, tier=2) for n in range(1, 11)]
    ladder = ladder_of(THREE, *crowd)
    first = ladder.recalibrate(1.0)
    assert [(c.player, c.after) for c in first.tier_changes] == [
        ("p9", 1),  # 200 above the boundary at 800: over the 100 that are needed
        ("p8", 1),
        ("p3", 3),  # exactly 100 below the boundary at 500
        ("p2", 3),
        ("p1", 3),
        ("p0", 3),
    ]
    assert ladder.recalibrate(2.0).touched == ()


def test_accumulators_fill_over_calibrations_and_empty_when_the_line_is_not_crossed() -> None:
    crowd = [player(100.0 * n, tier=2) for n in range(1, 11)]
    ladder = ladder_of(replace(THREE, h_req=150.0), *crowd)
    ladder.recalibrate(1.0)
    assert ladder.player("p8").promotion == 100.0
    assert ladder.player("p3").demotion == 100.0
    assert ladder.player("p5").promotion == ladder.player("p5").demotion == 0.0
    changes = ladder.recalibrate(2.0).tier_changes
    assert {change.player for change in changes} == {"p8", "p3"}
    assert ladder.player("p8").promotion == 0.0


def test_a_player_climbs_one_tier_at_a_time_however_far_above() -> None:
    crowd = [player(100.0 * n, tier=3) for n in range(1, 11)]
    ladder = ladder_of(THREE, *crowd)
    assert TierChange("p9", 3, 2) in ladder.recalibrate(1.0).tier_changes
    assert TierChange("p9", 2, 1) in ladder.recalibrate(2.0).tier_changes


def test_the_best_cannot_rise_and_the_last_cannot_fall() -> None:
    ladder = ladder_of(THREE, *(player(100.0 * n) for n in range(1, 11)))
    for number in range(5):
        ladder.recalibrate(float(number))
    assert ladder.player("p9").tier == 1
    assert ladder.player("p0").tier == 3


def test_placement_needs_both_events_and_certainty() -> None:
    p = Parameters(n_min=3, sigma_place=70.0)
    ladder = Ladder(p)
    tiers = []
    for number in range(5):
        ladder.kill("a", f"b{number}", 100.0 * number)
        after = ladder.player("a")
        tiers.append((after.events, after.sigma <= 70.0))
        assert (after.tier is not None) == (after.events >= 3 and after.sigma <= 70.0)
    assert (2, True) in tiers


def test_a_placement_is_announced_once() -> None:
    ladder = Ladder(Parameters(n_min=2))
    assert ladder.kill("a", "b", 0.0).tier_changes == ()
    changes = ladder.kill("a", "b", 100.0).tier_changes
    assert [change.player for change in changes] == ["a", "b"]
    assert [change.before for change in changes] == [None, None]
    assert ladder.kill("a", "b", 200.0).tier_changes == ()


def test_a_placed_player_stays_placed_however_uncertain_it_becomes() -> None:
    ladder = Ladder(Parameters(n_min=2, gamma=1e6))
    ladder = ladder_of(ladder.parameters, player(1000.0, tier=7, sigma=100.0), player(990.0))
    ladder.kill("p0", "p1", 50 * DAY)
    assert ladder.player("p0").sigma > 180.0
    assert ladder.player("p0").tier == 7


@pytest.mark.parametrize("count", [2, 3, 15, 40])
def test_any_number_of_tiers_works(count: int) -> None:
    p = replace(THREE, shares=(1 / count,) * count, p_min=2)
    ladder = ladder_of(p, *(player(10.0 * n) for n in range(1, 121)))
    ladder.recalibrate(1.0)
    tiers = [ladder.player(name).tier for name in ladder.players]
    assert set(tiers) == set(range(1, count + 1))
    assert tiers == sorted(tiers, key=lambda tier: -(tier or 0))
