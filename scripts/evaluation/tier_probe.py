"""Tiers while a system goes through a stream: how steady, how right and how full they are."""

from __future__ import annotations

import math

import numpy as np

from evaluation.arena import DAY, Kill
from evaluation.stream import Stream
from evaluation.systems import Adr, System
from evaluation.tiering import Activity, Tiers, deserved, distance

P_MIN = 20


class Tiering:
    """Plain tiers for everybody, and beside them the tiers that ADR itself gives (6.4).

    Boundaries move once a day. Only the test part counts. A change per 100 events of a player; an
    error in tiers, against those of true skill among the active; a distance as of `tiering`.
    """

    def __init__(self, stream: Stream, system: System) -> None:
        self.stream = stream
        self.system = system
        self.activity = Activity()
        self.plain = Tiers()
        self.next_day = stream.kills[0].time + DAY
        self.plain_before = 0
        self.own_changes = 0
        self.errors: list[float] = []
        self.distances: list[float] = []
        self.own_errors: list[float] = []
        self.own_distances: list[float] = []

    def before(self, index: int, kill: Kill) -> None:
        if index == self.stream.split:
            self.plain_before = self.plain.changes
        if kill.time >= self.next_day:
            self.next_day += DAY * math.ceil((kill.time - self.next_day + 1.0) / DAY)
            self._calibrate(index, kill.time, testing=index >= self.stream.split)

    def after(self, index: int, kill: Kill) -> None:
        for player in (kill.killer, kill.victim):
            self.activity.note(player, kill.time)
            self.plain.place(player, self.system.rating(player))
        if index >= self.stream.split and isinstance(self.system, Adr) and self.system.outcome:
            moves = self.system.outcome.tier_changes
            self.own_changes += sum(move.before is not None for move in moves)

    def _calibrate(self, index: int, time: float, *, testing: bool) -> None:
        active = self.activity.active(time)
        if len(active) >= P_MIN:
            self.plain.calibrate({player: self.system.rating(player) for player in active})
        if isinstance(self.system, Adr):
            moves = self.system.ladder.recalibrate(time).tier_changes
            if testing:
                self.own_changes += sum(move.before is not None for move in moves)
        if not testing or not self.plain.boundaries:
            return
        truth = self.stream.truth(index)
        due = deserved({player: truth[player] for player in active})
        tiers = {player: self.plain.of[player] for player in active}
        _judge(tiers, due, self.errors, self.distances)
        if isinstance(self.system, Adr):
            ladder = self.system.ladder
            known = {player: ladder.player(player).tier for player in active}
            own = {player: tier for player, tier in known.items() if tier is not None}
            _judge(own, due, self.own_errors, self.own_distances)

    def values(self) -> dict[str, float]:
        tested = 2.0 * (len(self.stream.kills) - self.stream.split)
        values = {
            "tier changes": 100.0 * (self.plain.changes - self.plain_before) / tested,
            "tier error": _mean(self.errors),
            "tier distance": _mean(self.distances),
        }
        if isinstance(self.system, Adr):
            values["own tier changes"] = 100.0 * self.own_changes / tested
            values["own tier error"] = _mean(self.own_errors)
            values["own tier distance"] = _mean(self.own_distances)
        return values


def _judge(
    tiers: dict[str, int], due: dict[str, int], errors: list[float], distances: list[float]
) -> None:
    if tiers:
        errors.append(float(np.mean([abs(tier - due[who]) for who, tier in tiers.items()])))
        distances.append(distance(list(tiers.values())))


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else math.nan
