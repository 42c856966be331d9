"""Every system with the settings that predict best on streams of its own, for a fair comparison."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adr_core import Parameters
from evaluation.measure import measured
from evaluation.stream import Setting, simulate
from evaluation.study import Tick
from evaluation.systems import Adr, DynamicElo, Elo, Glicko2, Maker, OpenSkill, System, TrueSkill

LEARNING_SEEDS = 1000
"""Added to the seeds that settings are chosen on, so that nothing is chosen and judged alike."""


@dataclass(frozen=True)
class Grid:
    """A system and the values that are tried for each of its settings."""

    make: Callable[..., System]
    tried: dict[str, Sequence[float]]

    def settings(self) -> list[dict[str, float]]:
        combined = itertools.product(*self.tried.values())
        return [dict(zip(self.tried, values, strict=True)) for values in combined]


@dataclass(frozen=True)
class Choice:
    """The best settings and the mean log loss of all that were tried, in the order of the grid."""

    settings: dict[str, float]
    losses: list[tuple[dict[str, float], float]]
    make: Maker


def adr(**settings: float) -> System:
    """`consistent` with some parameters changed: a candidate, not one of the two presets."""
    return Adr(replace(Parameters.consistent(), **settings))


def grids(*, quick: bool = False) -> dict[str, Grid]:
    """What is tried. The quick form has the ends and the middle of everything."""
    rating = 25.0 / 6.0
    change = 25.0 / 300.0
    skill = {"beta": (0.5 * rating, rating, 2.0 * rating)}
    skill["tau"] = (0.5 * change, change, 2.0 * change)
    whole = {
        "ADR tuned": Grid(
            adr,
            {
                "c_loss": (0.8, 1.0),
                "tau": (30.0, 365.0),
                "eta_max": (20.0, 40.0),
                "theta": (100.0, 200.0, 400.0),
            },
        ),
        "Elo": Grid(Elo, {"k": (6.0, 8.0, 12.0, 16.0, 24.0, 32.0)}),
        "Elo dynamic K": Grid(DynamicElo, {"k": (6.0, 8.0, 12.0, 16.0), "fall": (0.02, 0.05, 0.1)}),
        "Glicko-2": Grid(Glicko2, {"tau": (0.2, 0.5, 1.0), "volatility": (0.03, 0.06, 0.12)}),
        "TrueSkill": Grid(TrueSkill, skill),
        "OpenSkill": Grid(OpenSkill, skill),
    }
    if not quick:
        return whole
    return {
        name: Grid(grid.make, {setting: _few(values) for setting, values in grid.tried.items()})
        for name, grid in whole.items()
    }


def _few(values: Sequence[float]) -> list[float]:
    return sorted({values[0], values[len(values) // 2], values[-1]})


def steps(seeds: int, *, quick: bool = False) -> int:
    return seeds * sum(len(grid.settings()) for grid in grids(quick=quick).values())


def tuned(setting: Setting, seeds: int, tick: Tick, *, quick: bool = False) -> dict[str, Choice]:
    """The best settings of every system, by the log loss of the test parts of learning seeds."""
    streams = [simulate(setting, LEARNING_SEEDS + seed) for seed in range(1, 1 + seeds)]
    choices: dict[str, Choice] = {}
    for name, grid in grids(quick=quick).items():
        losses: list[tuple[dict[str, float], float]] = []
        for settings in grid.settings():
            found: list[float] = []
            for stream in streams:
                run = measured(stream, grid.make(**settings), predictions_only=True)
                found.append(run.values["log loss"])
                tick(f"{name}")
            losses.append((settings, float(np.mean(found))))
        best = min(losses, key=lambda one: one[1])[0]
        choices[name] = Choice(best, losses, _maker(grid, best))
    return choices


def _maker(grid: Grid, settings: dict[str, float]) -> Maker:
    return lambda: grid.make(**settings)
