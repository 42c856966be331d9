"""One player's part in a counted kill, from its state before to its state after."""

from __future__ import annotations

from adr_core.parameters import Parameters
from adr_core.player import Player
from adr_core.rules import (
    days_away,
    decayed_mu,
    decayed_sigma,
    drained,
    followed_trend,
    gathered_evidence,
    guarded,
    latest,
    learned_sigma,
    learning_rate,
    moved_mu,
    process_noise,
)
from adr_core.state import PlayerState
from adr_core.tiers import judged


class Part:
    """A player's part in one kill: the state before and after, and what is in between.

    mu, sigma: after the decay (5), which is what the kill is judged by.
    guarded: how many events, this one included, are under the safeguards of section 8.
    after, change: set by `settle`; the visible change Δμ, after cap and bounds.
    """

    __slots__ = ("after", "before", "change", "guarded", "mu", "player", "sigma", "time")

    def __init__(self, player: Player, time: float, active_mean: float, p: Parameters) -> None:
        before = player.state
        days = days_away(before.last_event, time)
        self.player = player
        self.before = before
        self.after = before
        self.change = 0.0
        self.time = time
        if days > 0.0:
            self.mu = decayed_mu(before.mu, active_mean, days, p)
            self.sigma = decayed_sigma(before.sigma, days, p)
        else:
            self.mu = before.mu
            self.sigma = before.sigma
        self.guarded = p.return_events if days > p.t_return else before.returning

    def rate(self, p: Parameters) -> float:
        """The learning rate of 4.1, from the state as the kill finds it."""
        before = self.before
        return learning_rate(self.sigma, before.streak, self.player.shaken(), before.trend, p)

    def settle(  # noqa: PLR0917
        self,
        raw: float,
        surprise: float,
        weight: float,
        streak: int,
        bounds: tuple[float, ...],
        p: Parameters,
    ) -> None:
        """Make the state after the kill.

        raw: the change of 4.2 before safeguards and bounds; surprise: what the trend follows
        (4.4); weight: how much of a kill it is, 0 to 1; streak: the new one; bounds: of the
        tiers. O(window + n_active).
        """
        before, time, pool = self.before, self.time, self.before.pool
        if self.guarded:
            change, pool = guarded(raw, self.sigma, pool, p)
        elif pool and p.pool_drains:
            change, pool = drained(raw, pool, p)
        else:
            change = raw
        mu = moved_mu(self.mu, change, p)
        change = mu - self.mu
        noise = process_noise(change, before.trend, weight, p)
        sigma = learned_sigma(self.sigma, noise, gathered_evidence(surprise, weight, p), p)
        events = before.events + 1
        last = before.last_event
        tier, promotion, demotion = judged(before, bounds, p, mu, sigma, events)
        window = before.window if len(before.window) < p.window else before.window[1:]
        self.change = change
        self.after = PlayerState(
            mu,
            sigma,
            streak,
            followed_trend(before.trend, surprise, weight, p),
            pool,
            events,
            time if last is None or time > last else last,
            window + (abs(change),),  # noqa: RUF005 - unpacking would make a list first
            tier,
            promotion,
            demotion,
            latest(before.recent, time, p.n_active),
            self.guarded - 1 if self.guarded else 0,
        )
