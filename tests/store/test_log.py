"""The log: append-only, in one order, and a batch of it written as a whole or not at all."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from plugin_bridge.arena import Arena
from plugin_bridge.draft import Draft
from plugin_bridge.errors import StaleAppend, StoreError, StoreUnavailable
from plugin_bridge.store import Store, database
from plugin_bridge.store.rows import Batch, LogEntry, NameRow

from .history import LIVELY, Scribe, all_exact, history, make_lanes, opened, record


def on_a_store(folder: Path, scenario: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            await make_lanes(store)
            await scenario(store)

    asyncio.run(run())


async def everything(store: Store) -> list[LogEntry]:
    return [entry async for entry in store.log.read()]


def rows(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        count: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return count


def test_what_was_appended_is_read_back_in_order_and_from_any_position(tmp_path: Path) -> None:
    past = history(1, batches=30)
    written = [entry for batch in past for entry in batch]

    async def scenario(store: Store) -> None:
        await record(store, Arena(), past)
        assert await everything(store) == written
        assert [entry async for entry in store.log.read(after=17)] == written[17:]
        assert await store.log.end() == written[-1].position

    on_a_store(tmp_path, scenario)


def test_every_column_of_an_entry_is_kept(tmp_path: Path) -> None:
    entry = LogEntry(
        position=1,
        lane=2,
        seq=9,
        kind="kill",
        time=1.25,
        received=2.5,
        ladder=None,
        killer="a",
        victim="b",
        cause="Schwert \x00 🦊",
        weapon="bow",
        world="nether",
        detail="{}",
    )

    async def scenario(store: Store) -> None:
        await store.commit(Batch(after=0, entries=[entry]))
        assert await everything(store) == [entry]

    on_a_store(tmp_path, scenario)


def test_nothing_in_the_log_can_be_changed_or_removed(tmp_path: Path) -> None:
    async def scenario(store: Store) -> None:
        await record(store, Arena(), history(2, batches=3))

    on_a_store(tmp_path, scenario)
    with closing(sqlite3.connect(tmp_path / "adr.sqlite3")) as connection:
        for statement in (
            "UPDATE events SET killer = 'x' WHERE position = 3",
            "DELETE FROM events WHERE position = 1",
            "DELETE FROM events",
            "REPLACE INTO events SELECT * FROM events WHERE position = 1",
            "REPLACE INTO events (position, lane, seq, kind, time, received) "
            "SELECT 1000 + position, lane, seq, kind, time, received FROM events LIMIT 1",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)


def test_a_lane_is_one_writer_and_keeps_its_number_for_ever(tmp_path: Path) -> None:
    async def scenario(store: Store) -> None:
        assert await store.log.lane("survival", "spool-001") == 2
        other = await store.log.lane("survival", "spool-002")
        assert other not in (1, 2)
        assert await store.log.lane("duels", "spool-001") not in (1, 2, other)
        assert await store.log.lane("survival", "spool-002") == other
        await record(store, Arena(), history(3, batches=20))
        last = max(entry.seq for entry in await everything(store) if entry.lane == 2)
        assert await store.log.last(2) == last
        assert await store.log.last(other) == 0

    on_a_store(tmp_path, scenario)


def test_the_latest_entry_of_a_kind_is_known_by_its_number_and_not_by_its_time(
    tmp_path: Path,
) -> None:
    scribe = Scribe()
    entries = [scribe.entry("calibrate", time, ladder="main") for time in (50.0, 90.0, 70.0)]

    async def scenario(store: Store) -> None:
        assert await store.log.last_time(1, "calibrate") is None
        await store.commit(Batch(after=0, entries=entries))
        assert await store.log.last_time(1, "calibrate") == 70.0
        assert await store.log.last_time(1, "parameters") is None

    on_a_store(tmp_path, scenario)


@pytest.mark.parametrize("after", [0, 2, 4])
def test_whoever_does_not_know_the_end_of_the_log_cannot_write_to_it(
    tmp_path: Path, after: int
) -> None:
    scribe = Scribe()
    past = [[scribe.parameters("main", LIVELY, 0.0)], [scribe.kill("a", "b", 1.0)]]
    past.append([scribe.kill("b", "c", 2.0)])
    late = replace(scribe.kill("c", "a", 3.0), position=after + 1)

    async def scenario(store: Store) -> None:
        await record(store, Arena(), past)
        with pytest.raises(StaleAppend, match="another process"):
            await store.commit(Batch(after=after, entries=[late]))
        assert await store.log.end() == 3

    on_a_store(tmp_path, scenario)


def test_a_number_is_given_once_in_a_lane(tmp_path: Path) -> None:
    scribe = Scribe()
    first = scribe.entry("death", 1.0, lane=2, victim="a")
    again = replace(scribe.entry("death", 2.0, lane=2, victim="b"), seq=first.seq)

    async def scenario(store: Store) -> None:
        await store.commit(Batch(after=0, entries=[first]))
        with pytest.raises(StoreError, match="append-only"):
            await store.commit(Batch(after=1, entries=[again]))
        assert await everything(store) == [first]

    on_a_store(tmp_path, scenario)


def test_a_batch_that_fails_in_its_last_row_leaves_nothing_of_itself(tmp_path: Path) -> None:
    scribe = Scribe()
    start = [scribe.parameters("main", LIVELY, 0.0)]
    kills = [scribe.kill("a", "b", 1.0), scribe.kill("b", "c", 2.0)]
    bad_name = NameRow("a", "Ann", None)  # type: ignore[arg-type]  # names come last

    async def scenario(store: Store) -> None:
        arena = Arena()
        await record(store, arena, [start])
        before = all_exact(arena)
        with pytest.raises(StoreError, match="NOT NULL"):
            await record(store, arena, [kills], names=[bad_name])
        assert await everything(store) == start
        fresh = Arena()
        fresh.load(await store.load())
        assert all_exact(fresh) == before
        await record(store, fresh, [kills])  # and the connection is as good as before

    on_a_store(tmp_path, scenario)
    path = tmp_path / "adr.sqlite3"
    assert [rows(path, table) for table in ("outcomes", "pairs", "players")] == [2, 2, 3]


def test_while_another_process_writes_a_commit_waits_and_then_gives_up_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    scribe = Scribe()
    draft = Draft()
    entries = [scribe.entry("death", 1.0, lane=2, victim="a")]

    async def scenario(store: Store) -> None:
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable, match="locked"):
                await store.commit(draft.batch(entries, [], after=0))
            assert await store.log.end() == 0
            other.execute("ROLLBACK")
        await store.commit(draft.batch(entries, [], after=0))
        assert await everything(store) == entries

    on_a_store(tmp_path, scenario)


def test_records_add_up_over_batches_and_the_best_streak_stays(tmp_path: Path) -> None:
    scribe = Scribe()
    past = [
        [scribe.parameters("main", LIVELY, 0.0)],
        [scribe.kill("a", "b", 1.0), scribe.kill("a", "c", 2.0), scribe.kill("b", "a", 3.0)],
        [scribe.kill("a", "d", 4.0), scribe.kill("a", "d", 5.0)],  # the second: too soon
    ]

    async def scenario(store: Store) -> None:
        await record(store, Arena(), past)
        of = store.projection.record
        assert [(r.kills, r.deaths, r.best_streak) for r in (await of("main", "a"),)] == [(3, 1, 2)]
        assert (await of("main", "d")).deaths == 1
        assert (await of("main", "nobody")).kills == 0
        assert (await of("duels", "a")).kills == 0
        records = [await of("main", player) for player in "abcd"]
        assert sum(r.kills for r in records) == sum(r.deaths for r in records) == 4
        (best, *_) = await store.board.top("main", 10)
        assert (best.player, best.rank, best.kills) == ("a", 1, 3)

    on_a_store(tmp_path, scenario)
