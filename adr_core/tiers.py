"""Tiers (section 6): boundaries, placement, and the accumulators of promotion and demotion.

Tiers are numbers from 1, the best, to K. The K - 1 boundaries are listed from the top down: the
first divides tier 1 from tier 2. What the tiers are called is nobody's business here.
"""

from __future__ import annotations

from itertools import accumulate
from math import ceil
from statistics import NormalDist

from adr_core.parameters import Parameters
from adr_core.player import UNPLACED, Player


def initial_boundaries(p: Parameters) -> tuple[float, ...]:
    """Where the tiers divide before anything is known: normal quantiles around mu_0."""
    curve = NormalDist()
    return tuple(p.mu_0 + p.spread * curve.inv_cdf(below) for below in _shares_below(p))


def quantile_boundaries(skills: list[float], p: Parameters) -> tuple[float, ...]:
    """B_k of 6.3 for the mu of the active players, sorted upwards; at least one is needed.

    F⁻¹(y) is the smallest skill with at least a share y at or below it. The 1e-9 keeps a share
    such as 14/15 of 30 players from being rounded up to one player more.
    """
    count = len(skills)
    return tuple(skills[max(1, ceil(count * y - 1e-9)) - 1] for y in _shares_below(p))


def smoothed(old: tuple[float, ...], new: tuple[float, ...], p: Parameters) -> tuple[float, ...]:
    """The step from the old boundaries towards the new ones (6.3)."""
    pairs = zip(old, new, strict=True)
    return tuple((1.0 - p.beta) * before + p.beta * target for before, target in pairs)


def tier_of(mu: float, boundaries: tuple[float, ...]) -> int:
    """The tier whose interval holds mu (6.3). O(log K)."""
    low, high = 0, len(boundaries)
    while low < high:
        middle = (low + high) // 2
        if boundaries[middle] > mu:
            low = middle + 1
        else:
            high = middle
    return low + 1


def judge(player: Player, boundaries: tuple[float, ...], p: Parameters) -> bool:
    """Bring tier, promotion and demotion (6.1 and 6.4) up to mu, sigma and the number of events.

    Placement looks at the interval alone; afterwards only the accumulators move a player, by one
    tier at a time, and nothing takes it out of the tiers again. A kill and a calibration (its one
    tick, 6.3) do the same here. O(1), at placement O(log K). Says whether anything changed.
    """
    tier, mu = player.tier, player.mu
    if tier == UNPLACED:
        if player.events < p.n_min or player.sigma > p.sigma_place:
            return False
        player.tier = tier_of(mu, boundaries)
        return True
    up = down = 0.0
    if tier > 1 and mu >= boundaries[tier - 2]:
        up = player.promotion + (mu - boundaries[tier - 2])
        if up >= p.h_req:
            tier, up = tier - 1, 0.0
    elif tier <= len(boundaries) and mu < boundaries[tier - 1]:
        down = player.demotion + (boundaries[tier - 1] - mu)
        if down >= p.h_req:
            tier, down = tier + 1, 0.0
    if up == player.promotion and down == player.demotion and tier == player.tier:
        return False
    player.tier, player.promotion, player.demotion = tier, up, down
    return True


def _shares_below(p: Parameters) -> list[float]:
    """1 - q_k for k = 1 to K - 1: the share of players under each boundary."""
    return list(accumulate(reversed(p.shares)))[-2::-1]
