"""What one kill does, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from math import atan, exp, pi

import pytest

from adr_core import Ladder, LadderState, Outcome, Parameters, PlayerState

from .streams import DAY


def killed(
    ladder: Ladder, attacker: str, victim: str, time: float
) -> tuple[Outcome, PlayerState, PlayerState]:
    """What the kill did, and both players after it."""
    outcome = ladder.kill(attacker, victim, time)
    return outcome, ladder.player(attacker), ladder.player(victim)


def settle(ladder: Ladder, *pairs: str, start: float = 0.0) -> float:
    """Kills 100 s apart, each "ab" one of b by a; the time of the next."""
    for number, (attacker, victim) in enumerate(pairs):
        ladder.kill(attacker, victim, start + 100.0 * number)
    return start + 100.0 * len(pairs)


def test_the_first_kill_between_strangers_moves_both_by_the_equations() -> None:
    rate = 4 + 36 * (2 * 350 * 200) / (350**2 + 200**2)
    outcome, winner, loser = killed(Ladder(), "a", "b", 5.0)
    assert outcome.counted
    assert outcome.reason is None
    assert outcome.probability == 0.5
    assert winner.mu == pytest.approx(1000 + rate / 2, rel=1e-14)
    assert loser.mu == pytest.approx(1000 - 0.8 * rate / 2, rel=1e-14)
    assert winner.sigma == pytest.approx(
        (1 / (350**2 + (rate / 2) ** 2) + 1 / 100**2) ** -0.5, rel=1e-14
    )
    assert (winner.streak, loser.streak) == (1, 0)
    assert (winner.trend, loser.trend) == (0.1, -0.1)
    assert (winner.events, loser.events) == (1, 1)
    assert winner.last_event == loser.last_event == 5.0
    assert winner.window == (outcome.attacker_change,)
    assert loser.window == (-outcome.victim_change,)
    assert winner.recent == (5.0,)
    assert winner.tier is None
    assert outcome.attacker and outcome.victim
    assert outcome.attacker.mu_before == outcome.victim.mu_before == 1000.0


def test_what_an_outcome_says_is_what_the_ladder_holds() -> None:
    ladder = Ladder()
    time = settle(ladder, "ab", "cb", "ba")
    before = ladder.player("a"), ladder.player("b")
    outcome, *after = killed(ladder, "a", "b", time + 2 * DAY)
    assert outcome.attacker and outcome.victim
    for side, was, now in zip((outcome.attacker, outcome.victim), before, after, strict=True):
        assert (side.mu_before, side.streak, side.trend) == (was.mu, was.streak, was.trend)
        assert side.shaken == pytest.approx(sum(was.window) / len(was.window), rel=1e-11)
        assert side.mu_after == now.mu
        assert now.window == (*was.window, abs(side.change))
        assert side.mu_before != side.mu == pytest.approx(now.mu - side.change, rel=1e-14)
        assert side.days == pytest.approx(2.0, abs=0.01)
        assert side.sigma == was.sigma + Parameters().sigma_drift * side.days
        assert not side.guarded
    assert outcome.attacker.change == outcome.attacker_change > 0.0
    assert outcome.victim.change == outcome.victim_change < 0.0


def test_a_repeat_within_the_cooldown_changes_nothing_at_all() -> None:
    ladder = Ladder()
    ladder.kill("a", "b", 100.0)
    before = ladder.dump()
    for time in (100.0, 159.999, 40.001):
        outcome = ladder.kill("a", "b", time)
        assert (outcome.counted, outcome.reason, outcome.probability) == (False, "cooldown", None)
        assert outcome.attacker is outcome.victim is None
        assert outcome.attacker_change == outcome.victim_change == 0.0
        assert outcome.tier_changes == ()
    assert ladder.dump() == before


@pytest.mark.parametrize("time", [160.0, 40.0])
def test_a_repeat_exactly_one_cooldown_away_counts(time: float) -> None:
    ladder = Ladder()
    ladder.kill("a", "b", 100.0)
    assert ladder.kill("a", "b", time).counted


def test_the_cooldown_guards_the_ordered_pair_only() -> None:
    ladder = Ladder()
    ladder.kill("a", "b", 100.0)
    assert ladder.kill("b", "a", 100.0).counted
    assert ladder.kill("a", "c", 100.0).counted


def test_the_cooldown_runs_from_the_last_counted_kill_not_from_a_repeat() -> None:
    ladder = Ladder()
    ladder.kill("a", "b", 0.0)
    assert not ladder.kill("a", "b", 50.0).counted
    assert ladder.kill("a", "b", 61.0).counted


def test_the_cooldown_looks_at_the_last_kill_to_arrive() -> None:
    ladder = Ladder()
    ladder.kill("a", "b", 1000.0)
    assert ladder.kill("a", "b", 500.0).counted
    assert ladder.kill("a", "b", 1000.0).counted
    assert not ladder.kill("a", "b", 1001.0).counted


def test_pairs_beyond_those_remembered_are_forgotten_in_order_of_arrival() -> None:
    ladder = Ladder(Parameters(pairs_remembered=2))
    ladder.kill("a", "b", 0.0)
    ladder.kill("c", "d", 0.0)
    ladder.kill("a", "b", 60.0)  # counted again, so c and d are now the oldest
    ladder.kill("e", "f", 60.0)
    assert not ladder.kill("a", "b", 61.0).counted
    assert ladder.kill("c", "d", 1.0).counted


def test_a_repeat_by_players_who_are_not_tracked_does_not_track_them() -> None:
    ladder = Ladder.load(Parameters(), LadderState(pairs=(("a", "b", 0.0, 0.0),)))
    outcome = ladder.kill("a", "b", 1.0)
    assert not outcome.counted
    assert len(ladder.players) == 0
    assert ladder.clock is None


def test_with_nobody_active_an_absence_pulls_towards_the_mean_of_everybody() -> None:
    p = Parameters(n_active=2, t_active=7.0)
    ladder = Ladder(p)
    settle(ladder, "ab", "ab", "ab", "ab", "cd")
    settle(ladder, "cd", "cd", start=5 * DAY)
    a = ladder.player("a")
    now = 20 * DAY  # the newcomer is already one of them
    everybody = [ladder.player(name).mu for name in "abcd"] + [p.mu_0]
    mean = sum(everybody) / 5
    outcome = ladder.kill("a", "e", now)
    days = (now - a.last_event) / DAY
    drift = mean + (a.mu - mean) * exp(-days / 30)
    assert ladder.player("a").mu == pytest.approx(drift + outcome.attacker_change, rel=1e-12)


def test_only_the_active_players_make_the_mean_an_absence_pulls_towards() -> None:
    p = Parameters(n_active=2)
    ladder = Ladder(p)
    settle(ladder, "ab", "ab", "ab")
    settle(ladder, "cd", "cd", "cd", start=10 * DAY)
    assert ladder.active_count == 2
    a, mean = ladder.player("a"), (ladder.player("c").mu + ladder.player("d").mu) / 2
    now = 11 * DAY
    outcome = ladder.kill("a", "b", now)
    drift = mean + (a.mu - mean) * exp(-(now - a.last_event) / DAY / 30)
    assert ladder.player("a").mu == pytest.approx(drift + outcome.attacker_change, rel=1e-12)


def test_the_probability_uses_the_mean_uncertainty_after_decay() -> None:
    ladder = Ladder()
    now = settle(ladder, "ab", "ab", "ac") + 2 * DAY
    a, b, c = (ladder.player(name) for name in "abc")
    mean = (a.mu + b.mu + c.mu) / 3
    days = [(now - state.last_event) / DAY for state in (a, b)]
    mus = [mean + (s.mu - mean) * exp(-d / 30) for s, d in zip((a, b), days, strict=True)]
    sigmas = [s.sigma + 5 * d for s, d in zip((a, b), days, strict=True)]
    spread = 400 + 0.5 * (sum(sigmas) + c.sigma) / 3
    expected = 0.5 + atan((mus[0] - mus[1]) / spread) / pi
    assert ladder.kill("a", "b", now).probability == pytest.approx(expected, rel=1e-12)


def test_a_late_kill_decays_nobody_and_keeps_the_time_of_the_last_event() -> None:
    ladder = Ladder()
    settle(ladder, "ab", "ab", start=10 * DAY)
    before = ladder.player("a")
    outcome, winner, _ = killed(ladder, "a", "b", 3 * DAY)
    assert winner.mu == before.mu + outcome.attacker_change
    assert winner.last_event == before.last_event == ladder.clock
    assert winner.recent == (3 * DAY, *before.recent)
    assert winner.sigma < before.sigma


def test_a_late_kill_does_not_revive_the_past() -> None:
    ladder = Ladder(Parameters(n_active=2))
    settle(ladder, "ab", "ab")
    ladder.kill("c", "d", 30 * DAY)
    assert ladder.active_count == 0
    ladder.kill("a", "b", 300.0)
    assert ladder.active_count == 0


def test_late_kills_within_the_window_can_make_a_player_active() -> None:
    ladder = Ladder(Parameters(n_active=2))
    ladder.kill("a", "b", 10 * DAY)
    assert ladder.active_count == 0
    ladder.kill("a", "c", 4 * DAY)
    assert ladder.active_count == 1


def test_activity_ends_exactly_when_the_window_has_passed() -> None:
    ladder = Ladder(Parameters(n_active=1, p_min=1000))
    ladder.kill("a", "b", 0.0)
    ladder.recalibrate(7 * DAY - 0.001)
    assert ladder.active_count == 2
    ladder.recalibrate(7 * DAY)
    assert ladder.active_count == 0


def test_nobody_gains_or_loses_more_than_the_cap() -> None:
    ladder = Ladder(Parameters(eta_max=900.0))
    outcome = ladder.kill("a", "b", 0.0)
    assert (outcome.attacker_change, outcome.victim_change) == (60.0, -60.0)


def test_the_bounds_cut_the_visible_change_and_what_follows_from_it() -> None:
    ladder = Ladder(Parameters(mu_max=1005.0, mu_min=999.0))
    _, winner, loser = killed(ladder, "a", "b", 0.0)
    assert (winner.mu, loser.mu) == (1005.0, 999.0)
    assert (winner.window, loser.window) == ((5.0,), (1.0,))


@pytest.mark.parametrize(("preset", "expected"), [("paper", 1), ("consistent", 15)])
def test_an_absence_guards_as_many_events_as_the_preset_says(preset: str, expected: int) -> None:
    ladder = Ladder(getattr(Parameters, preset)())
    ladder.kill("a", "b", 0.0)
    state = killed(ladder, "a", "c", 61 * DAY)[1]
    assert state.pool > 0.0
    guarded = 1
    while state.returning:
        state = killed(ladder, "a", "c", 61 * DAY + 100.0 * guarded)[1]
        guarded += 1
    assert guarded == expected


def test_the_safeguards_begin_after_the_return_threshold_not_at_it() -> None:
    for absence, guarded in ((60 * DAY, False), (60 * DAY + 0.01, True)):
        ladder = Ladder()
        ladder.kill("a", "b", 0.0)
        assert (killed(ladder, "a", "c", absence)[1].pool > 0.0) == guarded


def test_a_returning_victim_is_guarded_too() -> None:
    ladder = Ladder()
    ladder.kill("a", "b", 0.0)
    assert killed(ladder, "c", "b", 61 * DAY)[2].pool < 0.0


def test_by_the_letter_the_pool_pays_out_what_it_held_before_and_keeps_it() -> None:
    p = Parameters()
    ladder = Ladder(p)
    ladder.kill("a", "b", 0.0)
    ladder.kill("a", "c", 61 * DAY)
    held = ladder.player("a").pool
    unpaid = Ladder.load(p, without_pool(ladder.dump()))
    (paid, rich, _), (free, poor, _) = (
        killed(each, "a", "c", 150 * DAY) for each in (ladder, unpaid)
    )
    assert paid.attacker_change - free.attacker_change == pytest.approx(p.lambda_pool * held)
    assert rich.pool - poor.pool == pytest.approx(held)


def test_a_draining_pool_loses_what_it_pays_and_ends_empty() -> None:
    p = replace(Parameters.consistent(), return_events=1)
    ladder = Ladder(p)
    ladder.kill("a", "b", 0.0)
    pool = killed(ladder, "a", "c", 61 * DAY)[1].pool
    for number in range(1, 200):
        state = killed(ladder, "a", "c", 61 * DAY + 100.0 * number)[1]
        assert state.pool == pytest.approx(0.8 * pool, rel=1e-12) or state.pool == 0.0
        if state.pool == 0.0:
            assert abs(0.8 * pool) < 1e-9
            return
        pool = state.pool
    pytest.fail("the pool never emptied")


def test_by_the_letter_a_victim_loses_by_the_probability_and_else_by_the_error() -> None:
    state = Ladder().dump()
    for number in range(8):
        ladder = Ladder.load(Parameters(), state)
        ladder.kill("a", "b", 100.0 * number)
        state = ladder.dump()
    losses = {}
    for preset in (Parameters.paper(), Parameters.consistent()):
        outcome = Ladder.load(preset, state).kill("a", "b", 900.0)
        assert outcome.probability is not None
        losses[preset.victim_loss] = outcome.victim_change / outcome.probability
        if preset.victim_loss == "prediction_error":
            losses[preset.victim_loss] = outcome.victim_change / (1 - outcome.probability)
    assert losses["prediction_error"] == pytest.approx(losses["winner_probability"], rel=1e-12)


def without_pool(state: LadderState) -> LadderState:
    return replace(state, players=tuple((k, replace(v, pool=0.0)) for k, v in state.players))
