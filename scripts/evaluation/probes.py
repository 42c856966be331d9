"""What is watched while a system goes through a stream; each probe gives some measures of 10.3."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from evaluation import scores
from evaluation.arena import Kill
from evaluation.stream import Change, Stream
from evaluation.systems import Adr, System

AFTER_RETURN = 50
"""Events after an absence that are watched."""

CONVERGED = (0.8, 0.9)
"""Rank correlations with true skill that count as converged."""


class Probe(Protocol):
    """Sees the system just before and just after every kill, and must not change it."""

    def before(self, index: int, kill: Kill) -> None: ...

    def after(self, index: int, kill: Kill) -> None: ...

    def values(self) -> dict[str, float]: ...


def standing(system: System, player: str, present: list[str]) -> float:
    """The share of the others who are rated lower, ties counted half."""
    mine = system.rating(player)
    others = [system.rating(other) for other in present if other != player]
    below = sum((other < mine) + 0.5 * (other == mine) for other in others)
    return below / max(1, len(others))


def spread(system: System, present: list[str]) -> float:
    """The standard deviation of the ratings, which makes scales comparable."""
    return float(np.std([system.rating(player) for player in present])) or 1.0


def change_by_kill(system: System, player: str, kill: Kill, before: float) -> float:
    """The change without the decay of an absence, which ADR applies together with it."""
    if isinstance(system, Adr) and system.outcome is not None:
        outcome = system.outcome
        return outcome.attacker_change if player == kill.killer else outcome.victim_change
    return system.rating(player) - before


class Convergence:
    """Rank correlation with true skill among those present, twice per event of a mean player."""

    def __init__(self, stream: Stream, system: System) -> None:
        self.stream = stream
        self.system = system
        self.every = max(1, len(stream.players) // 4)
        self.curve: list[float] = []

    def before(self, index: int, kill: Kill) -> None:
        pass

    def after(self, index: int, kill: Kill) -> None:
        if index % self.every != self.every - 1:
            return
        present, truth = self.stream.present(index), self.stream.truth(index)
        ratings = np.array([self.system.rating(player) for player in present])
        skills = np.array([truth[player] for player in present])
        self.curve.append(scores.rank_correlation(ratings, skills))

    def values(self) -> dict[str, float]:
        curve = np.array(self.curve)
        number = 1 + np.arange(len(curve))
        events = 2.0 * self.every * number / len(self.stream.players)
        trained = curve[number * self.every <= self.stream.split]
        values = {"rank correlation": float(trained[-max(1, len(trained) // 10) :].mean())}
        for level in CONVERGED:
            there = np.flatnonzero(curve >= level)
            values[f"events to {level}"] = float(events[there[0]]) if len(there) else math.inf
        return values


class Jumps:
    """Events until somebody whose skill jumped has half of the way to the new standing behind."""

    def __init__(self, stream: Stream, system: System) -> None:
        self.stream = stream
        self.system = system
        self.waiting = {c.player: c for c in stream.changes if c.kind == "jump"}
        self.events = dict.fromkeys(self.waiting, 0)
        self.delays = dict.fromkeys(self.waiting, math.inf)

    def before(self, index: int, kill: Kill) -> None:
        pass

    def after(self, index: int, kill: Kill) -> None:
        for player in (kill.killer, kill.victim):
            change = self.waiting.get(player)
            if change is None or index < change.index:
                continue
            self.events[player] += 1
            half = 0.5 * (change.standing_before + change.standing_after)
            if standing(self.system, player, self.stream.present(index)) >= half:
                self.delays[player] = self.events[player]
                del self.waiting[player]

    def values(self) -> dict[str, float]:
        return {"jump delay": float(np.median(list(self.delays.values())))} if self.delays else {}


class Returns:
    """The greatest visible changes after an absence, in spreads of the ratings at that time."""

    def __init__(self, stream: Stream, system: System) -> None:
        self.stream = stream
        self.system = system
        self.back: dict[str, Change] = {}
        self.units: dict[str, float] = {}
        self.earlier: dict[str, float] = {}
        self.seen: dict[str, list[float]] = {}
        self.by_kill: dict[str, list[float]] = {}

    def before(self, index: int, kill: Kill) -> None:
        for change in self.stream.changes:
            if change.index == index and change.kind in ("strong", "weak"):
                self.back[change.player] = change
        for player in (kill.killer, kill.victim):
            if player in self.back:
                self.earlier[player] = self.system.rating(player)
                if player not in self.units:
                    self.units[player] = spread(self.system, self.stream.present(index))

    def after(self, index: int, kill: Kill) -> None:
        for player in (kill.killer, kill.victim):
            seen = self.seen.setdefault(player, []) if player in self.back else None
            if seen is None or len(seen) >= AFTER_RETURN:
                continue
            unit, earlier = self.units[player], self.earlier[player]
            seen.append(abs(self.system.rating(player) - earlier) / unit)
            alone = change_by_kill(self.system, player, kill, earlier)
            self.by_kill.setdefault(player, []).append(abs(alone) / unit)

    def values(self) -> dict[str, float]:
        values: dict[str, float] = {}
        for kind in ("strong", "weak"):
            who = [player for player, change in self.back.items() if change.kind == kind]
            who = [player for player in who if self.seen.get(player)]
            if who:
                values[f"{kind} return"] = float(np.mean([max(self.seen[p]) for p in who]))
                largest = [max(self.by_kill[player]) for player in who]
                values[f"{kind} return by kill"] = float(np.mean(largest))
        return values


class Farms:
    """What staged kills bring the farmer: spreads of the ratings, and places in a hundred."""

    def __init__(self, stream: Stream, system: System) -> None:
        self.stream = stream
        self.system = system
        self.first = {first: who for who, _, first, _ in stream.farms}
        self.last = {last: who for who, _, _, last in stream.farms}
        self.start: dict[str, tuple[float, float, float]] = {}
        self.rises: list[float] = []
        self.places: list[float] = []

    def before(self, index: int, kill: Kill) -> None:
        if who := self.first.get(index):
            present = self.stream.present(index)
            place = standing(self.system, who, present)
            self.start[who] = (self.system.rating(who), place, spread(self.system, present))

    def after(self, index: int, kill: Kill) -> None:
        if who := self.last.get(index):
            rating, place, unit = self.start[who]
            self.rises.append((self.system.rating(who) - rating) / unit)
            now = standing(self.system, who, self.stream.present(index))
            self.places.append(100.0 * (now - place))

    def values(self) -> dict[str, float]:
        if not self.rises:
            return {}
        return {
            "farm rise": float(np.mean(self.rises)),
            "farm places": float(np.mean(self.places)),
        }
