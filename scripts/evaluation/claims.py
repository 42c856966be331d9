"""The claims of 7.2 and 7.3 as measurements, every system with the cooldown in front of it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evaluation.arena import DAY, START, Arena
from evaluation.probes import spread, standing
from evaluation.study import Tick
from evaluation.systems import Guarded, Maker, System

WARM = 10_000
"""Kills before anything happens."""

AWAY_DAYS = 90.0
WATCHED = 200
"""Events of the one who is watched."""


@dataclass
class World:
    """An arena and a system that rates it."""

    arena: Arena
    system: System
    time: float = START

    def play(self, kills: int, days: float) -> None:
        """Fair kills in sessions of fifty, spread over so many days."""
        for _ in range(kills // 50):
            times = self.time + np.cumsum(self.arena.chance.exponential(36.0, 50))
            for kill in self.arena.session(self.arena.online(12), times):
                self.system.observe(kill.killer, kill.victim, kill.time)
            self.time = max(float(times[-1]) + 1.0, self.time + days * DAY * 50 / kills)

    def fight(self, player: str) -> None:
        """A fair fight against somebody present, a minute after the last."""
        others = [other for other in self.arena.present if other != player]
        opponent = others[int(self.arena.chance.integers(len(others)))]
        self.time += 61.0
        kill = self.arena.duel(player, opponent, self.time, float(self.arena.chance.random()))
        self.system.observe(kill.killer, kill.victim, kill.time)

    def stage(self, killer: str, victim: str, wait: float = 61.0) -> None:
        self.time += wait
        self.system.observe(killer, victim, self.time)

    def standing(self, player: str) -> float:
        return standing(self.system, player, self.arena.present)

    def spread(self) -> float:
        return spread(self.system, self.arena.present)

    def by_skill(self) -> list[str]:
        return sorted(self.arena.present, key=self.arena.skills.__getitem__)


def rise(world: World, players: list[str], act: Callable[[], None]) -> tuple[float, float]:
    """What an act brings these players: spreads of the ratings, and places of 100; the means."""
    unit = world.spread()
    before = [(world.system.rating(player), world.standing(player)) for player in players]
    act()
    points, places = [], []
    for player, (rating, place) in zip(players, before, strict=True):
        points.append((world.system.rating(player) - rating) / unit)
        places.append(100.0 * (world.standing(player) - place))
    return float(np.mean(points)), float(np.mean(places))


def trading(world: World, wait: float) -> dict[str, float]:
    """Two middling accounts kill each other in turn, a hundred times each."""
    ranked = world.by_skill()
    one, other = ranked[len(ranked) // 2], ranked[len(ranked) // 2 + 1]

    def act() -> None:
        for _ in range(100):
            world.stage(one, other, wait)
            world.stage(other, one, wait)

    points, places = rise(world, [one, other], act)
    return {"rise": points, "places": places}


def feeding(world: World) -> dict[str, float]:
    """A middling account kills another one, two hundred times and never the other way round."""
    ranked = world.by_skill()
    fed, feeder = ranked[len(ranked) // 2], ranked[len(ranked) // 2 + 1]

    def act() -> None:
        for _ in range(WATCHED):
            world.stage(fed, feeder)

    points, places = rise(world, [fed], act)
    return {"rise": points, "places": places}


def fed_newcomer(world: World) -> dict[str, float]:
    """The same for a new account: the most that it ever stands above where it began."""
    feeder = world.by_skill()[len(world.by_skill()) // 2]
    unit, start = world.spread(), world.system.rating("newcomer")
    peak = start
    for _ in range(WATCHED):
        world.stage("newcomer", feeder)
        peak = max(peak, world.system.rating("newcomer"))
    return {"peak": (peak - start) / unit}


def many_victims(world: World) -> dict[str, float]:
    """Somebody from the upper third kills the weakest three tenths in turn, and never loses."""
    ranked = world.by_skill()
    farmer, victims = ranked[2 * len(ranked) // 3], ranked[: 3 * len(ranked) // 10]

    def act() -> None:
        for turn in range(WATCHED):
            world.stage(farmer, victims[turn % len(victims)])

    points, places = rise(world, [farmer], act)
    return {"rise": points, "places": places}


def until(world: World, player: str, enough: Callable[[float], bool]) -> float:
    """Fair fights until the standing is such, of the watched number at most."""
    for number in range(WATCHED):
        world.fight(player)
        if enough(world.standing(player)):
            return float(number + 1)
    return float("inf")


def smurf(world: World) -> dict[str, float]:
    """A new account of somebody better than all: how soon it is among the best tenth."""
    best = world.by_skill()[-1]
    world.arena.skills["smurf"] = world.arena.skills[best] + 100.0
    world.arena.busy["smurf"] = 1.0
    return {"events": until(world, "smurf", lambda place: place >= 0.9)}


def leave(world: World) -> tuple[str, float]:
    """The third best player by skill goes, the others play on; the standing it left with."""
    champion = world.by_skill()[-3]
    before = world.standing(champion)
    world.arena.away.add(champion)
    world.play(5_000, AWAY_DAYS)
    world.arena.away.discard(champion)
    return champion, before


def champion(world: World) -> dict[str, float]:
    """The champion comes back as good as before: the places it loses at once, and the way back."""
    player, before = leave(world)
    world.fight(player)
    lost = 100.0 * (before - world.standing(player))
    back = until(world, player, lambda place: place >= before - 0.05)
    return {"places lost": lost, "events": back}


def impostor(world: World) -> dict[str, float]:
    """Somebody weak comes back on the champion's account: how long it shines."""
    player, _ = leave(world)
    ranked = world.by_skill()
    world.arena.skills[player] = world.arena.skills[ranked[len(ranked) // 5]]
    return {"events": until(world, player, lambda place: place < 0.5)}


CLAIMS: dict[str, Callable[[World], dict[str, float]]] = {
    "trading": lambda world: trading(world, 61.0),
    "trading fast": lambda world: trading(world, 5.0),
    "feeding": feeding,
    "fed newcomer": fed_newcomer,
    "many victims": many_victims,
    "smurf": smurf,
    "champion": champion,
    "impostor": impostor,
}


def claimed(
    players: int, seeds: list[int], systems: dict[str, Maker], tick: Tick, *, warm: int = WARM
) -> dict[str, dict[str, list[float]]]:
    """A value of every measure for each seed, by system. Each claim begins in the same world."""
    values: dict[str, dict[str, list[float]]] = {}
    for seed in seeds:
        for name, make in systems.items():
            world = World(Arena.of(players, seed), Guarded(make()))
            world.play(warm, 20.0)
            for claim, act in CLAIMS.items():
                for measure, value in act(copy.deepcopy(world)).items():
                    known = values.setdefault(name, {}).setdefault(f"{claim}: {measure}", [])
                    known.append(value)
            tick(f"seed {seed}: {name}")
    return values
