"""The state of one player (2.2), complete: what comes next depends on nothing else of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Final

from adr_core.checks import clip
from adr_core.doubles import doubles, in_bytes
from adr_core.parameters import Parameters

Packed = tuple[Any, ...]
"""The fields of a state in their order, as a table has them: window and recent are `doubles`."""
Stored = tuple[Any, ...]
"""A player's id, and behind it the packed state."""


@dataclass(slots=True, init=False)
class PlayerState:
    """One player after its last counted event. Replaced, never changed: nobody may set a field.

    mu: skill estimate, points.
    sigma: uncertainty, points.
    streak: kills since the last death.
    trend: moving average of surprise, -1 to 1 (4.4).
    pool: score held back by the safeguard, points (8.3).
    events: counted kills and deaths.
    last_event: greatest time of them in seconds; None before the first.
    window: sizes of the last visible changes, points, newest last, at most L of them (2.2).
    tier: 1 is the best; None before placement (6.1).
    promotion, demotion: the accumulators of 6.4, points.
    recent: the n_active greatest event times, ascending (2.3).
    returning: coming events that stay under the safeguards of section 8.
    """

    mu: float
    sigma: float
    streak: int
    trend: float
    pool: float
    events: int
    last_event: float | None
    window: tuple[float, ...]
    tier: int | None
    promotion: float
    demotion: float
    recent: tuple[float, ...]
    returning: int

    def __init__(  # noqa: PLR0917
        self,
        mu: float,
        sigma: float,
        streak: int,
        trend: float,
        pool: float,
        events: int,
        last_event: float | None,
        window: tuple[float, ...],
        tier: int | None,
        promotion: float,
        demotion: float,
        recent: tuple[float, ...],
        returning: int,
    ) -> None:
        # written out because two are made with every kill: what a frozen dataclass does instead
        # takes as long as all the arithmetic
        self.mu = mu
        self.sigma = sigma
        self.streak = streak
        self.trend = trend
        self.pool = pool
        self.events = events
        self.last_event = last_event
        self.window = window
        self.tier = tier
        self.promotion = promotion
        self.demotion = demotion
        self.recent = recent
        self.returning = returning

    def fitted(self, p: Parameters) -> PlayerState:
        """The state clipped to the bounds of 7.1, and no longer than is kept under `p`."""
        return PlayerState(
            clip(self.mu, p.mu_min, p.mu_max),
            clip(self.sigma, p.sigma_min, p.sigma_max),
            self.streak,
            self.trend,
            clip(self.pool, p.nu_min, p.nu_max),
            self.events,
            self.last_event,
            self.window[-p.window :],
            self.tier,
            self.promotion,
            self.demotion,
            self.recent[-p.n_active :],
            min(self.returning, p.return_events),
        )

    def packed(self) -> Packed:
        """The state as a table has it. O(window)."""
        return (
            self.mu,
            self.sigma,
            self.streak,
            self.trend,
            self.pool,
            self.events,
            self.last_event,
            in_bytes(self.window),
            self.tier,
            self.promotion,
            self.demotion,
            in_bytes(self.recent),
            self.returning,
        )

    @classmethod
    def unpacked(cls, packed: Iterable[Any]) -> PlayerState:
        """The state of which this is made; nothing is checked but the form. O(window).

        Raises ValueError or TypeError.
        """
        values: list[Any] = [tuple(doubles(x)) if type(x) is bytes else x for x in packed]
        return cls(*values)

    @classmethod
    def initial(cls, p: Parameters) -> PlayerState:
        """Somebody who has not yet taken part in a counted kill (2.2)."""
        return cls(p.mu_0, p.sigma_0, 0, 0.0, 0.0, 0, None, (), None, 0.0, 0.0, (), 0)


FIELDS: Final = tuple(field.name for field in fields(PlayerState))
"""What a packed state consists of, by name."""
