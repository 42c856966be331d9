"""Parameters and event streams for the tests: legal, and as unkind as legal can be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from adr_core import Calibration, Ladder, Outcome, Parameters

DAY = 86_400.0
START = 1.76e9

STEPS = (0.0, 0.001, 1.0, 59.999, 60.0, 61.0, 3600.0, DAY, 7 * DAY, 60 * DAY, 61 * DAY, 900 * DAY)
LATE = (-0.001, -60.0, -3600.0, -8 * DAY, -100 * DAY)


@dataclass(frozen=True)
class Kill:
    attacker: str
    victim: str
    time: float


@dataclass(frozen=True)
class Calibrate:
    time: float


Event = Kill | Calibrate


def feed(ladder: Ladder, event: Event) -> Outcome | Calibration:
    """One event, and what the ladder says about it."""
    if isinstance(event, Kill):
        return ladder.kill(event.attacker, event.victim, event.time)
    return ladder.recalibrate(event.time)


def random_stream(seed: int, *, players: int, length: int, pace: float) -> list[Event]:
    """Kills about `pace` seconds apart, with repeats, absences, late packets and calibrations."""
    chance = random.Random(seed)
    names = [f"player {number}" for number in range(players)]
    events: list[Event] = []
    time, pair = START, (names[0], names[1])
    for _ in range(length):
        kind = chance.random()
        if kind < 0.08:  # the same two again, about a cooldown later
            time += chance.uniform(0, 120)
            events.append(Kill(*pair, time))
            continue
        time += chance.expovariate(1 / pace)
        if kind < 0.09:
            time += chance.choice((8 * DAY, 25 * DAY, 61 * DAY, 130 * DAY))
        if kind < 0.12:
            events.append(Calibrate(time - chance.choice((0.0, 0.0, DAY))))
            continue
        attacker, victim = chance.sample(names[: chance.randint(2, players)], 2)
        pair = (attacker, victim)
        late = chance.choice((DAY, 9 * DAY)) if kind < 0.16 else 0.0
        events.append(Kill(*pair, time - late))
    return events


@st.composite
def streams(draw: st.DrawFn, *, players: int = 6, longest: int = 60) -> list[Event]:
    """Any mixture of kills and calibrations, forwards and late."""
    names = [f"p{number}" for number in range(players)]
    steps = st.one_of(st.sampled_from(STEPS), st.sampled_from(STEPS[:8]))
    events: list[Event] = []
    time = draw(st.sampled_from((0.0, START, -START)))
    for _ in range(draw(st.integers(0, longest))):
        time += draw(steps)
        late = draw(st.sampled_from((0.0, 0.0, 0.0, *LATE)))
        if draw(st.integers(0, 9)) == 0:
            events.append(Calibrate(time + late))
        else:
            a = draw(st.integers(0, players - 1))
            b = draw(st.integers(0, players - 2))
            events.append(Kill(names[a], names[b + (b >= a)], time + late))
    return events


def _spread(low: float, high: float, usual: Sequence[float]) -> st.SearchStrategy[float]:
    """Usual values, the ends, and anything between."""
    return st.one_of(st.sampled_from((*usual, low, high)), st.floats(low, high))


@st.composite
def legal_parameters(draw: st.DrawFn) -> Parameters:
    """Any parameters that are allowed, the ends of every range among them."""
    positive, anything = (1e-9, 1e9), (-1e9, 1e9)
    mu = sorted(draw(_spread(*anything, (0.0, 1000.0, 4000.0))) for _ in range(3))
    if mu[0] == mu[2]:
        mu[0], mu[2] = mu[0] - 1.0, mu[2] + 1.0
        mu = [max(-1e9, mu[0]), mu[1], min(1e9, mu[2])]
    sigma = sorted(draw(_spread(*positive, (10.0, 350.0, 400.0))) for _ in range(3))
    eta = sorted(draw(_spread(0.0, 1e9, (4.0, 40.0))) for _ in range(2))
    values: dict[str, Any] = {
        "mu_min": mu[0],
        "mu_0": mu[1],
        "mu_max": mu[2],
        "sigma_min": sigma[0],
        "sigma_0": sigma[1],
        "sigma_max": sigma[2],
        "eta_min": eta[0],
        "eta_max": eta[1],
        "nu_min": draw(_spread(-1e9, 0.0, (-60.0,))),
        "n_min": draw(st.sampled_from((0, 1, 3, 15))),
        "p_min": draw(st.sampled_from((1, 2, 4, 20))),
        "n_active": draw(st.integers(1, 6)),
        "window": draw(st.integers(1, 21)),
        "s_max": draw(st.sampled_from((0, 5, 10**9))),
        "pairs_remembered": draw(st.sampled_from((1, 2, 200_000))),
        "return_events": draw(st.sampled_from((1, 2, 15))),
        "pool_drains": draw(st.booleans()),
        "victim_loss": draw(st.sampled_from(("winner_probability", "prediction_error"))),
        "link": draw(st.sampled_from(("arctangent", "logistic"))),
        "peak_power": draw(_spread(1e-9, 1e9, (1.0, 2.0))),
        "evidence": draw(st.sampled_from(("event", "outcome"))),
        "trend_noise": draw(_spread(0.0, 1e9, (8500.0,))),
        "pair_limit": draw(_spread(0.0, 1e9, (20.0,))),
        "recentring": draw(_spread(0.0, 1.0, (0.02,))),
        "shares": draw(legal_shares()),
    }
    for name, usual in (("gamma", 100.0), ("sigma_peak", 200.0), ("w_ref", 20.0)):
        values[name] = draw(_spread(*positive, (usual,)))
    for name, usual in (("theta", 400.0), ("tau", 30.0), ("delta_max", 60.0), ("h_req", 400.0)):
        values[name] = draw(_spread(*positive, (usual,)))
    for name, usual in (("sigma_place", 180.0), ("t_active", 7.0), ("spread", 200.0)):
        values[name] = draw(_spread(*positive, (usual,)))
    for name, usual in (("rho_s", 0.15), ("rho_v", 0.3), ("gamma_phi", 0.3), ("lambda_", 0.5)):
        values[name] = draw(_spread(0.0, 1e9, (usual,)))
    for name, usual in (("sigma_drift", 5.0), ("t_return", 60.0), ("t_cooldown", 60.0)):
        values[name] = draw(_spread(0.0, 1e9, (usual,)))
    for name, usual in (("lambda_phi", 0.2), ("alpha", 0.7)):
        values[name] = draw(_spread(0.0, 1.0, (usual,)))
    for name, usual in (("c_loss", 0.8), ("lambda_pool", 0.2), ("beta", 0.2)):
        values[name] = draw(_spread(1e-9, 1.0, (usual,)))
    values["nu_max"] = draw(_spread(0.0, 1e9, (60.0,)))
    return Parameters(**values)


def legal_shares() -> st.SearchStrategy[tuple[float, ...]]:
    """Target shares of 2 to 20 tiers, even ones and very uneven ones."""
    weights = st.lists(st.integers(1, 50_000), min_size=2, max_size=20)
    return weights.map(lambda parts: tuple(part / sum(parts) for part in parts))


LIVELY = Parameters(
    n_min=2, p_min=2, n_active=2, h_req=15.0, sigma_place=300.0, shares=(0.2, 0.3, 0.5)
)
"""Few events are enough to be placed, promoted and calibrated by."""

LIVELY_CALIBRATED = replace(
    Parameters.calibrated(),
    n_min=2,
    p_min=2,
    n_active=2,
    h_req=15.0,
    sigma_place=349.0,
    shares=(0.2, 0.3, 0.5),
)


def lively_parameters() -> st.SearchStrategy[Parameters]:
    """Sane parameters under which a short stream reaches every rule."""
    return st.builds(
        lambda base, drains, events, loss, shares, remembered, limit: Parameters(
            **{
                **base.to_dict(),
                "pool_drains": drains,
                "return_events": events,
                "victim_loss": loss,
                "shares": shares,
                "pairs_remembered": remembered,
                "pair_limit": limit,
            }
        ),
        st.sampled_from((LIVELY, LIVELY_CALIBRATED)),
        st.booleans(),
        st.integers(1, 4),
        st.sampled_from(("winner_probability", "prediction_error")),
        st.sampled_from(((0.2, 0.3, 0.5), (0.5, 0.5), (1 / 15,) * 15)),
        st.sampled_from((2, 200_000)),
        st.sampled_from((0.0, 20.0)),
    )


PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)
"""A busy machine is no failure."""
