"""10.4 and 10.5: one stream of kills with its injected events, cut into training and test."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from evaluation.arena import DAY, START, Arena, Kill

SESSION_KILLS = 50
ONLINE = 12
TEST_FROM = 0.5
"""The share of the stream that is training."""


@dataclass(frozen=True)
class Setting:
    """What is simulated. Counts of people are for each stream."""

    players: int = 100
    kills: int = 40_000
    days: float = 100.0
    link: str = "logistic"
    jumpers: int = 4
    jump: float = 400.0
    strong: int = 3
    strong_gain: float = 300.0
    weak: int = 3
    weak_loss: float = 300.0
    farmers: int = 2
    farmed: int = 150


@dataclass(frozen=True)
class Change:
    """At this kill number a player's skill becomes another. kind: jump, strong or weak."""

    index: int
    player: str
    kind: str
    standing_before: float
    standing_after: float


@dataclass(frozen=True)
class Stream:
    """Kills in the order of their times, and everything known about them.

    split: the first kill of the test part. mirrored: kills that are shown to the metrics from the
    victim's side, so that the outcome to be predicted is not always 1. skills: the true ones in
    every era; an era begins at a kill number of `eras`. away: who is absent in it.
    farms: (farmer, accomplice) with the numbers of their first and last staged kill.
    """

    setting: Setting
    kills: list[Kill]
    split: int
    mirrored: np.ndarray
    eras: list[int]
    skills: list[dict[str, float]]
    away: list[frozenset[str]]
    changes: list[Change]
    farms: list[tuple[str, str, int, int]]

    @property
    def players(self) -> list[str]:
        return list(self.skills[0])

    def era(self, index: int) -> int:
        return bisect_right(self.eras, index) - 1

    def present(self, index: int) -> list[str]:
        away = self.away[self.era(index)]
        return [player for player in self.players if player not in away]

    def truth(self, index: int) -> dict[str, float]:
        return self.skills[self.era(index)]


def simulate(setting: Setting, seed: int) -> Stream:
    """A stream that follows from setting and seed alone."""
    arena = Arena.of(setting.players, seed, setting.link)
    roles = _roles(setting, arena)
    sessions = max(20, setting.kills // SESSION_KILLS)
    plan = _plan(setting, roles, sessions)
    gap = setting.days * DAY / sessions
    kills: list[Kill] = []
    eras, skills, away = [0], [dict(arena.skills)], [frozenset[str]()]
    changes: list[Change] = []
    farms: list[tuple[str, str, int, int]] = []
    for number in range(sessions):
        started = START + number * gap
        todo = plan.get(number, [])
        if todo and todo[0][0] == "farm":  # two have the arena to themselves
            farmer = todo[0][1]
            accomplice = roles["accomplice"][roles["farm"].index(farmer)]
            count = min(setting.farmed, int(gap / 61.0))
            farms.append((farmer, accomplice, len(kills), len(kills) + count - 1))
            kills += _staged(farmer, accomplice, started, count)
            continue
        for kind, player in todo:
            before = arena.share_below(player)
            _apply(kind, player, arena, setting)
            eras.append(len(kills))
            skills.append(dict(arena.skills))
            away.append(frozenset(arena.away))
            if kind != "leave":
                after = arena.share_below(player)
                changes.append(Change(len(kills), player, kind, before, after))
        size = setting.kills * (number + 1) // sessions - setting.kills * number // sessions
        waits = arena.chance.exponential(36.0, size)
        times = started + np.cumsum(waits) * min(1.0, 0.5 * gap / waits.sum())
        kills += arena.session(arena.online(ONLINE), times)
    mirrored = arena.chance.random(len(kills)) < 0.5
    split = next(
        i for i, kill in enumerate(kills) if kill.time >= START + TEST_FROM * setting.days * DAY
    )
    return Stream(setting, kills, split, mirrored, eras, skills, away, changes, farms)


def _roles(setting: Setting, arena: Arena) -> dict[str, list[str]]:
    """Who will do what: people from the lower two thirds, except that the weak fall from above."""
    ranked = sorted(arena.skills, key=arena.skills.__getitem__)
    third = len(ranked) // 3
    low = list(arena.chance.permutation(ranked[: 2 * third]))
    high = list(arena.chance.permutation(ranked[2 * third :]))
    counts = {"jump": setting.jumpers, "strong": setting.strong, "farm": setting.farmers}
    counts["accomplice"] = setting.farmers
    roles = {"weak": [str(player) for player in high[: setting.weak]]}
    for role, count in counts.items():
        roles[role] = [str(player) for player in low[:count]]
        low = low[count:]
    for player in (*roles["jump"], *roles["strong"], *roles["weak"]):
        arena.busy[player] = max(1.0, arena.busy[player])  # or there would be little to measure
    return roles


def _plan(
    setting: Setting, roles: dict[str, list[str]], sessions: int
) -> dict[int, list[tuple[str, str]]]:
    """What happens before which session. Absences last 62 % of the stream."""
    plan: dict[int, list[tuple[str, str]]] = {}

    def at(share: float, kind: str, player: str) -> None:
        plan.setdefault(int(share * sessions), []).append((kind, player))

    for order, player in enumerate(roles["jump"]):
        at(0.55 + 0.03 * order, "jump", player)
    for kind in ("strong", "weak"):
        for order, player in enumerate(roles[kind]):
            at(0.10 + 0.01 * order, "leave", player)
            at(0.72 + 0.01 * order, kind, player)
    for order, player in enumerate(roles["farm"]):
        at(0.80 + 0.04 * order, "farm", player)
    return plan


def _apply(kind: str, player: str, arena: Arena, setting: Setting) -> None:
    if kind == "leave":
        arena.away.add(player)
        return
    arena.away.discard(player)
    gains = {"jump": setting.jump, "strong": setting.strong_gain, "weak": -setting.weak_loss}
    arena.skills[player] += gains[kind]


def _staged(farmer: str, accomplice: str, started: float, count: int) -> list[Kill]:
    """Just outside the cooldown, as somebody who knows of it would do it."""
    return [Kill(farmer, accomplice, started + 61.0 * turn, 1.0, True) for turn in range(count)]
