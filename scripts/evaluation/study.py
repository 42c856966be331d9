"""10.5: every system goes through the same streams, one stream for each seed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaluation.measure import Run, foretold, measured, truth_of
from evaluation.stream import Setting, Stream, simulate
from evaluation.systems import Maker
from evaluation.through_time import NAME, looked_back

TRUTH = "truth"
Tick = Callable[[str], None]
"""Told what was just done."""


@dataclass
class Study:
    """The measures of every system, a value for each seed.

    bins: summed over the seeds; loss_curve, auc_curve, rank_curve: means over the seeds.
    """

    setting: Setting
    seeds: list[int]
    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    bins: dict[str, np.ndarray] = field(default_factory=dict)
    loss_curve: dict[str, list[float]] = field(default_factory=dict)
    auc_curve: dict[str, list[float]] = field(default_factory=dict)
    rank_curve: dict[str, list[float]] = field(default_factory=dict)
    rank_events: float = 0.0

    def add(self, system: str, runs: Sequence[Run]) -> None:
        """One system's runs, in the order of the seeds."""
        names = dict.fromkeys(name for run in runs for name in run.values)
        self.values[system] = {
            name: [run.values.get(name, float("nan")) for run in runs] for name in names
        }
        self.bins[system] = np.sum([run.bins for run in runs], axis=0)
        for curve in ("loss_curve", "auc_curve", "rank_curve"):
            lines = [getattr(run, curve) for run in runs]
            shortest = min(map(len, lines))
            mean = np.mean([line[:shortest] for line in lines], axis=0)
            getattr(self, curve)[system] = mean.tolist()
        self.rank_events = max(self.rank_events, runs[0].rank_events)

    def to_dict(self) -> dict[str, object]:
        return {
            "setting": dataclasses.asdict(self.setting),
            "seeds": self.seeds,
            "values": self.values,
            "reliability": {name: bins.tolist() for name, bins in self.bins.items()},
            "excess_log_loss_curve": self.loss_curve,
            "auc_curve": self.auc_curve,
            "rank_correlation_curve": self.rank_curve,
            "events_per_step_of_rank_curve": self.rank_events,
        }


def studied(
    setting: Setting,
    seeds: list[int],
    systems: dict[str, Maker],
    tick: Tick,
    *,
    predictions_only: bool = False,
    looking_back: int = 0,
) -> Study:
    """All systems on all seeds; the same numbers whatever is studied beside.

    looking_back: on how many of the seeds TrueSkill Through Time is studied too.
    """
    runs: dict[str, list[Run]] = {name: [] for name in (TRUTH, *systems)}
    for seed in seeds:
        stream: Stream = simulate(setting, seed)
        runs[TRUTH].append(truth_of(stream))
        for name, make in systems.items():
            runs[name].append(measured(stream, make(), predictions_only=predictions_only))
            tick(f"{setting.link}, seed {seed}: {name}")
        if len(runs[TRUTH]) <= looking_back:
            fights = [(kill.killer, kill.victim, kill.time) for kill in stream.kills]
            runs.setdefault(NAME, []).append(foretold(stream, looked_back(fights)))
            tick(f"{setting.link}, seed {seed}: {NAME}")
    study = Study(setting, seeds)
    for name, done in runs.items():
        study.add(name, done)
    return study
