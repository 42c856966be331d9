"""The parts of the evaluation: how much work each is, what it does, what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from evaluation import ablation, plots, report, report_long, report_real, toy, verdict
from evaluation.claims import claimed
from evaluation.guards import guarded, guards_section
from evaluation.guards import variants as guard_variants
from evaluation.long import SHARES, SNAPSHOTS, calm, duelled, ran, variants
from evaluation.real import Real, all_judged
from evaluation.real import steps as real_steps
from evaluation.stream import Setting, simulate
from evaluation.study import Tick, studied
from evaluation.systems import PRESETS, makers
from evaluation.tune import grids, steps, tuned

IN_FIGURE_3 = ("ADR paper", "ADR consistent", "ADR calibrated", "Elo", "Glicko-2", "TrueSkill")
"""The systems of 10.7."""


@dataclass
class Plan:
    """How much is done. Seeds count from 1. real: kills of real servers, if there are any."""

    seeds: int = 10
    players: int = 100
    kills: int = 40_000
    long_kills: int = 400_000
    learning_seeds: int = 2
    small_grids: bool = False
    real: Real | None = None

    @classmethod
    def quick(cls) -> Plan:
        return cls(3, 60, 8_000, 40_000, learning_seeds=1, small_grids=True)

    @property
    def setting(self) -> Setting:
        return Setting(players=self.players, kills=self.kills)

    @property
    def numbers(self) -> list[int]:
        return list(range(1, 1 + self.seeds))

    @property
    def looking_back(self) -> int:
        """Seeds for TrueSkill Through Time, which takes as long as all the others together."""
        return max(1, self.seeds // 2)


Result = tuple[dict[str, Any], str]


@dataclass(frozen=True)
class Part:
    """steps: how often `run` will tell that something is done."""

    steps: Callable[[Plan], int]
    run: Callable[[Plan, Path, Tick], Result]


def run_toy(plan: Plan, folder: Path, tick: Tick) -> Result:
    paths = toy.published_settings()
    readings = []
    for name, parameters in PRESETS.items():
        paths[f"ADR {name}"] = list(toy.adr(parameters, toy.Reading(days=61.0)))
        for reading in toy.READINGS:
            path = list(toy.adr(parameters, reading))
            readings.append((reading, name, toy.rise(path), toy.largest_step(path)))
        tick(name)
    drawn = plots.toy_figures(paths, folder)
    numbers = {
        "paths": paths,
        "adr_readings": [
            asdict(reading) | {"preset": name, "rise": rise, "largest_step": step}
            for reading, name, rise, step in readings
        ],
    }
    return numbers, report.toy_section(paths, readings) + report.figures(drawn) + "\n"


def run_stream(plan: Plan, folder: Path, tick: Tick) -> Result:
    systems = {name: make for name, make in makers().items() if name in IN_FIGURE_3}
    setting = Setting(players=50, kills=8_000)
    study = studied(setting, plan.numbers, systems, tick, predictions_only=True)
    drawn = plots.curves(study, folder / "figure3.svg")
    section = report.stream_section(study).replace("{figures}", report.figures([drawn]))
    return study.to_dict(), section


def run_arena(plan: Plan, folder: Path, tick: Tick) -> Result:
    study = studied(
        plan.setting,
        plan.numbers,
        makers(),
        tick,
        looking_back=plan.looking_back,
    )
    drawn = plots.study_figures(study, folder)
    section = report.arena_section(study).replace("{figures}", report.figures(drawn))
    return study.to_dict(), section


def run_links(plan: Plan, folder: Path, tick: Tick) -> Result:
    studies = {
        link: studied(
            replace(plan.setting, link=link),
            plan.numbers,
            makers(),
            tick,
            predictions_only=True,
        )
        for link in ("arctangent", "probit")
    }
    numbers = {link: study.to_dict() for link, study in studies.items()}
    return numbers, report.links_section(studies)


def run_long(plan: Plan, folder: Path, tick: Tick) -> Result:
    stream = simulate(calm(plan.players, plan.long_kills), 1)
    runs = {name: ran(name, one, stream, tick) for name, one in variants().items()}
    duels = {
        name: {share: duelled(parameters, share) for share in SHARES}
        for name, parameters in PRESETS.items()
    }
    drawn = plots.long_figures(runs, folder)
    numbers = {"runs": {name: asdict(run) for name, run in runs.items()}, "duels": duels}
    return numbers, report_long.long_section(runs, duels) + report.figures(drawn) + "\n"


def run_claims(plan: Plan, folder: Path, tick: Tick) -> Result:
    values = claimed(plan.players, plan.numbers, makers(), tick)
    return {"values": values}, report_long.claims_section(values, plan.seeds)


def run_guards(plan: Plan, folder: Path, tick: Tick) -> Result:
    values = guarded(plan.setting, plan.numbers, tick)
    return {"values": values}, guards_section(values, plan.seeds)


def run_ablation(plan: Plan, folder: Path, tick: Tick) -> Result:
    setting = replace(plan.setting, kills=plan.kills // 2)
    long_kills = plan.long_kills // 4
    found = ablation.ablated(setting, plan.numbers, long_kills, tick)
    return found, ablation.ablation_section(found, plan.seeds, long_kills)


def run_tuned(plan: Plan, folder: Path, tick: Tick) -> Result:
    choices = tuned(plan.setting, plan.learning_seeds, tick, quick=plan.small_grids)
    systems = {name: choice.make for name, choice in choices.items()}
    study = studied(plan.setting, plan.numbers, systems, tick)
    numbers = study.to_dict() | {
        "tried": {name: choice.losses for name, choice in choices.items()},
        "chosen": {name: choice.settings for name, choice in choices.items()},
    }
    return numbers, report.tuned_section(choices, study, plan.learning_seeds)


def run_verdict(plan: Plan, folder: Path, tick: Tick) -> Result:
    setting = replace(plan.setting, kills=plan.kills // 2)
    baselines = verdict.rivals(setting, tick, quick=plan.small_grids)
    found = verdict.judged(setting, plan.numbers, baselines, tick)
    numbers = {name: asdict(row) for name, row in found.items()}
    return numbers, verdict.verdict_section(found, plan.seeds)


def run_real(plan: Plan, folder: Path, tick: Tick) -> Result:
    assert plan.real is not None  # or the part is not run
    found, settings = all_judged(plan.real, tick, quick=plan.small_grids)
    numbers = {"values": report_real.values_of(found), "chosen": settings}
    return numbers, report_real.real_section(plan.real, found, settings)


def tuned_steps(plan: Plan) -> int:
    tried = steps(plan.learning_seeds, quick=plan.small_grids)
    return tried + plan.seeds * len(grids())


PARTS: dict[str, Part] = {
    "toy": Part(lambda plan: len(PRESETS), run_toy),
    "stream": Part(lambda plan: plan.seeds * len(IN_FIGURE_3), run_stream),
    "arena": Part(lambda plan: plan.seeds * len(makers()) + plan.looking_back, run_arena),
    "links": Part(lambda plan: 2 * plan.seeds * len(makers()), run_links),
    "long": Part(lambda plan: SNAPSHOTS * len(variants()), run_long),
    "claims": Part(lambda plan: plan.seeds * len(makers()), run_claims),
    "guards": Part(lambda plan: 2 * plan.seeds * len(guard_variants()), run_guards),
    "ablation": Part(lambda plan: ablation.steps(plan.seeds), run_ablation),
    "tuned": Part(tuned_steps, run_tuned),
    "verdict": Part(lambda plan: verdict.steps(plan.seeds), run_verdict),
    "real": Part(lambda plan: real_steps(quick=plan.small_grids), run_real),
}
