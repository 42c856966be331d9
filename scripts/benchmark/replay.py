"""A long log rated again: by the ladder as fast as it can, and beside it the live path.

All ways must end in the very same state, to the last bit.
"""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import adr_core
from benchmark import world
from benchmark.compiled import compiled_core
from benchmark.measure import Tick
from plugin_bridge.history.replay import CHUNK, Replay
from plugin_bridge.store.rows import LogEntry

Run = Callable[[list[world.Kill]], tuple[float, str]]
"""Rates all kills on a new ladder; the CPU seconds it took, and a mark of the end state."""


def run(kills: int, players: int, *, rounds: int, folder: Path, tick: Tick) -> dict[str, Any]:
    """Events a second for every way, the best of the rounds, which take turns."""
    ways: dict[str, Run] = {
        "live, interpreted": lambda some: _live(adr_core, some),
        "replay, interpreted": lambda some: _replay(adr_core, some),
        "replay of log entries, interpreted": _entries,
    }
    core = compiled_core(folder)
    if isinstance(core, ModuleType):
        ways["live, compiled"] = lambda some: _live(core, some)
        ways["replay, compiled"] = lambda some: _replay(core, some)
    stream = world.Stream(players).take(kills)
    gc.freeze()  # a garbage collector that goes through the kills to come is not what is measured
    rates: dict[str, list[float]] = {name: [] for name in ways}
    marks: set[str] = set()
    for number in range(rounds):
        for name, way in ways.items():
            took, mark = way(stream)
            rates[name].append(kills / took)
            marks.add(mark)
            tick(f"{name}, round {number + 1} of {rounds}")
    return {
        "kills": kills,
        "players": players,
        "equal": len(marks) == 1,
        "rates": {name: sorted(each)[len(each) // 2] for name, each in rates.items()},
    }


def _live(core: ModuleType, kills: list[world.Kill]) -> tuple[float, str]:
    ladder = core.Ladder(core.Parameters.consistent())
    began = time.process_time()
    for kill in kills:
        ladder.kill(*kill)
    return time.process_time() - began, _mark(ladder)


def _replay(core: ModuleType, kills: list[world.Kill]) -> tuple[float, str]:
    ladder = core.Ladder(core.Parameters.consistent())
    began = time.process_time()
    ladder.replay(kills)
    return time.process_time() - began, _mark(ladder)


def _entries(kills: list[world.Kill]) -> tuple[float, str]:
    """The way of `adr-bridge replay`, but for reading from the disk."""
    replay = Replay()
    replay._arena.ladders["main"] = adr_core.Ladder(adr_core.Parameters.consistent())
    entries = [
        LogEntry(
            position=number,
            lane=1,
            seq=number,
            kind="kill",
            time=time,
            received=time,
            ladder="main",
            killer=killer,
            victim=victim,
        )
        for number, (killer, victim, time) in enumerate(kills, start=1)
    ]
    began = time.process_time()
    for at in range(0, len(entries), CHUNK):
        replay.take(entries[at : at + CHUNK])
    return time.process_time() - began, _mark(replay._arena.ladders["main"])


def _mark(ladder: Any) -> str:
    return hashlib.sha256(ladder.dump().to_json().encode()).hexdigest()
