"""A population with a past, and a stream of kills in it; the same for every form of the core."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

DAY = 86_400.0
NOW = 1_700_000_000.0
ACTIVE = 0.9
"""Share of the players who have fought in the last days."""

Kill = tuple[str, str, float]


def names(players: int) -> list[str]:
    return [f"p{number:07}" for number in range(players)]


def states(core: ModuleType, players: int, seed: int = 1) -> Any:
    """Everybody's state, with full windows and tiers, as a LadderState of that core."""
    draw = random.Random(seed)
    p = core.Parameters.consistent()
    boundaries = core.Ladder(p).boundaries
    crowd = []
    for name in names(players):
        mu = min(p.mu_max, max(p.mu_min, draw.gauss(1_000.0, 250.0)))
        ago = draw.uniform(0.0, 2.0) if draw.random() < ACTIVE else draw.uniform(8.0, 50.0)
        last = NOW - ago * DAY
        state = core.PlayerState(
            mu=mu,
            sigma=draw.uniform(40.0, 150.0),
            streak=draw.randrange(4),
            trend=draw.uniform(-0.3, 0.3),
            pool=0.0,
            events=draw.randrange(20, 2_000),
            last_event=last,
            window=tuple([draw.uniform(0.0, 30.0) for _ in range(p.window)]),
            tier=1 + sum(mu < boundary for boundary in boundaries),
            promotion=0.0,
            demotion=0.0,
            recent=tuple([last - 3_600.0 * back for back in reversed(range(p.n_active))]),
            returning=0,
        )
        crowd.append((name, state))
    return core.LadderState(players=tuple(crowd), clock=NOW)


def ladder(core: ModuleType, players: int) -> Any:
    """A ladder of that core with these players, under the consistent preset."""
    return core.Ladder.load(core.Parameters.consistent(), states(core, players))


class Stream:
    """Kills between players drawn evenly, which is the worst case for every cache.

    There are as many a day as give each player about one fight in 20 hours.
    """

    def __init__(self, players: int, seed: int = 2) -> None:
        self._names = names(players)
        self._draw = random.Random(seed)
        self._gap = 150_000.0 / players
        self._now = NOW

    def take(self, count: int) -> list[Kill]:
        kills = []
        for _ in range(count):
            killer, victim = self._draw.sample(self._names, 2)
            self._now += self._gap
            kills.append((killer, victim, self._now))
        return kills
