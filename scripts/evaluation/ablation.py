"""What each switch of the calibrated preset is worth: the preset without it, tuned anew."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from adr_core import Ladder, Parameters
from evaluation.long import calm
from evaluation.measure import measured
from evaluation.stream import Setting, simulate
from evaluation.study import Tick
from evaluation.systems import PRESETS, Adr
from evaluation.tables import number, table
from evaluation.tune import LEARNING_SEEDS

WITHOUT: Final[dict[str, dict[str, Any]]] = {
    "nothing changed": {},
    "link: arctangent": {"link": "arctangent"},
    "peak_power: 1": {"peak_power": 1.0},
    "evidence: event": {"evidence": "event", "gamma": 880.0},
    "trend_noise: 0 (the squared change)": {"trend_noise": 0.0},
    "gamma_phi: 0": {"gamma_phi": 0.0},
    "pair_limit: 0": {"pair_limit": 0.0},
    "recentring: 0": {"recentring": 0.0},
}
FACTORS: Final = (0.6, 1.0, 1.6)
"""By which the learning rate and the observation noise are multiplied, each with each."""


def candidates(changes: dict[str, Any]) -> list[Parameters]:
    """The preset with these changes, faster and slower, with more and less faith in an event."""
    base = replace(PRESETS["calibrated"], **changes)
    return [
        replace(base, eta_max=base.eta_max * fast, gamma=base.gamma * doubt)
        for fast in FACTORS
        for doubt in FACTORS
    ]


def steps(seeds: int) -> int:
    return len(WITHOUT) * (len(FACTORS) ** 2 + seeds + 1)


def ablated(
    setting: Setting, seeds: list[int], long_kills: int, tick: Tick
) -> dict[str, dict[str, Any]]:
    """For each: log loss above truth by seed, the mean rating after a long run, what was chosen."""
    learning = simulate(setting, LEARNING_SEEDS + 1)
    streams = [simulate(setting, seed) for seed in seeds]
    long = simulate(calm(setting.players, long_kills), 1)
    found: dict[str, dict[str, Any]] = {}
    for name, changes in WITHOUT.items():
        told = partial(tick, f"without: {name}")
        losses = []
        for one in candidates(changes):
            run = measured(learning, Adr(one), predictions_only=True)
            losses.append((run.values["log loss"], one))
            told()
        best = min(losses, key=lambda tried: tried[0])[1]
        excess, floor = [], []
        for stream in streams:
            run = measured(stream, Adr(best), predictions_only=True)
            excess.append(run.values["excess"])
            floor.append(run.values["floor"])
            told()
        ladder = Ladder(best)
        ladder.replay((kill.killer, kill.victim, kill.time) for kill in long.kills)
        mean = float(np.mean([ladder.player(player).mu for player in ladder.players]))
        told()
        chosen = {"eta_max": best.eta_max, "gamma": best.gamma}
        found[name] = {"excess": excess, "floor": floor, "mean": mean, **chosen}
    return found


def ablation_section(found: dict[str, dict[str, Any]], seeds: int, long_kills: int) -> str:
    whole = np.array(next(iter(found.values()))["excess"])
    rows = []
    for name, one in found.items():
        lost = np.array(one["excess"]) - whole
        error = float(np.std(lost, ddof=1) / len(lost) ** 0.5) if len(lost) > 1 else float("nan")
        rows.append(
            [
                name,
                number(float(np.mean(one["excess"])), 4),
                f"{float(np.mean(lost)):+.4f} ± {number(error, 4)}",
                number(one["mean"], 0),
            ]
        )
    heads = ["", "log loss above truth", "lost by it, ± standard error", "mean rating in the end"]
    floor = number(float(np.mean(next(iter(found.values()))["floor"])), 4)
    return f"""## What each switch of `calibrated` is worth

The preset without one switch at a time, learning rate and observation noise chosen anew on a stream
of its own; {seeds} seeds, on which the truth has a log loss of {floor} (the floor). The last
column: after {long_kills:,} kills of players who never change.

{table(heads, rows)}
"""
