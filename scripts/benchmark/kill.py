"""One rated kill, rank index and outcome included: interpreted, compiled, in C, in libraries."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import adr_core
from benchmark import world
from benchmark.c_floor import Floor, compiled
from benchmark.compiled import compiled_core
from benchmark.libraries import FightMaker
from benchmark.measure import Reading, Tick, interleaved

INTERPRETED, COMPILED, C = "interpreted", "compiled", "C"
Maker = Callable[[], Callable[[], int]]
"""Makes what does one block of kills."""


def run(
    sizes: tuple[int, ...],
    libraries: dict[str, FightMaker],
    *,
    rounds: int,
    folder: Path,
    tick: Tick,
) -> dict[str, Any]:
    """Readings by number of players; the libraries play with the fewest."""
    core, library = compiled_core(folder), compiled(folder)
    notes = [why for why in (core, library) if isinstance(why, str)]
    results: dict[str, Any] = {"notes": notes, "sizes": {}}
    for size in sizes:
        kills = world.Stream(size).take((rounds + 1) * _block(size))
        makers: dict[str, Maker] = {INTERPRETED: partial(_ladder, adr_core, size, kills)}
        if isinstance(core, ModuleType):
            makers[COMPILED] = partial(_ladder, core, size, kills)
        if not isinstance(library, str):
            makers[C] = partial(_floor, library, size, kills)
        if size == min(sizes):
            for name, maker in libraries.items():
                makers[name] = partial(_library, maker, size, kills)
        results["sizes"][size] = _measured(makers, size, rounds, tick)
    return results


def _block(size: int) -> int:
    return 10_000 if size <= 1_000 else 20_000


def _measured(makers: dict[str, Maker], size: int, rounds: int, tick: Tick) -> dict[str, Reading]:
    """All at once where they fit into memory side by side; a million players do not."""

    def told(what: str) -> None:
        tick(f"{size:,} players, {what}")

    if size < 1_000_000:
        return interleaved({n: make() for n, make in makers.items()}, rounds=rounds, tick=told)
    readings: dict[str, Reading] = {}
    for name, make in makers.items():
        readings |= interleaved({name: make()}, rounds=rounds, tick=told)
        gc.collect()
    return readings


def _ladder(core: ModuleType, size: int, kills: list[world.Kill]) -> Callable[[], int]:
    rate = world.ladder(core, size).kill
    return _in_blocks(kills, _block(size), lambda kill: rate(*kill))


def _library(maker: FightMaker, size: int, kills: list[world.Kill]) -> Callable[[], int]:
    return _in_blocks(kills, _block(size) // 5, maker(world.names(size)))


def _in_blocks(
    kills: list[world.Kill], size: int, one: Callable[[world.Kill], object]
) -> Callable[[], int]:
    place = 0

    def block() -> int:
        nonlocal place
        some = kills[place : place + size]
        place += size
        for kill in some:
            one(kill)
        return len(some)

    return block


def _floor(library: Any, size: int, kills: list[world.Kill]) -> Callable[[], int]:
    """Checks first, on kills of its own, that it is the same arithmetic."""
    check_floor(library)
    floor, step, place = Floor(library, size), _block(size), 0
    blocks = [floor.block(kills[at : at + step]) for at in range(0, len(kills), step)]

    def block() -> int:
        nonlocal place
        place += 1
        return blocks[place - 1].run()

    return block


def check_floor(library: Any, *, players: int = 2_000, kills: int = 500) -> None:
    """Raises AssertionError unless C foretells every kill as the ladder does, to 1e-9.

    Over so few kills nobody leaves or joins the active set and no pair meets again too soon.
    """
    some = world.Stream(players).take(kills)
    block = Floor(library, players).block(some)
    block.run()
    ladder = world.ladder(adr_core, players)
    for number, (kill, chance) in enumerate(zip(some, block.chances, strict=True)):
        expected = ladder.kill(*kill).probability
        assert expected is not None and math.isclose(chance, expected, rel_tol=1e-9), number
