"""The compiled core is the same source, and gives the same ratings to the last bit."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import adr_core

pytestmark = pytest.mark.alone
DAY = 86_400.0


def events(count: int, players: int, seed: int) -> Iterator[tuple[str, str, float]]:
    """Kills with repeats, late arrivals and absences, some players far busier than others."""
    draw = random.Random(seed)
    names = [f"p{number}" for number in range(players)]
    now = 0.0
    for _ in range(count):
        now += draw.choice((1.0, 15.0, 120.0))
        if draw.random() < 0.0005:
            now += draw.uniform(1.0, 90.0) * DAY
        late = draw.uniform(0.0, 50_000.0) if draw.random() < 0.03 else 0.0
        killer, victim = draw.sample(names[: draw.choice((players // 5, players))], 2)
        yield killer, victim, now - late


def end_state(core: ModuleType, preset: str, count: int) -> tuple[str, list[Any]]:
    """All of a ladder after the events, and what each thousandth kill said."""
    ladder = core.Ladder(core.Parameters.from_dict({}, preset=preset))
    said = []
    for number, (killer, victim, time) in enumerate(events(count, 400, seed=count)):
        outcome = ladder.kill(killer, victim, time)
        if number % 1_000 == 0:
            said.append((outcome.probability, outcome.attacker_change, outcome.victim_change))
        if number % 5_000 == 4_999:
            said.append(len(ladder.recalibrate(time).tier_changes))
            said.append((ladder.rank(killer), [player for player, _ in ladder.top(10)]))
    return ladder.dump().to_json(), said


@pytest.mark.parametrize("preset", ["paper", "consistent", "calibrated"])
def test_both_forms_agree_to_the_last_bit(compiled: ModuleType, preset: str, long: bool) -> None:
    assert compiled.ladder.__file__.endswith((".so", ".pyd"))
    count = 1_000_000 if long else 20_000
    assert end_state(compiled, preset, count) == end_state(adr_core, preset, count)


@pytest.mark.parametrize("preset", ["paper", "consistent", "calibrated"])
def test_the_compiled_form_takes_what_it_wrote_as_json(compiled: ModuleType, preset: str) -> None:
    parameters = compiled.Parameters.from_dict({"window": 19.0}, preset=preset)  # as config.yml has
    again = compiled.Parameters.from_dict(json.loads(json.dumps(parameters.to_dict())))
    assert again == parameters
    ladder = compiled.Ladder(parameters)
    for killer, victim, time in events(200, 20, seed=1):
        ladder.kill(killer, victim, time)
    state = compiled.LadderState.from_json(ladder.dump().to_json())
    assert state == ladder.dump() == compiled.Ladder.load(again, state).dump()
