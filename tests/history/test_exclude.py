"""Kills taken out of the past: what is stored is that of a log without them, bit for bit."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from adr_core import Ladder, Parameters
from plugin_bridge.arena import Arena
from plugin_bridge.history import historian as historian_module
from plugin_bridge.history.amendments import Amendment, Exclude, Selector, Undo, written
from plugin_bridge.history.historian import Historian
from plugin_bridge.history.redo import recompute, scratch_of
from plugin_bridge.history.successor import Successor
from plugin_bridge.history.verify import verify
from plugin_bridge.ledger import Ledger
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry

from ..store.history import LADDERS, Scribe, exact, history, make_lanes, opened, record
from ..store.replay import tables

NOW = 2e9


class Office:
    """A historian at a store, without a daemon around it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ledger = Ledger(store)
        self.changes = 0
        self.historian = Historian(
            store=store, ledger=self.ledger, errand=self._errand, changed=self._changed
        )

    async def _errand(self, work: Callable[[], Awaitable[None]]) -> None:
        await work()

    def _changed(self) -> None:
        self.changes += 1

    async def amend(self, amendment: Amendment) -> int:
        """Has it done to the end; the position of its entry in the log."""
        await self.ledger.load()
        number = await self.store.history.order(written(amendment), now=NOW)
        await self.historian.look()
        assert await self.store.history.done(number)
        return (await self.store.history.amendments())[-1].position

    async def sound(self) -> None:
        found = await verify(self.store, lambda done, total: None)
        assert (found.count, found.rounding) == (0, 0.0), found.differences
        await self.store.check()


def exclusion(**select: object) -> Exclude:
    return Exclude(select=Selector(**select), reason="aimbot", by="admin")  # type: ignore[arg-type]


def undo(*positions: int) -> Undo:
    return Undo(undoes=positions, reason="it was somebody else", by="admin")


def by_hand(past: Iterable[list[LogEntry]], out: Callable[[LogEntry], bool]) -> dict[str, Ladder]:
    """Ladders that were never told of some kills."""
    ladders: dict[str, Ladder] = {}
    for entry in (entry for batch in past for entry in batch):
        if entry.ladder is None:
            continue
        if entry.kind == "parameters":
            rules = Parameters.from_dict(json.loads(entry.detail or ""))
            ladders.setdefault(entry.ladder, Ladder(rules)).reconfigure(rules)
        elif entry.kind == "calibrate":
            ladders[entry.ladder].recalibrate(entry.time)
        elif entry.kind == "kill" and not out(entry):
            ladders[entry.ladder].kill(entry.killer or "", entry.victim or "", entry.time)
    return ladders


SELECTIONS: dict[str, tuple[dict[str, object], Callable[[LogEntry], bool]]] = {
    "a player": ({"players": ("p1",)}, lambda e: "p1" in (e.killer, e.victim)),
    "as killer": ({"players": ("p2",), "role": "killer"}, lambda e: e.killer == "p2"),
    "as victim": ({"players": ("p0",), "role": "victim"}, lambda e: e.victim == "p0"),
    "a pair": ({"players": ("p0", "p1")}, lambda e: {e.killer, e.victim} == {"p0", "p1"}),
    "a server": ({"lanes": (2,)}, lambda e: e.lane == 2),
    "nobody": ({"players": ("p99",)}, lambda e: False),
}


CASES = [(what, seed) for seed, what in enumerate(SELECTIONS)]


@pytest.mark.parametrize(("what", "seed"), [*CASES, ("a player", 7), ("as killer", 8)])
def test_excluding_leaves_what_a_log_without_these_kills_gives(
    tmp_path: Path, what: str, seed: int
) -> None:
    select, out = SELECTIONS[what]
    past = history(seed, batches=60)
    times = sorted(entry.time for batch in past for entry in batch if entry.kind == "kill")
    since, until = times[len(times) // 4], times[len(times) // 4 * 3]
    bounded = dict(select, since=since, until=until)
    path = tmp_path / "a.sqlite3"

    async def scenario() -> None:
        async with opened(path) as store:
            await make_lanes(store)
            await record(store, Arena(), past)
            await store.load()  # lets go of the pairs that the ladders have forgotten
            before = tables(path)
            office = Office(store)
            number = await office.amend(exclusion(**bounded))
            await office.sound()
            expected = by_hand(past, lambda e: since <= e.time <= until and out(e))
            assert {n: exact(ladder) for n, ladder in office.ledger.ladders.items()} == {
                n: exact(expected[n]) for n in LADDERS
            }
            excluded = [e for batch in past for e in batch if e.kind == "kill"]
            count = sum(since <= e.time <= until and out(e) for e in excluded)
            rows = tables(path)["outcomes"]
            assert sum(row[1] == "excluded" for row in rows) == count
            await office.amend(undo(number))
            await office.sound()
            assert tables(path) == before
            assert office.changes == 2

    asyncio.run(scenario())


STAGES = ("worked out", "half brought in", "brought in", "loaded", "caught up")


@pytest.mark.parametrize("stage", [*STAGES, "at every stage"])
def test_what_comes_while_the_past_is_worked_out_is_neither_lost_nor_counted_twice(
    tmp_path: Path, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plugin_bridge.store.renewal.STEP", 20)
    monkeypatch.setattr("plugin_bridge.history.successor.NEAR", 2)
    past = history(7, batches=60)
    path = tmp_path / "a.sqlite3"
    scribe = Scribe(past[-1][-1].position + 1, {1: 10_000, 2: 10_000})
    time = past[-1][-1].time
    forgetful = replace(Parameters.consistent(), pairs_remembered=1)
    later = [
        [scribe.kill("p1", "p2", time + 1), scribe.kill("p3", "p4", time + 2)],
        [scribe.parameters("main", forgetful, time + 3)],
        [scribe.parameters("main", Parameters.consistent(), time + 3)],
        [scribe.kill("p5", "p1", time + 4), scribe.kill("p5", "new", time + 5)],
        [scribe.entry("calibrate", time + 6, ladder="main")],
        [scribe.kill("p3", "p4", time + 7), scribe.kill("p4", "p3", time + 8)],
    ]
    coming = iter(later)
    arriving = {stage: len(later)} if stage in STAGES else dict.fromkeys(STAGES, 1) | {"loaded": 2}

    async def scenario() -> None:
        async with opened(path) as store:
            await make_lanes(store)
            live = Arena()
            await record(store, live, past)

            async def then(now: str) -> None:
                await record(store, live, islice(coming, arriving.get(now, 0)))

            office = Office(store)
            await office.ledger.load()
            await store.history.order(written(exclusion(players=("p1",))), now=NOW)
            await office.historian._take()
            assert await store.history.behind()
            scratch = scratch_of(path)
            redone = await recompute(path, scratch, lambda done, total: None)
            await then("worked out")
            await store.renewal.begin()
            assert await store.renewal.fill(scratch)
            await then("half brought in")
            while await store.renewal.fill(scratch):
                pass
            await then("brought in")
            successor = await Successor.load(store, scratch, redone)
            await then("loaded")
            await successor.catch_up(office._errand)
            await then("caught up")
            assert next(coming, None) is None
            await office.ledger.exchange(successor.put_in_force)
            assert not await store.history.behind()
            in_memory = {n: exact(ladder) for n, ladder in office.ledger.ladders.items()}
            await office.sound()
            while await store.renewal.clear():
                pass
            await office.sound()
            await office.ledger.load()
        expected = by_hand([*past, *later], lambda e: "p1" in (e.killer, e.victim))
        for name, ladder in office.ledger.ladders.items():
            assert exact(ladder) == exact(expected[name]) == in_memory[name]

    asyncio.run(scenario())


def test_orders_that_come_in_a_crowd_are_all_carried_out(tmp_path: Path) -> None:
    past = history(3, batches=40)
    path = tmp_path / "a.sqlite3"
    chance = random.Random(5)

    async def scenario() -> None:
        async with opened(path) as store:
            await make_lanes(store)
            await record(store, Arena(), past)
            office = Office(store)
            await office.ledger.load()
            names = chance.sample([f"p{number}" for number in range(9)], 3)
            for name in names:
                await store.history.order(written(exclusion(players=(name,))), now=NOW)
            await office.historian.look()
            await office.historian.look()
            assert office.changes == 1
            await office.sound()
            expected = by_hand(past, lambda e: bool({e.killer, e.victim} & set(names)))
            for name, ladder in office.ledger.ladders.items():
                assert exact(ladder) == exact(expected[name])

    asyncio.run(scenario())


def test_a_failure_is_told_and_tried_again_after_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.sqlite3"

    async def scenario() -> None:
        async with opened(path) as store:
            await make_lanes(store)
            await record(store, Arena(), history(1, batches=10))
            office = Office(store)
            await office.ledger.load()
            number = await store.history.order(written(exclusion(players=("p1",))), now=NOW)
            scratch_of(path).mkdir()
            with pytest.raises(historian_module.StoreUnavailable, match="could not be rated again"):
                await office.historian.look()
            await office.sound()
            scratch_of(path).rmdir()
            await office.historian.look()  # too early
            assert not await store.history.done(number)
            monkeypatch.setattr(historian_module, "monotonic", lambda: 1e12)
            await office.historian.look()
            assert await store.history.done(number)
            await office.sound()

    asyncio.run(scenario())
