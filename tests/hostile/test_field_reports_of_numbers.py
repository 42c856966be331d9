"""What has gone wrong with the numbers of other rating systems, and must not with ours."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from itertools import pairwise

import pytest

from adr_core import Ladder, Parameters

DAY = 86_400.0
SEASON = 800 * 61.0
PRESETS = [Parameters.paper(), Parameters.consistent()]


@pytest.mark.parametrize("rules", PRESETS)
def test_feeding_on_one_victim_is_worth_less_with_every_kill(rules: Parameters) -> None:
    ladder = Ladder(rules)
    gains = [
        outcome.attacker_change
        for outcome in (ladder.kill("ann", "dummy", 60.0 * number) for number in range(500))
    ]
    assert all(later < earlier for earlier, later in pairwise(gains[6:]))  # the streak is full
    assert 0 < gains[-1] < gains[0] / 10


@pytest.mark.parametrize("rules", PRESETS)
def test_however_often_the_weaker_is_killed_the_numbers_stay_numbers(
    rules: Parameters, long: bool
) -> None:
    ladder = Ladder(rules)
    last = rules.mu_0
    for number in range(1_000_000 if long else 20_000):
        outcome = ladder.kill("strong", "weak", 60.0 * number)
        assert outcome.attacker is not None and outcome.victim is not None
        assert last <= outcome.attacker.mu_after <= rules.mu_max
        assert rules.mu_min <= outcome.victim.mu_after
        last = outcome.attacker.mu_after
    upset = ladder.kill("weak", "strong", 1e12)  # from as far apart as can be
    assert upset.attacker_change > 0 > upset.victim_change
    assert abs(upset.attacker_change) <= rules.delta_max
    assert 0 < ladder.probability("strong", "weak") < 1


FAR_APART = {"weak": (-323.263, 2.965), "strong": (-48.441, 2.190)}
"""mu and sigma of two players, in units in which everybody starts with 25 and 25/3."""
UNITS = {"mu_0": 25.0, "sigma_0": 25 / 3, "theta": 25 / 6, "mu_min": -1000.0, "mu_max": 1000.0}
UNITS |= {"sigma_min": 1.0, "sigma_max": 10.0, "sigma_peak": 5.0, "sigma_place": 5.0}


@pytest.mark.parametrize("units", [{"mu_min": -1000.0, "sigma_min": 1.0}, UNITS])
@pytest.mark.parametrize("rules", [*PRESETS, Parameters.calibrated()])
def test_a_kill_between_players_too_far_apart_for_any_chance_is_rated_all_the_same(
    rules: Parameters, units: dict[str, float]
) -> None:
    # 66 times theta apart, a normal distribution has no chance left that a double can hold, and
    # who divides by that chance divides by zero. Recentring would rightly lift both, and the pair
    # has used up its limit.
    rules = replace(rules, recentring=0.0, pair_limit=0.0, **units)
    first = Ladder(rules)
    for number in range(2):
        first.kill("weak", "strong", 61.0 * number)
    state = first.dump()
    players = tuple(
        (name, replace(player, mu=FAR_APART[name][0], sigma=FAR_APART[name][1]))
        for name, player in state.players
    )
    for killer, victim in (("weak", "strong"), ("strong", "weak")):
        ladder = Ladder.load(rules, replace(state, players=players))
        assert 0 <= ladder.probability(killer, victim) <= 1
        outcome = ladder.kill(killer, victim, 300.0)
        after, beaten = ladder.player(killer), ladder.player(victim)
        assert 0 <= outcome.attacker_change <= rules.delta_max
        assert -rules.delta_max <= outcome.victim_change <= 0
        assert rules.sigma_min <= min(after.sigma, beaten.sigma)
        assert max(after.sigma, beaten.sigma) <= rules.sigma_max
        if killer == "weak":
            assert outcome.attacker_change > 0


def test_a_kill_among_twenty_thousand_players_costs_what_it_costs_among_two_thousand() -> None:
    def seconds(players: int) -> float:
        ladder, chance = Ladder(), random.Random(1)
        for number in range(players):
            ladder.kill(f"p{number}", f"p{(number + 1) % players}", 100.0 + number)
        pairs = [chance.sample(range(players), 2) for _ in range(3_000)]
        started = time.process_time()
        for number, (killer, victim) in enumerate(pairs):
            ladder.kill(f"p{killer}", f"p{victim}", 1e6 + number)
        return time.process_time() - started

    assert min(seconds(20_000) for _ in range(2)) < 4 * min(seconds(2_000) for _ in range(2))


def seasoned(rules: Parameters, *, absent: float) -> Ladder:
    """A ladder after a season in which everybody plays on but `ann`, who is away in the end."""
    ladder, chance = Ladder(rules), random.Random(7)
    players = [f"p{number}" for number in range(20)]
    for number in range(800):
        killer, victim = chance.sample(players, 2)
        ladder.kill(killer, victim, number * 61.0)
        if number % 8 == 0:
            ladder.kill("ann", victim, number * 61.0)
    for number in range(200):
        ladder.kill(*chance.sample(players, 2), SEASON + absent * DAY + number * 61.0)
    return ladder


@pytest.mark.parametrize("days", [1.0, 7.0, 30.0, 59.0, 61.0, 365.0])
@pytest.mark.parametrize("rules", PRESETS)
def test_a_pause_lifts_nobody_by_itself_but_makes_the_next_fight_count_more_either_way(
    rules: Parameters, days: float
) -> None:
    # A pause makes a rating less certain, so that the fights after it move it more (section 5 of
    # the paper): after many wins somebody can end above where the same wins without a pause lead,
    # and after many losses as far below. What must not be is that the pause itself is a gain.
    now = SEASON + days * DAY + 20_000.0
    won, lost = (seasoned(rules, absent=days) for _ in range(2))
    before = won.player("ann")
    others = [won.player(name).mu for name in won.players if name != "ann"]
    assert before.mu > max(others) - 100
    gain, loss = won.kill("ann", "p1", now), lost.kill("p1", "ann", now)
    rested = won.player("ann").mu - gain.attacker_change
    assert rested == pytest.approx(lost.player("ann").mu - loss.victim_change)
    assert rested < before.mu
    assert loss.victim_change < 0 < gain.attacker_change <= rules.delta_max


@pytest.mark.parametrize("players", [3, 14, 15, 16, 19, 20, 21])
def test_with_few_players_no_tier_is_upside_down(players: int) -> None:
    for rules in (Parameters(), replace(Parameters(), p_min=2, n_active=1)):
        ladder, chance = Ladder(rules), random.Random(players)
        names = [f"p{number}" for number in range(players)]
        for number in range(40 * players):
            ladder.kill(*chance.sample(names, 2), number * 61.0)
            if number % 50 == 49:
                ladder.recalibrate(number * 61.0)
        bounds = ladder.boundaries
        assert len(bounds) == 14
        assert all(better >= worse for better, worse in pairwise(bounds))
        tiers = {ladder.player(name).tier for name in ladder.players}
        assert tiers <= {None, *range(1, 16)}
        ranked = [state for _, state in ladder.top(players) if state.tier is not None]
        for upper, lower in pairwise(ranked):
            assert upper.mu >= lower.mu
        if rules.p_min > players:  # too few: the borders that everybody starts with
            assert bounds == Ladder(rules).boundaries


ABSENT = ("rho_s", "s_max", "rho_v", "gamma_phi", "lambda_phi", "t_cooldown", "sigma_drift")
ABSENT += ("alpha", "nu_min", "nu_max", "n_min")
"""Numbers that may be 0 and have no part in a first fight between strangers."""


@pytest.mark.parametrize("name", [*ABSENT, "lambda_", "eta_min", "mu_min"])
@pytest.mark.parametrize("rules", PRESETS)
def test_a_number_at_0_switches_off_its_own_effect_and_no_more(
    rules: Parameters, name: str
) -> None:
    without = replace(rules, **{name: 0})
    usual, changed = Ladder(rules), Ladder(without)
    first = usual.kill("ann", "bob", 100.0), changed.kill("ann", "bob", 100.0)
    if name in ABSENT:
        assert first[0].attacker_change == first[1].attacker_change
        assert first[0].victim_change == first[1].victim_change
    chance = random.Random(3)
    for number in range(500):
        outcome = changed.kill(*chance.sample("abcdefgh", 2), 200.0 + number * 61)
        assert outcome.counted
        assert outcome.attacker_change > 0 > outcome.victim_change


@pytest.mark.parametrize("rules", PRESETS)
def test_when_every_absence_counts_as_a_return_the_numbers_are_numbers_still(
    rules: Parameters,
) -> None:
    ladder, chance = Ladder(replace(rules, t_return=0)), random.Random(3)
    for number in range(2_000):
        outcome = ladder.kill(*chance.sample("abcdefgh", 2), number * 61.0)
        for change in (outcome.attacker_change, outcome.victim_change):
            assert math.isfinite(change)
            assert abs(change) <= rules.delta_max
    assert all(ladder.player(name).mu != rules.mu_0 for name in ladder.players)
