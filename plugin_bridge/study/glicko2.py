"""Glicko-2, after Glickman's "Example of the Glicko-2 system" (2012), by its step numbers.

Written here because the package of that name on PyPI (2.1.0) puts the rating where the rating
deviation belongs in its volatility function. Around a rating of 1500, where the published example
lies, that hardly shows; 1000 points away the volatility is wrong. A test holds both against this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178
"""Rating points per unit of the internal scale (step 2)."""

TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """rating and deviation in points, volatility on the internal scale, per rating period."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def damping(phi: float) -> float:
    """g of step 3."""
    return 1.0 / sqrt(1.0 + 3.0 * phi * phi / (pi * pi))


def rested(player: Glicko, periods: float) -> Glicko:
    """Step 6 for somebody who did not play for that many rating periods, in parts if need be."""
    phi = player.deviation / SCALE
    wider = SCALE * sqrt(phi * phi + periods * player.volatility**2)
    return Glicko(player.rating, min(350.0, wider), player.volatility)


def win_probability(one: Glicko, other: Glicko) -> float:
    """The chance that `one` wins, with the deviations of both taken into account."""
    phi = sqrt(one.deviation**2 + other.deviation**2) / SCALE
    return 1.0 / (1.0 + exp(-damping(phi) * (one.rating - other.rating) / SCALE))


def rated(
    player: Glicko,
    games: Sequence[tuple[Glicko, float]],
    *,
    tau: float = 0.5,
    periods: float = 1.0,
) -> Glicko:
    """The player after games against these opponents with these scores (0 to 1).

    periods: how many rating periods the games stand for. 1 is the algorithm as published; a
    system that rates every game at once passes the time since the last one.
    """
    phi = player.deviation / SCALE
    precision = 0.0
    surprise = 0.0
    for opponent, score in games:
        g = damping(opponent.deviation / SCALE)
        expected = 1.0 / (1.0 + exp(-g * (player.rating - opponent.rating) / SCALE))
        precision += g * g * expected * (1.0 - expected)
        surprise += g * (score - expected)
    v = 1.0 / max(precision, 1e-12)
    volatility = _volatility(player.volatility, phi, v, v * surprise, tau)
    wider = phi * phi + periods * volatility * volatility
    variance = 1.0 / (1.0 / wider + 1.0 / v)
    rating = player.rating + SCALE * variance * surprise
    return Glicko(rating, SCALE * sqrt(variance), volatility)


def _volatility(sigma: float, phi: float, v: float, delta: float, tau: float) -> float:
    """Step 5: the root of f by the Illinois method."""
    a = log(sigma * sigma)
    spread = phi * phi + v
    miss = delta * delta - spread

    def f(x: float) -> float:
        e = exp(x)
        return e * (miss - e) / (2.0 * (spread + e) ** 2) - (x - a) / (tau * tau)

    low = a
    if miss > 0.0:
        high = log(miss)
    else:
        high = a - tau
        while f(high) < 0.0:
            high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        new = low + (low - high) * f_low / (f_high - f_low)
        f_new = f(new)
        if f_new * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = new, f_new
    return exp(low / 2.0)
