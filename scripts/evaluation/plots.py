"""The figures: 1 and 2 (10.6), 3 (10.7), reliability, convergence, and the long runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
import numpy as np

from evaluation.long import LongRun
from evaluation.measure import BLOCK
from evaluation.study import TRUTH, Study
from evaluation.systems import PRESETS
from evaluation.through_time import NAME

mpl.use("svg")  # works without a screen, and must be said before the next import
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

# the same numbers give the same file, with letters that stay letters
mpl.rcParams.update({"svg.hashsalt": "evaluation", "svg.fonttype": "none"})


@contextmanager
def figure(path: Path, columns: int = 1, width: float = 7.0) -> Iterator[list[Axes]]:
    """A figure with so many plots side by side, saved in the end."""
    made, axes = plt.subplots(1, columns, figsize=(width, 4.2), squeeze=False)
    try:
        yield list(axes[0])
        made.tight_layout()
        made.savefig(path, metadata={"Date": None})
    finally:
        plt.close(made)


def toy_figures(paths: dict[str, list[float]], folder: Path) -> list[str]:
    """Figures 1 and 2: rises and steps since the return."""
    with figure(folder / "figure1.svg") as (plot,):
        for name, path in paths.items():
            plot.plot(np.array(path) - path[0], label=name)
        plot.set(xlabel="wins after the return", ylabel="rise since the return, own points")
        plot.legend()
    with figure(folder / "figure2.svg") as (plot,):
        for name, path in paths.items():
            steps = [after - before for before, after in itertools.pairwise(path)]
            plot.plot(range(1, len(steps) + 1), steps, label=name)
        plot.set(xlabel="wins after the return", ylabel="change by this win, own points")
        plot.set_yscale("symlog", linthresh=1.0)
        plot.legend()
    return ["figure1.svg", "figure2.svg"]


def curves(study: Study, path: Path) -> str:
    """How fast everybody learns to foretell: log loss above the truth and AUC, block by block."""
    with figure(path, 2, 12.0) as (left, right):
        for name in study.values:
            blocks = BLOCK * (1 + np.arange(len(study.loss_curve[name])))
            if name != TRUTH:
                left.plot(blocks, study.loss_curve[name], label=name)
            style = {"color": "black", "linestyle": ":"} if name == TRUTH else {}
            right.plot(blocks, study.auc_curve[name], label=name, **style)
        left.set(xlabel="kills", ylabel="log loss above that of the truth", ylim=(0.0, None))
        right.set(xlabel="kills", ylabel=f"AUC per {BLOCK} kills")
        right.legend()
    return path.name


def study_figures(study: Study, folder: Path) -> list[str]:
    """Learning, reliability and convergence."""
    learning = curves(study, folder / "learning.svg")
    with figure(folder / "reliability.svg", width=6.0) as (plot,):
        plot.plot([0, 1], [0, 1], color="black", linestyle=":")
        for name, bins in study.bins.items():
            if name not in (TRUTH, NAME):  # who looks back foretells nothing
                some = bins[bins[:, 0] > 0]
                plot.plot(some[:, 1] / some[:, 0], some[:, 2] / some[:, 0], ".-", label=name)
        plot.set(xlabel="predicted", ylabel="happened")
        plot.legend()
    with figure(folder / "convergence.svg") as (plot,):
        for name, curve in study.rank_curve.items():
            if curve:
                events = study.rank_events * (1 + np.arange(len(curve)))
                plot.plot(events, curve, label=name)
        plot.set(xlabel="events of a mean player", ylabel="rank correlation with true skill")
        plot.set_xscale("log")
        plot.legend()
    return [learning, "reliability.svg", "convergence.svg"]


def long_figures(runs: dict[str, LongRun], folder: Path) -> list[str]:
    """Mean rating, share at a bound and order over a long run."""
    with figure(folder / "long.svg", 3, 15.0) as plots:
        for name, run in runs.items():
            kills = [shot.kills / 1000.0 for shot in run.snapshots]
            lines = (
                [shot.mean for shot in run.snapshots],
                [shot.top + shot.bottom for shot in run.snapshots],
                [shot.order for shot in run.snapshots],
            )
            for plot, line in zip(plots, lines, strict=True):
                plot.plot(kills, line, label=name)
        for plot, what in zip(plots, ("mean mu", "share at a bound", "rank corr."), strict=True):
            plot.set(xlabel="kills, thousands", ylabel=what)
        plots[0].legend(fontsize="small")
    presets = {name: run for name, run in runs.items() if name in PRESETS}
    with figure(folder / "drift.svg", 2, 9.0) as (left, right):
        for name, run in presets.items():
            kills = [shot.kills / 1000.0 for shot in run.snapshots]
            left.plot(kills, [100.0 * (s.top + s.bottom) for s in run.snapshots], label=name)
            right.plot(kills, [shot.order for shot in run.snapshots], label=name)
        left.set(xlabel="kills, thousands", ylabel="players at a bound, %", ylim=(-2.0, 100.0))
        right.set(xlabel="kills, thousands", ylabel="rank correlation with true skill")
        left.legend()
    return ["long.svg", "drift.svg"]
