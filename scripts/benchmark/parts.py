"""The parts of the benchmark, and how much of each is done in the whole and in the quick form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import crowd, kill, latency, questions, replay, throughput
from benchmark.all_libraries import LIBRARIES
from benchmark.measure import Tick


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    sizes: tuple[int, ...] = (1_000, 100_000, 1_000_000)
    rounds: int = 7
    log: int = 1_000_000
    log_players: int = 10_000
    players: int = 1_000_000
    contestants: int = 100_000
    kills: int = 100_000
    turns: int = 5
    latency_seconds: float = 60.0

    @classmethod
    def quick(cls) -> Plan:
        return cls(
            sizes=(1_000, 20_000),
            rounds=5,
            log=50_000,
            log_players=1_000,
            players=20_000,
            contestants=10_000,
            kills=20_000,
            turns=3,
            latency_seconds=9.0,
        )


Part = Callable[[Plan, Path, Path, Tick], Any]
"""Given the plan, a folder to keep things in, one to leave behind, and whom to tell."""


def _kill(plan: Plan, kept: Path, left: Path, tick: Tick) -> Any:
    return kill.run(plan.sizes, LIBRARIES, rounds=plan.rounds, folder=kept, tick=tick)


def _replay(plan: Plan, kept: Path, left: Path, tick: Tick) -> Any:
    return replay.run(plan.log, plan.log_players, rounds=3, folder=kept, tick=tick)


def _questions(plan: Plan, kept: Path, left: Path, tick: Tick) -> Any:
    return questions.run(plan.players, plan.contestants, rounds=5, folder=kept, tick=tick)


def _crowd(plan: Plan, kept: Path, left: Path, tick: Tick) -> Any:
    return crowd.run(plan.players, folder=left / "crowd", tick=tick)


def _throughput(plan: Plan, kept: Path, left: Path, tick: Tick) -> Any:
    return throughput.run(plan.kills, rounds=plan.turns, folder=left, tick=tick)


def _latency(plan: Plan, kept: Path, left: Path, tick: Tick) -> Any:
    rates = {50: plan.latency_seconds, 1_000: plan.latency_seconds / 2}
    return latency.run(rates, rounds=plan.turns, folder=left, tick=tick)


PARTS: dict[str, Part] = {
    "kill": _kill,
    "replay": _replay,
    "questions": _questions,
    "crowd": _crowd,
    "throughput": _throughput,
    "latency": _latency,
}
