"""A tracked player as the ladder holds it: its state, and what is derived from it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterator
from math import floor
from typing import Final

from adr_core.grid import UNIT, grid
from adr_core.parameters import Parameters
from adr_core.state import PlayerState

NEVER: Final = -math.inf
"""In place of a time that there is none of."""
UNPLACED: Final = 0
"""In place of a tier."""


class Player:
    """One tracked player; the one thing in the package that changes in place, kill by kill.

    The fields of its `PlayerState` are the truth, here with NEVER and UNPLACED. `past` holds first
    the n_active greatest event times, as many as there are, and NEVER for the others, and behind
    them the window. The times are written round and round, and begin at `earliest`. The rest is
    derived, kept because every kill asks for it, and set by the class that looks after it:

    grid_mu, grid_sigma: what the player adds to the sums (population).
    grid_window: the sum of the window, or -1 as long as nobody has asked: most of the players that
        are loaded do not fight before the next restart.
    active: whether it belongs to the active set (active).
    cell: where it sits in the rank index (ranks).
    """

    __slots__ = (
        "active",
        "cell",
        "demotion",
        "earliest",
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
        "sigma",
        "streak",
        "tier",
        "trend",
    )

    def __init__(self, player_id: str, state: PlayerState, p: Parameters) -> None:
        self.id: Final = player_id
        self.mu = state.mu
        self.sigma = state.sigma
        self.streak = state.streak
        self.trend = state.trend
        self.pool = state.pool
        self.events = state.events
        self.last_event = NEVER if state.last_event is None else state.last_event
        self.tier = UNPLACED if state.tier is None else state.tier
        self.promotion = state.promotion
        self.demotion = state.demotion
        self.past = array("d", [NEVER] * (p.n_active - len(state.recent)))
        self.past.extend(state.recent)
        self.past.extend(state.window)
        self.earliest = 0
        self.returning = state.returning
        self.grid_mu = grid(state.mu)
        self.grid_sigma = grid(state.sigma)
        self.grid_window = -1
        self.active = False
        self.cell = 0

    def state(self, p: Parameters) -> PlayerState:
        """The state as a value of its own. O(window)."""
        past, earliest, times = self.past, self.earliest, p.n_active
        recent = past[earliest:times] + past[:earliest]
        return PlayerState(
            self.mu,
            self.sigma,
            self.streak,
            self.trend,
            self.pool,
            self.events,
            None if self.last_event == NEVER else self.last_event,
            tuple(past[times:]),
            self.tier or None,
            self.promotion,
            self.demotion,
            tuple(recent[recent.count(NEVER) :]),
            self.returning,
        )

    def shaken(self, p: Parameters) -> float:
        """The mean size of the last visible changes, the V of 4.1. O(1), at first O(window)."""
        count = len(self.past) - p.n_active
        if self.grid_window < 0:
            self.grid_window = sum([grid(change) for change in self.past[p.n_active :]])
        return self.grid_window / (UNIT * count) if count else 0.0

    def note(self, change: float, time: float, p: Parameters) -> None:
        """Keep the size of a visible change, and when it happened.

        O(1); for an event that arrives late O(n_active).
        """
        past, times, place = self.past, p.n_active, self.earliest
        grown = floor(change * UNIT)
        if len(past) == times + p.window:
            grown -= floor(past.pop(times) * UNIT)
        past.append(change)
        self.grid_window += grown
        self.events += 1
        if time >= self.last_event:
            self.last_event = past[place] = time
            place += 1
            self.earliest = place if place < times else 0
        elif time > past[place]:
            past[:times] = array("d", sorted([time, *past[:times]])[1:])
            self.earliest = 0

    def active_until(self) -> float:
        """The edge at which the player leaves the active set: the n_active-th greatest event time.

        NEVER as long as there are fewer. O(1).
        """
        return self.past[self.earliest]


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
