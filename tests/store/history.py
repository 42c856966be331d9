"""A made-up past of a daemon: batches of log entries, rated and stored as the engine does it."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adr_core import Ladder, Parameters
from plugin_bridge.arena import Arena
from plugin_bridge.config.model import EventScore
from plugin_bridge.contests.charter import Charter, written
from plugin_bridge.draft import Draft
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry, NameRow

DAY = 86_400.0
LADDERS = ("main", "duels")
LIVELY = Parameters(
    n_min=3,
    sigma_place=390.0,
    h_req=30.0,
    p_min=4,
    n_active=2,
    window=4,
    t_return=5.0,
    return_events=3,
    pool_drains=True,
    pairs_remembered=6,
    pair_limit=20.0,
    shares=(0.2, 0.3, 0.5),
)
"""Rules under which a short history already has placements, promotions and forgotten pairs."""


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Store]:
    store = await Store.open(path)
    try:
        yield store
    finally:
        await store.close()


@dataclass
class Scribe:
    """Writes entries with the next position and the next number of their lane."""

    position: int = 0
    numbers: dict[int, int] = field(default_factory=dict)

    contests: int = 0
    running: int | None = None

    def entry(self, kind: str, time: float, *, lane: int = 1, **rest: Any) -> LogEntry:
        self.position += 1
        self.numbers[lane] = self.numbers.get(lane, 0) + 1
        return LogEntry(
            position=self.position,
            lane=lane,
            seq=self.numbers[lane],
            kind=kind,
            time=time,
            received=time,
            **rest,
        )

    def parameters(self, ladder: str, parameters: Parameters, time: float) -> LogEntry:
        detail = json.dumps(parameters.to_dict())
        return self.entry("parameters", time, ladder=ladder, detail=detail)

    def kill(self, killer: str, victim: str, time: float, ladder: str | None = "main") -> LogEntry:
        return self.entry(
            "kill",
            time,
            lane=2,
            ladder=ladder,
            killer=killer,
            victim=victim,
            contest=self.running,
        )

    def contest(self, ladder: str, time: float, number: int) -> LogEntry:
        """Starts one, or ends in one way or another the one that runs."""
        if self.running is None:
            self.contests += 1
            self.running = self.contests
            score: EventScore = ("kills", "kills_minus_deaths", "placement")[number % 3]
            rules = Charter("survival", "", 600.0, score, "everybody", 2, True, ["p0", "p1"])
            return self.entry(
                "contest_start",
                time,
                ladder=ladder,
                contest=self.running,
                detail=written(rules),
            )
        ended, self.running = self.running, None
        kind = "contest_cancel" if number % 5 == 0 else "contest_end"
        return self.entry(kind, time, ladder=ladder, contest=ended)


def other_parameters(chance: random.Random, before: Parameters) -> Parameters:
    """What an admin might save next: other tiers, other presets, other memory."""
    match chance.randrange(5):
        case 0:
            shares = [chance.uniform(0.2, 1) for _ in range(chance.randint(2, 6))]
            return replace(before, shares=tuple(share / sum(shares) for share in shares))
        case 1:
            return replace(before, pairs_remembered=chance.choice((1, 3, 6, 50)))
        case 2:
            return replace(before, window=chance.choice((1, 4, 9)), n_active=chance.choice((1, 3)))
        case 3:
            return replace(before, sigma_min=chance.choice((10.0, 200.0)), mu_max=1040.0)
    return replace(before, victim_loss="prediction_error", return_events=chance.choice((1, 4)))


def history(seed: int, *, batches: int) -> list[list[LogEntry]]:
    """Batches of kills, late ones and farmed ones, between calibrations and other parameters."""
    chance, scribe, time = random.Random(seed), Scribe(), 1.7e9
    rules = dict.fromkeys(LADDERS, LIVELY)
    past = [[scribe.parameters(ladder, LIVELY, time) for ladder in LADDERS]]
    names = [f"p{number}" for number in range(9)]
    for _ in range(batches):
        time += chance.choice((1.0, 30.0, 3_000.0, DAY, 6 * DAY))
        ladder = chance.choice(LADDERS)
        match chance.randrange(10):
            case 0:
                rules[ladder] = other_parameters(chance, rules[ladder])
                past.append([scribe.parameters(ladder, rules[ladder], time)])
            case 1:
                past.append([scribe.entry("calibrate", time, ladder=name) for name in LADDERS])
            case 2:
                past.append([scribe.entry("death", time, lane=2, victim="p1", cause="fall")])
            case 3 | 4:
                past.append([scribe.contest(ladder, time, len(past))])
            case 5 if scribe.contests:
                void = chance.randint(1, scribe.contests)
                past.append([scribe.entry("contest_void", time, ladder=ladder, contest=void)])
            case _:
                past.append(
                    [
                        scribe.kill(
                            *chance.sample(names[: chance.randint(2, 9)], 2),
                            time + chance.choice((0.0, 0.0, 20.0, 70.0, -9 * DAY)) + number,
                            chance.choice((*LADDERS, "main", None)),
                        )
                        for number in range(chance.randint(1, 12))
                    ]
                )
    return past


async def make_lanes(store: Store) -> None:
    assert await store.log.lane("", "daemon") == 1
    assert await store.log.lane("survival", "spool-001") == 2


async def record(
    store: Store, arena: Arena, past: Iterable[list[LogEntry]], names: Iterable[NameRow] = ()
) -> None:
    """Rates and commits batch by batch."""
    for batch in past:
        draft = Draft()
        for entry in batch:
            arena.apply(entry, draft)
        after = batch[0].position - 1
        await store.commit(draft.batch(batch, list(names), after=after))


def exact(ladder: Ladder) -> str:
    """Everything a ladder will ever depend on, to the last bit, and what it shows of it."""
    state = ladder.dump()
    sorted_state = replace(state, players=tuple(sorted(state.players)))
    board = [(player, ladder.rank(player)) for player, _ in ladder.top(len(ladder.players))]
    return f"{ladder.parameters} {ladder.active_count} {board} {sorted_state.to_json()}"


def all_exact(arena: Arena) -> dict[str, str]:
    return {name: exact(ladder) for name, ladder in arena.ladders.items()}
