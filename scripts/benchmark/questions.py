"""What is asked of a big ladder, in the core itself: ranks, boards, calibrations, contests."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import adr_core
from benchmark import world
from benchmark.compiled import compiled_core
from benchmark.measure import Reading, Tick, interleaved


def run(players: int, contestants: int, *, rounds: int, folder: Path, tick: Tick) -> dict[str, Any]:
    """Readings by question, interpreted and, where there is one, compiled."""
    results: dict[str, Any] = {"players": players, "contestants": contestants}
    core = compiled_core(folder)
    for name, form in {"interpreted": adr_core, "compiled": core}.items():
        if isinstance(form, ModuleType):
            results[name] = _asked(form, players, contestants, rounds, tick)
    return results


def _asked(
    core: ModuleType, players: int, contestants: int, rounds: int, tick: Tick
) -> dict[str, Reading | float]:
    began = time.process_time()
    ladder = world.ladder(core, players)
    loaded = time.process_time() - began
    draw = random.Random(3)
    some = draw.sample(world.names(players), 200)
    field = [
        core.Standing(name, draw.uniform(1_500.0, 2_500.0), draw.randrange(50), draw.random())
        for name in world.names(contestants)
    ]

    def repeated(one: Callable[[str], object]) -> Callable[[], int]:
        def block() -> int:
            for name in some:
                one(name)
            return len(some)

        return block

    now = world.NOW

    def calibrate() -> int:
        nonlocal now
        now += 3_600.0
        ladder.recalibrate(now)
        return 1

    def contest() -> int:
        core.rate_contest(field)
        return 1

    blocks = {
        "rank": repeated(ladder.rank),
        "top 10": repeated(lambda _: ladder.top(10)),
        "calibration": calibrate,
        "contest": contest,
    }
    return {"made and loaded": loaded, **interleaved(blocks, rounds=rounds, tick=tick)}
