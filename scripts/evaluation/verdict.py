"""Whether `calibrated` is what an admin should install: rows of unlike streams, tuned rivals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from evaluation.measure import measured
from evaluation.stream import Setting, simulate
from evaluation.study import Tick
from evaluation.systems import PRESETS, Adr, Maker
from evaluation.tables import number, table
from evaluation.tune import LEARNING_SEEDS, grids

CALIBRATED = "ADR calibrated"
PATIENCE = 0.002
"""Nats behind the best rival that a row may be."""

LESSON = 4_000
"""Kills in a stream that settings are chosen by."""


def rows(base: Setting) -> dict[str, Setting]:
    """What is played: the arena of the study, and six that differ from it in one respect each."""
    players = base.players
    return {
        "arena": base,
        "few players": replace(base, players=max(30, players // 3), kills=base.kills // 2),
        "crowd": replace(base, players=4 * players),
        "newcomers": replace(base, players=10 * players, kills=base.kills // 2),
        "ten days": replace(base, days=10.0),
        "many changes": replace(base, jumpers=players // 7, jump=300.0, farmers=0),
        "other link": replace(base, link="arctangent"),
    }


def rivals(base: Setting, tick: Tick, *, quick: bool = False) -> dict[str, Maker]:
    """Every baseline with the settings that predict best over one short stream of each row.

    The quick form learns from the first two rows alone.
    """
    lessons = list(rows(replace(base, kills=LESSON)).values())[: 2 if quick else None]
    streams = [simulate(one, LEARNING_SEEDS + 1) for one in lessons]
    found: dict[str, Maker] = {}
    for name, grid in grids(quick=True).items():
        if name.startswith("ADR"):
            continue
        losses = []
        for settings in grid.settings():
            make = partial(grid.make, **settings)
            runs = [measured(stream, make(), predictions_only=True) for stream in streams]
            losses.append((float(np.mean([run.values["log loss"] for run in runs])), make))
            tick(name)
        found[name] = min(losses, key=lambda one: one[0])[1]
    return found


@dataclass(frozen=True)
class Row:
    """One kind of stream. excess, auc: by system, a value for each seed; floor: of log loss."""

    floor: list[float]
    excess: dict[str, list[float]]
    auc: dict[str, list[float]]

    def lead(self, rival: str) -> tuple[float, float]:
        """By how much the rival is behind `calibrated`, in nats, and the standard error of that."""
        ours, theirs = np.array(self.excess[CALIBRATED]), np.array(self.excess[rival])
        behind = theirs - ours
        error = float(behind.std(ddof=1) / len(behind) ** 0.5) if len(behind) > 1 else float("nan")
        return float(behind.mean()), error


def judged(
    base: Setting, seeds: list[int], baselines: dict[str, Maker], tick: Tick
) -> dict[str, Row]:
    """Every row with every system, on seeds that nothing was chosen by."""
    systems = {CALIBRATED: partial(Adr, PRESETS["calibrated"]), **baselines}
    found: dict[str, Row] = {}
    for name, setting in rows(base).items():
        row = Row([], {one: [] for one in systems}, {one: [] for one in systems})
        for seed in seeds:
            stream = simulate(setting, seed)
            for one, make in systems.items():
                values = measured(stream, make(), predictions_only=True).values
                row.excess[one].append(values["excess"])
                row.auc[one].append(values["auc"])
            row.floor.append(values["floor"])
            tick(f"{name}, seed {seed}")
        found[name] = row
    return found


def steps(seeds: int) -> int:
    tried = grids(quick=True).items()
    tuning = sum(len(grid.settings()) for name, grid in tried if not name.startswith("ADR"))
    return tuning + seeds * len(rows(Setting()))


def verdict_section(found: dict[str, Row], seeds: int) -> str:
    """The rows as a table, and what the bar says of them."""
    baselines = [name for name in next(iter(found.values())).excess if name != CALIBRATED]
    lines, worst, lost = [], 0.0, dict.fromkeys(baselines, 0)
    for name, row in found.items():
        leads = {rival: row.lead(rival) for rival in baselines}
        worst = max(worst, *(-lead for lead, _ in leads.values()))
        for rival, (lead, error) in leads.items():
            lost[rival] += lead < -2.0 * error
        told = [f"{lead:+.4f} ± {number(error, 4)}" for lead, error in leads.values()]
        aucs = {one: float(np.mean(values)) for one, values in row.auc.items()}
        best = max(aucs[rival] for rival in baselines)
        ours = number(float(np.mean(row.excess[CALIBRATED])), 4)
        floor = number(float(np.mean(row.floor)), 4)
        lines.append([name, floor, ours, *told, number(aucs[CALIBRATED], 4), number(best, 4)])
    means = {
        one: float(np.mean([np.mean(row.excess[one]) for row in found.values()]))
        for one in (CALIBRATED, *baselines)
    }
    first = min(means, key=means.__getitem__)
    lines.append(
        ["mean", "", number(means[CALIBRATED], 4)]
        + [f"{means[rival] - means[CALIBRATED]:+.4f}" for rival in baselines]
        + ["", ""]
    )
    most = max(lost, key=lost.__getitem__)
    return f"""## The calibrated preset against tuned rivals

The log loss of the truth (the floor), and what lies above it, in nats: that of `calibrated`, and by
how much each rival is worse (+) or better (-), with the standard error over {seeds} seeds. The
rivals have the settings of the smaller grids of the part `tuned` that predict best over short
streams of other seeds.

{table(["", "floor", CALIBRATED, *baselines, "AUC", "best rival's"], lines)}

- First on average: {first}.
- Furthest behind a rival on a row: {worst:.4f} nats (the bar is {PATIENCE}).
- Rows lost by more than two standard errors: {lost[most]} of {len(found)}, to {most}.
"""
