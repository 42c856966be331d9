"""The small form: a few ratios, each the better the greater, to be held against kept ones."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path
from statistics import median
from types import ModuleType

import adr_core
from benchmark import throughput, world
from benchmark.c_floor import Floor
from benchmark.c_floor import compiled as compiled_floor
from benchmark.floors import rewritten
from benchmark.libraries import openskill_fight
from benchmark.measure import interleaved
from benchmark.serving import serving

PLAYERS = 1_000
BLOCK = 3_000
ROUNDS = 9
DURABLE_KILLS = 8_000


def core_ratios(compiled: ModuleType, folder: Path) -> dict[str, float]:
    """One kill, live and replayed, interpreted and compiled, beside openskill and beside C.

    The least of the rounds is taken: a busy machine adds to a time, and never takes away.
    """
    library = compiled_floor(folder)
    if isinstance(library, str):
        raise RuntimeError(library)
    kills = world.Stream(PLAYERS).take((ROUNDS + 1) * BLOCK)
    floor = Floor(library, PLAYERS)
    fight = openskill_fight(world.names(PLAYERS))

    def one_by_one(one: Callable[[world.Kill], object]) -> Callable[[list[world.Kill]], object]:
        return lambda some: [one(kill) for kill in some]

    def live(core: ModuleType) -> Callable[[list[world.Kill]], object]:
        rate = world.ladder(core, PLAYERS).kill
        return one_by_one(lambda kill: rate(*kill))

    ways = {
        "live": live(adr_core),
        "live compiled": live(compiled),
        "replay compiled": world.ladder(compiled, PLAYERS).replay,
        "openskill": one_by_one(fight),
        "C": lambda some: floor.block(some).run(),
    }
    took = {
        name: seen.least
        for name, seen in interleaved(
            {name: _blocks(way, kills) for name, way in ways.items()},
            rounds=ROUNDS,
            tick=lambda _: None,
        ).items()
    }
    return {
        "openskill / one kill": took["openskill"] / took["live"],
        "openskill / one kill, compiled": took["openskill"] / took["live compiled"],
        "one kill / the same, compiled": took["live"] / took["live compiled"],
        "one kill / one replayed, compiled": took["live"] / took["replay compiled"],
        "C / one kill, compiled": took["C"] / took["live compiled"],
    }


def durable_ratio(folder: Path, *, rounds: int = 3) -> dict[str, float]:
    """Kills that a daemon makes durable, beside bare sqlite3 with the same rows."""
    seen = []
    for number in range(rounds):
        home = folder / f"durable-{number}"
        frames = throughput.frames(DURABLE_KILLS, seed=number)
        with serving(home, ["s"]) as daemon:
            took, acks = asyncio.run(throughput.pipelined(daemon, ["s"], frames))
        batch = max(1, round(DURABLE_KILLS / acks))
        seen.append(rewritten(daemon.database, home / "floor.sqlite3", batch) / took)
    gc.collect()
    return {"durable kills / bare sqlite3": median(seen)}


def _blocks(
    way: Callable[[list[world.Kill]], object], kills: list[world.Kill]
) -> Callable[[], int]:
    place = 0

    def block() -> int:
        nonlocal place
        way(kills[place : place + BLOCK])
        place += BLOCK
        return BLOCK

    return block
