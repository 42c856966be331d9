"""Tiers for systems that have none: 6.3 without the accumulators of 6.4.

With them every system's ratings can be judged alike: how often would players change tier, how far
from the tier that their true skill deserves are they, how full is each tier.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque

import numpy as np

TIERS = 15
SMOOTHING = 0.2
ACTIVE_SECONDS = 7 * 86_400.0
ACTIVE_EVENTS = 5


class Activity:
    """Who is active (2.3), from the kills alone."""

    def __init__(self) -> None:
        self.recent: dict[str, deque[float]] = {}

    def note(self, player: str, time: float) -> None:
        self.recent.setdefault(player, deque(maxlen=ACTIVE_EVENTS)).append(time)

    def active(self, now: float) -> list[str]:
        """Those whose fifth last event is within seven days."""
        return [
            player
            for player, times in self.recent.items()
            if len(times) == ACTIVE_EVENTS and times[0] > now - ACTIVE_SECONDS
        ]


def targets(values: np.ndarray) -> np.ndarray:
    """Boundaries from the bottom up that cut these values into equal shares."""
    ordered = np.sort(values)
    ends = np.ceil(len(values) * np.arange(1, TIERS) / TIERS - 1e-9).astype(int)
    return ordered[np.maximum(ends, 1) - 1]


class Tiers:
    """Boundaries that follow the ratings, and the tier of everybody: 1 is the best."""

    def __init__(self) -> None:
        self.boundaries: list[float] = []
        self.of: dict[str, int] = {}
        self.changes = 0

    def calibrate(self, ratings: dict[str, float]) -> None:
        """Takes the ratings of the active players."""
        target = targets(np.array(list(ratings.values())))
        if self.boundaries:
            target = (1.0 - SMOOTHING) * np.array(self.boundaries) + SMOOTHING * target
        self.boundaries = target.tolist()
        for player, rating in ratings.items():
            self.place(player, rating)

    def place(self, player: str, rating: float) -> None:
        if not self.boundaries:
            return
        tier = TIERS - bisect_right(self.boundaries, rating)
        if tier != self.of.get(player, tier):
            self.changes += 1
        self.of[player] = tier


def deserved(skills: dict[str, float]) -> dict[str, int]:
    """The tier of everybody if true skills were known."""
    ordered = sorted(skills, key=skills.__getitem__, reverse=True)
    return {player: 1 + index * TIERS // len(ordered) for index, player in enumerate(ordered)}


def distance(tiers: list[int]) -> float:
    """Total variation between the shares of the tiers and equal ones: 0 is perfect."""
    counts = np.bincount(tiers, minlength=TIERS + 1)[1:]
    return float(0.5 * np.abs(counts / max(1, counts.sum()) - 1.0 / TIERS).sum())
