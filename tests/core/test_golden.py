"""Every state of every event of the golden streams, within a relative 1e-9."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from adr_core import Ladder, Parameters, PlayerState

GOLDEN = Path(__file__).parent / "golden"
WITHIN = 1e-9


def read(name: str) -> Any:
    with gzip.open(GOLDEN / f"{name}.json.gz", "rt") as file:
        return json.load(file)


def differences(state: PlayerState, columns: dict[str, list[Any]], row: int, time: float) -> Any:
    """The fields of a state that differ from a row of a golden table."""
    found = {
        "mu": state.mu,
        "sigma": state.sigma,
        "streak": state.streak,
        "trend": state.trend,
        "pool": state.pool,
        "events": state.events,
        "last_event": state.last_event,
        "window_mean": sum(state.window) / len(state.window),
        "window_length": len(state.window),
        "tier": state.tier,
        "up": state.promotion,
        "down": state.demotion,
    }
    assert found.keys() == columns.keys()
    wanted = {name: column[row] for name, column in columns.items()}
    if wanted["last_event"] is None:
        wanted["last_event"] = time
    return {
        name: (value, wanted[name])
        for name, value in found.items()
        if not near(value, wanted[name])
    }


def near(found: float | None, wanted: float | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return abs(found - wanted) <= WITHIN * abs(wanted)


@pytest.mark.parametrize("size", ["small", "crowd"])
@pytest.mark.parametrize("preset", ["paper", "consistent"])
def test_the_ladder_agrees_with_an_independent_implementation(preset: str, size: str) -> None:
    golden = read(f"{preset}_{size}")
    ladder = Ladder(getattr(Parameters, preset)())
    kills, after = golden["kills"], golden["after"]
    calibrations = iter(golden["calibrations"])
    due = next(calibrations, None)
    row = calibrated = 0
    for number, time in enumerate([*kills["time"], None]):
        while due is not None and due["after_kills"] == number:
            assert ladder.recalibrate(due["time"]).updated == due["updated"]
            assert len(ladder.boundaries) == len(due["boundaries"])
            assert all(map(near, ladder.boundaries, due["boundaries"]))
            calibrated += 1
            due = next(calibrations, None)
        if time is None:
            break
        attacker, victim = f"n{kills['attacker'][number]}", f"n{kills['victim'][number]}"
        outcome = ladder.kill(attacker, victim, time)
        assert outcome.counted == bool(kills["counted"][number])
        if outcome.counted:
            assert near(outcome.probability, kills["probability"][row])
            assert not differences(ladder.player(attacker), after["attacker"], row, time)
            assert not differences(ladder.player(victim), after["victim"], row, time)
            row += 1
    assert row == len(kills["probability"]) > 0
    assert calibrated == len(golden["calibrations"]) > 0
    assert len(ladder.players) == golden["players"]
