"""The update of one player, equation by equation (sections 3, 4, 5 and 8).

Plain functions of numbers. Where two of them disagree with a first reading of the paper, the
package's documentation says which reading was taken and why.
"""

from __future__ import annotations

from math import atan, exp, log, pi, sqrt
from typing import Final

from adr_core.checks import SECONDS_PER_DAY, clip
from adr_core.parameters import Parameters
from adr_core.player import NEVER

_PER_SPREAD: Final = log(10.0)
_SURE: Final = 700.0
_OPPONENTS: Final = 30.0
"""From so many on, a single one counts for no more than `pair_limit`."""


def days_away(last_event: float, time: float) -> float:
    """d_i of 2.2 in days; 0 for somebody new and for an event that arrives late."""
    if time <= last_event or last_event == NEVER:
        return 0.0
    return (time - last_event) / SECONDS_PER_DAY


def decayed(
    mu: float, sigma: float, active_mean: float, days: float, p: Parameters
) -> tuple[float, float]:
    """Section 5: an absence pulls mu towards the active players' mean, and sigma grows."""
    nearer = active_mean + (mu - active_mean) * exp(-days / p.tau)
    wider = sigma + p.sigma_drift * days
    return nearer, wider if wider < p.sigma_max else p.sigma_max


def kill_probability(lead: float, mean_sigma: float, p: Parameters) -> float:
    """P_ab of 3.1, for an attacker `lead` points ahead of the victim, with D of 3.2.

    With the logistic link a lead of D means odds of 10 to 1.
    """
    leads = lead / (p.theta + p.lambda_ * mean_sigma)
    if p.link == "arctangent":
        return 0.5 + atan(leads) / pi
    return 1.0 / (1.0 + exp(clip(-_PER_SPREAD * leads, -_SURE, _SURE)))


def pair_weight(taken: float, active: int, p: Parameters) -> float:
    """How much of a kill it is, 0 to 1, when the attacker has lately taken so many points, net.

    What one side takes from the other within about a day comes to `pair_limit` points, and what is
    above them of the kill that reaches them. Among fewer than 31 `active` players the limit is
    larger in proportion: they meet so often that the limit would hide honest differences.
    """
    few = max(1.0, _OPPONENTS / max(1, active - 1))
    return clip(1.0 - taken / (few * p.pair_limit), 0.0, 1.0)


def learning_rate(sigma: float, streak: int, shaken: float, trend: float, p: Parameters) -> float:
    """η_i of 4.1, with the peak-shaped base of 8.1; `shaken` is the mean of the window (2.2)."""
    peak = 2.0 * sigma * p.sigma_peak / (sigma * sigma + p.sigma_peak * p.sigma_peak)
    if p.peak_power != 1.0:
        peak = peak**p.peak_power
    base = p.eta_min + (p.eta_max - p.eta_min) * peak
    hot = 1.0 + p.rho_s * (streak if streak < p.s_max else p.s_max)
    calm = 1.0 / (1.0 + p.rho_v * shaken / p.w_ref)
    rising = 1.0 + p.gamma_phi * trend if trend > 0.0 else 1.0
    return base * hot * calm * rising


def guarded(raw: float, sigma: float, pool: float, p: Parameters) -> tuple[float, float]:
    """8.2 and 8.3 for somebody who is back: the change before the cap, and the pool after it."""
    effective = raw * (p.sigma_0 / (sigma + p.sigma_0))
    released = p.lambda_pool * pool
    kept = pool - released if p.pool_drains else pool
    pool_after = clip(kept + p.alpha * effective, p.nu_min, p.nu_max)
    return (1.0 - p.alpha) * effective + released, pool_after


def drained(raw: float, pool: float, p: Parameters) -> tuple[float, float]:
    """What a return has left in the pool goes on flowing out, until less than 1e-9 is left."""
    released = p.lambda_pool * pool
    rest = pool - released
    return raw + released, rest if abs(rest) >= 1e-9 else 0.0


def moved_mu(mu: float, change: float, p: Parameters) -> float:
    """The cap on one event's change (8.4), then the bounds (4.2)."""
    limit = p.delta_max
    moved = mu + (-limit if change < -limit else limit if change > limit else change)
    return p.mu_min if moved < p.mu_min else p.mu_max if moved > p.mu_max else moved


def learned_sigma(  # noqa: PLR0917
    sigma: float, change: float, trend: float, surprise: float, weight: float, p: Parameters
) -> float:
    """4.3: noise first, squared points, which by the letter is that of the visible change; then
    the evidence of an event, in units of 1/γ²: as much as any other, or P(1-P) of that.

    change: the visible one; surprise: as in `followed_trend`; weight: how much of an event it is.
    """
    noise = weight * p.trend_noise * trend * trend if p.trend_noise else change * change
    evidence = weight
    if p.evidence == "outcome":
        certain = surprise if surprise >= 0.0 else -surprise
        evidence = weight * certain * (1.0 - certain)
    sharper = 1.0 / sqrt(1.0 / (sigma * sigma + noise) + evidence / (p.gamma * p.gamma))
    low, high = p.sigma_min, p.sigma_max
    return low if sharper < low else high if sharper > high else sharper


def followed_trend(trend: float, surprise: float, weight: float, p: Parameters) -> float:
    """4.4; `surprise` is 1 - P_ab for the attacker and P_ab - 1 for the victim.

    weight: how much of an event this is, 0 to 1.
    """
    pace = p.lambda_phi * weight
    moved = (1.0 - pace) * trend + pace * surprise
    return -1.0 if moved < -1.0 else 1.0 if moved > 1.0 else moved
