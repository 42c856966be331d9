"""One player's side of a counted kill: what the kill finds, and what it makes of the player."""

from __future__ import annotations

from dataclasses import dataclass

from adr_core.parameters import Parameters
from adr_core.player import Player
from adr_core.rules import (
    days_away,
    decayed,
    drained,
    followed_trend,
    guarded,
    learned_sigma,
    moved_mu,
)
from adr_core.tiers import judge


@dataclass(slots=True, init=False)
class Side:
    """One player's side of a counted kill: what the kill found, and what it changed.

    mu_before, mu_after: the stored mu, points; somebody new comes with the starting one.
    change: the visible change of mu by the kill itself (Δμ after 8.4 and 4.2), in points. What is
        left of mu_after - mu_before is the decay of an absence (5).
    days: how long the player was away (2.2).
    guarded: whether it was under the safeguards of section 8.
    mu, sigma: after the decay, which is what the kill is judged by.
    streak, shaken, trend: what else the learning rate (4.1) came from; shaken: the mean of the
        window.
    """

    mu_before: float
    mu_after: float
    change: float
    days: float
    guarded: bool
    mu: float
    sigma: float
    streak: int
    shaken: float
    trend: float

    def __init__(self, player: Player, time: float, active_mean: float, p: Parameters) -> None:
        """As the kill finds it; nothing has changed yet. O(1)."""
        mu, sigma = player.mu, player.sigma
        self.mu_before = self.mu_after = mu
        self.change = 0.0
        self.days = days = days_away(player.last_event, time)
        if days > 0.0:
            mu, sigma = decayed(mu, sigma, active_mean, days, p)
        self.mu = mu
        self.sigma = sigma
        self.guarded = days > p.t_return or player.returning > 0
        self.streak = player.streak
        if player.shaken < 0.0:
            player.look_back(p)
        self.shaken = player.shaken
        self.trend = player.trend


def settle(  # noqa: PLR0917
    player: Player,
    side: Side,
    raw: float,
    surprise: float,
    weight: float,
    bounds: tuple[float, ...],
    time: float,
    p: Parameters,
) -> None:
    """Make the player what it is after the kill, but for its streak.

    raw: the change of 4.2 before safeguards and bounds; surprise: what the trend follows (4.4);
    weight: how much of a kill it is, 0 to 1; bounds: of the tiers. O(window + n_active).
    """
    change = raw
    if side.guarded:
        events = p.return_events if side.days > p.t_return else player.returning
        player.returning = events - 1
        change, player.pool = guarded(raw, side.sigma, player.pool, p)
    elif p.pool_drains and player.pool:
        change, player.pool = drained(raw, player.pool, p)
    mu = moved_mu(side.mu, change, p)
    change = mu - side.mu
    player.mu = side.mu_after = mu
    side.change = change
    player.sigma = learned_sigma(side.sigma, change, side.trend, surprise, weight, p)
    player.trend = followed_trend(side.trend, surprise, weight, p)
    player.note(abs(change), time, p)
    judge(player, bounds, p)
