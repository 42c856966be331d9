"""The switches of the calibrated preset, one by one, against numbers worked out by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from math import exp, sqrt

import pytest

from adr_core import Ladder, LadderState, Outcome, Parameters, PlayerState

DAY = 86_400.0
PLAIN = Parameters(eta_min=20.0, eta_max=20.0, rho_v=0.0, rho_s=0.0, gamma_phi=0.0, tau=1e9)
"""A learning rate of 20 whatever happens, and no decay to speak of."""


def between(p: Parameters, attacker: float, victim: float, *, trend: float = 0.0) -> Ladder:
    """Two long known players with these ratings, and a third that makes the mean 1000."""
    states = {"a": attacker, "b": victim, "c": 3000.0 - attacker - victim}
    known = PlayerState.initial(p)
    return Ladder.load(
        p,
        LadderState(
            players=tuple(
                (name, replace(known, mu=mu, sigma=100.0, trend=trend))
                for name, mu in states.items()
            )
        ),
    )


def among(p: Parameters, active: int = 40) -> Ladder:
    """A ladder of so many active players, all alike: `a`, `b` and others."""
    names = ["a", "b", *(f"p{number}" for number in range(active - 2))]
    known = replace(PlayerState.initial(p), events=5, last_event=0.0, recent=(0.0,) * 5)
    players = tuple((name, known) for name in names)
    return Ladder.load(p, LadderState(players=players, clock=0.0))


def changes(outcome: Outcome) -> tuple[float, float]:
    return outcome.attacker_change, outcome.victim_change


def test_the_logistic_link_gives_ten_to_one_for_a_lead_of_d() -> None:
    p = replace(PLAIN, link="logistic", theta=400.0, lambda_=0.0)
    assert between(p, 1400.0, 1000.0).kill("a", "b", 0.0).probability == pytest.approx(10 / 11)
    assert between(p, 1000.0, 1400.0).kill("a", "b", 0.0).probability == pytest.approx(1 / 11)
    spread = replace(p, theta=350.0, lambda_=0.5)
    assert between(spread, 1400.0, 1000.0).kill("a", "b", 0.0).probability == pytest.approx(10 / 11)


def test_the_logistic_link_holds_at_any_distance() -> None:
    p = replace(PLAIN, link="logistic", theta=1e-9, lambda_=0.0)
    assert between(p, 0.0, 2000.0).kill("a", "b", 0.0).probability == pytest.approx(0.0)
    assert between(p, 2000.0, 0.0).kill("a", "b", 0.0).probability == 1.0


@pytest.mark.parametrize(("power", "rate"), [(1.0, 4 + 36 * 0.8), (2.0, 4 + 36 * 0.64)])
def test_the_peak_is_raised_to_its_power(power: float, rate: float) -> None:
    p = replace(PLAIN, eta_min=4.0, eta_max=40.0, sigma_peak=200.0, peak_power=power)
    outcome = between(p, 1000.0, 1000.0).kill("a", "b", 0.0)  # sigma 100: the term is 0.8
    assert outcome.attacker_change == pytest.approx(rate / 2)


def test_what_was_foregone_teaches_little_and_an_even_fight_a_quarter() -> None:
    p = replace(PLAIN, evidence="outcome", link="logistic", lambda_=0.0, gamma=100.0)
    for lead, taught in ((0.0, 0.25), (400.0, 10 / 121)):
        ladder = between(p, 1000.0 + lead, 1000.0)
        outcome = ladder.kill("a", "b", 0.0)
        noise = outcome.attacker_change**2
        expected = 1 / sqrt(1 / (100.0**2 + noise) + taught / 100.0**2)
        assert ladder.player("a").sigma == pytest.approx(expected)


def test_a_trend_makes_uncertain_and_a_change_alone_does_not() -> None:
    p = replace(PLAIN, trend_noise=8000.0)
    for trend, noise in ((0.0, 0.0), (0.5, 2000.0), (-0.5, 2000.0)):
        ladder = between(p, 1000.0, 1000.0, trend=trend)
        ladder.kill("a", "b", 0.0)
        for after in (ladder.player("a"), ladder.player("b")):
            assert after.sigma == pytest.approx(1 / sqrt(1 / (100.0**2 + noise) + 1 / 100.0**2))


def test_a_pair_wins_from_each_other_no_more_than_its_limit() -> None:
    p = replace(PLAIN, victim_loss="prediction_error", pair_limit=30.0, theta=1e9)  # always even
    ladder = among(p)
    first = ladder.kill("a", "b", 0.0)
    assert changes(first) == pytest.approx((10.0, -8.0))
    assert first.flow == pytest.approx(0.5)
    second = ladder.kill("a", "b", 60.0)  # 10 of 30 points are won: two thirds of a kill are left
    assert changes(second) == pytest.approx((20 / 3, -16 / 3), rel=1e-3)
    total = first.attacker_change + second.attacker_change
    for number in range(2, 100):
        total += ladder.kill("a", "b", 60.0 * number).attacker_change
    assert 29.0 < total < 30.0 * (1 + 100 * 60 / DAY)


def test_among_few_the_limit_is_larger_in_proportion() -> None:
    p = replace(PLAIN, victim_loss="prediction_error", pair_limit=10.0, theta=1e9)
    for active, limit in ((2, 300.0), (4, 100.0), (11, 30.0), (31, 10.0), (100, 10.0)):
        ladder = among(p, active)
        won = ladder.kill("a", "b", 0.0).attacker_change
        assert won == pytest.approx(10.0)
        second = ladder.kill("a", "b", 60.0).attacker_change
        assert second == pytest.approx(10.0 * (1 - won / limit), abs=0.01)


@pytest.mark.parametrize("skills", [(1300.0, 700.0), (1350.0, 1000.0, 650.0)])
def test_a_handful_of_honest_players_is_told_apart_in_one_evening(
    skills: tuple[float, ...],
) -> None:
    right = 0
    for seed in range(10):
        draw, ladder = random.Random(seed), Ladder(Parameters.calibrated())
        for number in range(150):
            one, two = draw.sample(range(len(skills)), 2)
            chance = 1 / (1 + 10 ** ((skills[two] - skills[one]) / 400))
            killer, victim = (one, two) if draw.random() < chance else (two, one)
            ladder.kill(str(killer), str(victim), 65.0 * number)
        right += [player for player, _ in ladder.top(3)] == [str(n) for n in range(len(skills))]
        gap = ladder.player("0").mu - ladder.player(str(len(skills) - 1)).mu
        assert gap > 0.5 * (skills[0] - skills[-1])
    assert right >= 9


def test_a_kill_of_no_weight_moves_neither_rating_nor_uncertainty_nor_trend() -> None:
    p = replace(Parameters.calibrated(), t_cooldown=0.0, pair_limit=1.0)
    ladder = Ladder(p)
    ladder.kill("a", "b", 0.0)  # a newcomer's first kill is beyond the limit of 30 at once
    before = ladder.player("a"), ladder.player("b")
    assert before[0].mu > 1030.0
    outcome = ladder.kill("a", "b", 0.0)
    assert outcome.counted
    assert changes(outcome) == (0.0, 0.0)
    for was, name in zip(before, "ab", strict=True):
        now = ladder.player(name)
        assert (now.mu, now.sigma, now.trend) == (was.mu, was.sigma, was.trend)
        assert now.events == was.events + 1


def test_what_was_won_is_won_back_freely_and_forgotten_within_days() -> None:
    p = replace(PLAIN, victim_loss="prediction_error", pair_limit=30.0, theta=1e9)
    ladder = among(p)
    ladder.kill("a", "b", 0.0)
    assert ladder.kill("b", "a", 60.0).attacker_change == pytest.approx(10.0)
    assert ladder.kill("a", "b", 120.0).attacker_change == pytest.approx(10.0, rel=1e-3)
    days = among(p)
    days.kill("a", "b", 0.0)
    left = 10.0 * exp(-2.0)
    later = days.kill("a", "b", 2 * DAY).attacker_change
    assert later == pytest.approx(10.0 * (1 - left / 30.0))


def test_a_kill_that_arrives_late_finds_what_was_won_unfaded() -> None:
    p = replace(PLAIN, victim_loss="prediction_error", pair_limit=30.0, theta=1e9)
    ladder = among(p)
    ladder.kill("a", "b", 5 * DAY)
    assert ladder.kill("a", "b", 0.0).attacker_change == pytest.approx(20 / 3)


def test_the_mean_is_drawn_back_by_its_distance_for_both() -> None:
    p = replace(PLAIN, recentring=0.1, victim_loss="prediction_error", c_loss=1.0)
    ladder = between(p, 1000.0, 1000.0)
    assert changes(ladder.kill("a", "b", 0.0)) == (10.0, -10.0)
    high = Ladder.load(
        p,
        LadderState(
            players=tuple(
                (name, replace(PlayerState.initial(p), mu=1050.0, sigma=100.0)) for name in "abc"
            )
        ),
    )
    assert changes(high.kill("a", "b", 0.0)) == pytest.approx((5.0, -15.0))


def test_a_limit_that_is_switched_off_is_forgotten_by_those_who_fight_on() -> None:
    limited, free = replace(PLAIN, pair_limit=30.0), PLAIN
    ladder = Ladder(limited)
    ladder.kill("a", "b", 0.0)
    ladder.kill("c", "d", 0.0)
    ladder.reconfigure(free)
    ladder.kill("a", "b", 60.0)
    flows = {pair[:2]: pair[3] for pair in ladder.dump().pairs}
    assert flows["a", "b"] == 0.0
    assert flows["c", "d"] > 0.0
    again = Ladder.load(free, LadderState.from_json(ladder.dump().to_json()))
    for one in (ladder, again):
        one.reconfigure(limited)
    for time in (120.0, 180.0):
        assert ladder.kill("a", "b", time) == again.kill("a", "b", time)
        assert ladder.kill("c", "d", time) == again.kill("c", "d", time)
