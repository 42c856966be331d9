"""One player's part in a counted kill, from its state before to its state after."""

from __future__ import annotations

from adr_core.parameters import Parameters
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
    """A player's part in one kill: the state before, after its decay (5), and how fast it learns.

    mu, sigma: after the decay, which is what the kill is judged by.
    guarded: how many events, this one included, are under the safeguards of section 8.
    """

    __slots__ = ("before", "guarded", "mu", "sigma", "time")

    def __init__(self, before: PlayerState, time: float, active_mean: float, p: Parameters) -> None:
        days = days_away(before.last_event, time)
        self.before = before
        self.time = time
        self.mu = before.mu
        self.sigma = before.sigma
        if days > 0.0:
            self.mu = decayed_mu(before.mu, active_mean, days, p)
            self.sigma = decayed_sigma(before.sigma, days, p)
        self.guarded = p.return_events if days > p.t_return else before.returning

    def rate(self, p: Parameters) -> float:
        """The learning rate of 4.1, from the state as the kill finds it."""
        before = self.before
        return learning_rate(self.sigma, before.streak, before.window, before.trend, p)

    def settled(
        self,
        raw: float,
        surprise: float,
        weight: float,
        p: Parameters,
        *,
        streak: int,
        bounds: tuple[float, ...],
    ) -> tuple[PlayerState, float]:
        """The state after the kill, and Δμ, the visible change after cap and bounds.

        raw: the change of 4.2 before safeguards and bounds; surprise: what the trend follows
        (4.4); weight: how much of a kill it is, 0 to 1; streak: the new one; bounds: of the
        tiers. O(window + n_active).
        """
        before, pool = self.before, self.before.pool
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
        tier, promotion, demotion = judged(before, bounds, p, mu=mu, sigma=sigma, events=events)
        after = PlayerState(
            mu,
            sigma,
            streak,
            followed_trend(before.trend, surprise, weight, p),
            pool,
            events,
            self.time if last is None or self.time > last else last,
            (*before.window, abs(change))[-p.window :],
            tier,
            promotion,
            demotion,
            latest(before.recent, self.time, p.n_active),
            self.guarded - 1 if self.guarded else 0,
        )
        return after, change
