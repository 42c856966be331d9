"""A tracked player as the ladder holds it: its state, and what is derived from it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterator
from math import floor
from typing import Final

from adr_core.doubles import SIZE, doubles, in_bytes
from adr_core.grid import UNIT, grid, mean
from adr_core.parameters import Parameters
from adr_core.state import Packed, PlayerState

NEVER: Final = -math.inf
"""In place of a time that there is none of."""
UNPLACED: Final = 0
"""In place of a tier."""
_NO_TIME: Final = in_bytes([NEVER])


class Player:
    """One tracked player; the one thing in the package that changes in place, kill by kill.

    The fields of its `PlayerState` are the truth, here with NEVER and UNPLACED. `past` holds the
    window, newest last, and behind it the n_active greatest event times, ascending, with NEVER in
    place of those that there are none of. The rest is derived, kept because every kill asks for
    it, and set by the class that looks after it:

    grid_mu, grid_sigma: what the player adds to the sums (population).
    grid_window, shaken: the sum of the window, and its mean, the V of 4.1 (side). The mean is -1
        as long as nobody has asked: most of the players that are loaded do not fight before the
        next restart.
    active: whether it belongs to the active set (active).
    cell: where it sits in the rank index (ranks).
    """

    __slots__ = (
        "active",
        "cell",
        "demotion",
        "events",
        "grid_mu",
        "grid_sigma",
        "grid_window",
        "id",
        "last_event",
        "mu",
        "past",
        "pool",
        "promotion",
        "returning",
        "shaken",
        "sigma",
        "streak",
        "tier",
        "trend",
    )

    def __init__(  # noqa: PLR0917
        self,
        p: Parameters,
        player_id: str,
        mu: float,
        sigma: float,
        streak: int,
        trend: float,
        pool: float,
        events: int,
        last_event: float | None,
        window: bytes,
        tier: int | None,
        promotion: float,
        demotion: float,
        recent: bytes,
        returning: int,
    ) -> None:
        """From what is `Stored`, field by field: a million are made at a start. O(window)."""
        self.id: Final = player_id
        self.mu = mu
        self.sigma = sigma
        self.streak = streak
        self.trend = trend
        self.pool = pool
        self.events = events
        self.last_event = NEVER if last_event is None else last_event
        self.tier = UNPLACED if tier is None else tier
        self.promotion = promotion
        self.demotion = demotion
        self.past = doubles(window + _NO_TIME * (p.n_active - len(recent) // SIZE) + recent)
        self.returning = returning
        self.grid_mu = grid(mu)
        self.grid_sigma = floor(sigma * UNIT)
        self.grid_window = 0
        self.shaken = -1.0
        self.active = False
        self.cell = 0

    def packed(self, p: Parameters) -> Packed:
        """The state as a table has it. O(window)."""
        window, recent = self.past[: -p.n_active], self.past[-p.n_active :]
        return (
            self.mu,
            self.sigma,
            self.streak,
            self.trend,
            self.pool,
            self.events,
            None if self.last_event == NEVER else self.last_event,
            in_bytes(window),
            self.tier or None,
            self.promotion,
            self.demotion,
            in_bytes(recent[recent.count(NEVER) :]),
            self.returning,
        )

    def state(self, p: Parameters) -> PlayerState:
        """The state as a value of its own. O(window)."""
        return PlayerState.unpacked(self.packed(p))

    def look_back(self, p: Parameters) -> None:
        """Sum up the window for the first time. O(window)."""
        window = self.past[: -p.n_active]
        self.grid_window = sum([grid(change) for change in window])
        self.shaken = mean(0, self.grid_window, len(window)) if window else 0.0

    def note(self, change: float, time: float, p: Parameters) -> None:
        """Keep the size of a visible change, and when it happened.

        O(1); for an event that arrives late O(n_active).
        """
        past = self.past
        count = len(past) - p.n_active
        total = self.grid_window + floor(change * UNIT)
        if count == p.window:
            total -= floor(past.pop(0) * UNIT)
            count -= 1
        if time >= self.last_event:
            past[count] = change  # in place of the lowest time
            past.append(time)
            self.last_event = time
        else:
            past[count:] = array("d", [change, *sorted([time, *past[count:]])[1:]])
        self.grid_window = total
        self.shaken = total / (UNIT * (count + 1))
        self.events += 1

    def active_until(self, n_active: int) -> float:
        """The edge at which the player leaves the active set: the n_active-th greatest event time.

        NEVER as long as there are fewer. O(1).
        """
        return self.past[-n_active]


def standing(player: Player) -> tuple[float, str]:
    """Sort key of every board: mu downwards, equal mu by id, which no restart can change."""
    return -player.mu, player.id


class Players(Collection[str]):
    """The ids of the tracked players: a live view with len, in and iteration, in no set order."""

    def __init__(self, tracked: dict[str, Player]) -> None:
        self._tracked = tracked

    def __len__(self) -> int:
        return len(self._tracked)

    def __contains__(self, player: object) -> bool:
        return player in self._tracked

    def __iter__(self) -> Iterator[str]:
        return iter(self._tracked)
