"""10.4: a simulated arena, where the true chance of every kill is known.

Skills are in Elo points: under the logistic link, 400 points more mean 10 to 1. The other links
have the same slope between equals, so that they differ in the tails alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

DAY = 86_400.0
START = 1.76e9
SLOPE = math.log(10.0) / 1600.0
"""Of every link between equals, per point."""

MIXTURE = ((0.50, -150.0, 120.0), (0.35, 50.0, 120.0), (0.15, 350.0, 100.0))
"""Weight, mean and standard deviation: casual players, regulars, veterans."""


def logistic(lead: float) -> float:
    return 1.0 / (1.0 + 10.0 ** (-lead / 400.0))


def arctangent(lead: float) -> float:
    return 0.5 + math.atan(lead * math.pi * SLOPE) / math.pi


def probit(lead: float) -> float:
    return 0.5 * math.erfc(-lead * SLOPE * math.sqrt(math.pi))


LINKS: dict[str, Callable[[float], float]] = {
    "logistic": logistic,
    "arctangent": arctangent,
    "probit": probit,
}


@dataclass(frozen=True)
class Kill:
    """One kill. chance: the true probability that it went this way; farmed kills are staged."""

    killer: str
    victim: str
    time: float
    chance: float
    farmed: bool = False


@dataclass
class Arena:
    """Players with hidden skills who come and go, and draw kills from them.

    busy: how often a player is online, relative to the others.
    away: who does not play now.
    """

    chance: np.random.Generator
    skills: dict[str, float]
    busy: dict[str, float]
    link: Callable[[float], float] = logistic
    away: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, players: int, seed: int, link: str = "logistic") -> Arena:
        """Skills from the mixture, in shares as exact as the number of players allows."""
        chance = np.random.default_rng([seed, 10])
        weights = [weight for weight, _, _ in MIXTURE]
        kinds = np.searchsorted(np.cumsum(weights), (np.arange(players) + 0.5) / players)
        drawn = [chance.normal(MIXTURE[kind][1], MIXTURE[kind][2]) for kind in kinds]
        names = [f"p{number:03}" for number in range(players)]
        busy = chance.gamma(2.0, 0.5, players)
        return cls(
            chance,
            dict(zip(names, map(float, drawn), strict=True)),
            dict(zip(names, map(float, busy), strict=True)),
            LINKS[link],
        )

    @property
    def present(self) -> list[str]:
        return [player for player in self.skills if player not in self.away]

    def online(self, count: int) -> list[str]:
        """Who takes part in a session of that many players."""
        names = self.present
        weights = np.array([self.busy[player] for player in names])
        picked = self.chance.choice(
            len(names), min(count, len(names)), replace=False, p=weights / weights.sum()
        )
        return [names[index] for index in picked]

    def session(self, online: list[str], times: np.ndarray) -> list[Kill]:
        """Kills at these times between random pairs of those who are online."""
        size = len(online)
        first = self.chance.integers(0, size, len(times))
        second = (first + self.chance.integers(1, size, len(times))) % size
        lots = self.chance.random(len(times))
        return [
            self.duel(online[one], online[other], float(time), float(lot))
            for one, other, time, lot in zip(first, second, times, lots, strict=True)
        ]

    def duel(self, one: str, other: str, time: float, lot: float) -> Kill:
        """A fight of two; `lot`, from 0 to 1, decides."""
        wins = self.link(self.skills[one] - self.skills[other])
        if lot < wins:
            return Kill(one, other, time, wins)
        return Kill(other, one, time, 1.0 - wins)

    def share_below(self, player: str) -> float:
        """The true standing among those present: 0 for the weakest, 1 for the strongest."""
        others = [other for other in self.present if other != player]
        mine = self.skills[player]
        return sum(self.skills[other] < mine for other in others) / max(1, len(others))
