"""The one writer: nothing is acknowledged, said or kept in memory before it is stored."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from adr_core import Ladder
from plugin_bridge import engine as engine_module
from plugin_bridge.arrivals import Arrival
from plugin_bridge.config import parse_config
from plugin_bridge.engine import Engine
from plugin_bridge.errors import (
    EngineStopped,
    StoreError,
    StoreRefused,
    StoreUnavailable,
)
from plugin_bridge.herald import Herald
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Link, Links
from plugin_bridge.protocol.encode import encode_frame
from plugin_bridge.protocol.packets import Ack, Broadcast, Kill, Player, Present, Rejected
from plugin_bridge.roster import Roster
from plugin_bridge.store import Store
from plugin_bridge.store.rows import Batch
from plugin_bridge.text import plain
from plugin_bridge.upkeep import Upkeep

from .mod import awaited
from .running import PATIENCE, settings
from .test_session import hello

NOW = 1_764_500_000.0
CONFIG = parse_config(settings())


class Works:
    """An engine with all that it needs, on a real database, and one connected mod."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.links, self.roster, self.ledger = Links(), Roster(), Ledger(store)
        self.herald = Herald(
            links=self.links,
            roster=self.roster,
            ladders=self.ledger.ladders,
            names=self.ledger.names,
        )
        self.engine = Engine(self.ledger, self.herald, CONFIG, self.roster)
        self.upkeep = Upkeep(
            engine=self.engine,
            ledger=self.ledger,
            herald=self.herald,
            links=self.links,
            store=store,
        )
        self.link = Link("survival", hello())
        self.running: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        await self.ledger.load()
        self.link.lane = await self.ledger.open_lane("survival", "spool-0001")
        self.links.open(self.link)
        self.roster.hello("survival", [Present("ann", "Ann"), Present("bob", "Bob")])
        self.running = asyncio.create_task(self.engine.run())
        await self.engine.errand(partial(self.upkeep.configure, CONFIG, now=NOW))
        self.sent()

    async def kill(self, seq: int, killer: str = "ann", victim: str = "bob") -> None:
        packet = Kill(
            seq=seq, time=NOW + seq, killer=Player(killer, killer), victim=Player(victim, victim)
        )
        await self.engine.submit(Arrival(self.link, [packet], NOW + seq))

    async def idle(self) -> None:
        """Returns when everything that was submitted has been dealt with."""

        async def nothing() -> None:
            pass

        await asyncio.wait_for(self.engine.errand(nothing), PATIENCE)

    def sent(self) -> list[Any]:
        """What was pushed to the mod since the last call."""
        packets = list(self.link.outbox._waiting)
        self.link.outbox._waiting.clear()
        return packets

    def acks(self) -> list[int]:
        return [packet.seq for packet in self.sent() if isinstance(packet, Ack)]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.store.path)) as connection:
            return connection.execute(sql).fetchall()

    @property
    def ladder(self) -> Ladder:
        return self.ledger.ladders["main"]

    def exact(self) -> str:
        state = self.ladder.dump()
        return replace(state, players=tuple(sorted(state.players))).to_json()


@asynccontextmanager
async def works(folder: Path) -> AsyncIterator[Works]:
    store = await Store.open(folder / "adr.sqlite3")
    made = Works(store)
    try:
        await made.begin()
        yield made
        assert made.running is not None
        if not made.running.done():
            await made.engine.stop()
            await asyncio.wait_for(made.running, PATIENCE)
    finally:
        await store.close()


def failing(
    works: Works, monkeypatch: pytest.MonkeyPatch, error: Exception, *, times: int
) -> list[Batch]:
    """Lets the next commits fail in the end, when all is written but nothing is durable."""
    real, tried = works.store.commit, []

    async def commit(batch: Batch) -> None:
        tried.append(batch)
        if len(tried) > times:
            return await real(batch)
        with suppress(ZeroDivisionError):
            async with works.store.as_one():
                await real(batch)
                raise ZeroDivisionError
        raise error

    monkeypatch.setattr(works.store, "commit", commit)
    return tried


@awaited
async def test_kills_that_arrive_together_are_one_batch_and_one_ack(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        for seq in range(1, 101):
            await ours.kill(seq)
        await ours.idle()
        assert ours.acks() == [100]
        assert await ours.store.log.last(ours.link.lane) == 100


@awaited
async def test_nothing_is_acknowledged_before_it_is_stored(tmp_path: Path, hasty: None) -> None:
    async with works(tmp_path) as ours:
        await ours.kill(1)
        await ours.idle()
        assert ours.acks() == [1]
        before = ours.exact()
        with closing(sqlite3.connect(ours.store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for seq in range(2, 6):
                await ours.kill(seq)
            waiting = asyncio.create_task(ours.idle())
            await asyncio.sleep(1)
            assert not waiting.done()
            assert ours.sent() == []
            stored = other.execute("SELECT count(*) FROM events WHERE kind = 'kill'").fetchone()
            assert stored == (1,)
            other.execute("ROLLBACK")
        await waiting
        assert ours.acks() == [5]
        assert ours.exact() != before
        live = ours.exact()
        await ours.ledger.load()
        assert ours.exact() == live
        assert ours.ladder.player("ann").events == 5
        rows = ours.rows("SELECT seq FROM events WHERE kind = 'kill'")
        assert rows == [(1,), (2,), (3,), (4,), (5,)]


@awaited
async def test_a_commit_that_fails_leaves_no_trace_and_is_tried_again_until_it_succeeds(
    tmp_path: Path, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with works(tmp_path / "a") as ours, works(tmp_path / "b") as untroubled:
        tried = failing(ours, monkeypatch, StoreUnavailable("disk full"), times=3)
        for seq in (1, 2, 3):
            await ours.kill(seq)
            await untroubled.kill(seq)
        await ours.idle()
        await untroubled.idle()
        assert len(tried) == 4
        assert len({batch.after for batch in tried}) == 1
        assert tried[0] == tried[-1]
        assert ours.exact() == untroubled.exact()
        assert ours.acks() == [3]


@awaited
async def test_when_another_process_wrote_to_the_log_the_batch_is_made_anew_behind_it(
    tmp_path: Path, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with works(tmp_path) as ours:
        other = await Store.open(ours.store.path)
        try:
            entries = [entry async for entry in other.log.read()]
            foreign = structs.replace(entries[0], position=2, seq=2, kind="death", ladder=None)
            await other.commit(Batch(after=1, entries=[foreign]))
        finally:
            await other.close()
        await ours.kill(1)
        await ours.idle()
        assert ours.acks() == [1]
        positions = ours.rows("SELECT position, kind FROM events")
        assert positions == [(1, "parameters"), (2, "death"), (3, "kill")]


@pytest.mark.parametrize("error", [StoreError("a rule was broken"), RuntimeError("a bug")])
@awaited
async def test_work_that_fails_for_good_leaves_the_ladders_as_they_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async with works(tmp_path) as ours:
        for seq in range(1, 30):
            await ours.kill(seq)
        await ours.idle()
        before, boundaries = ours.exact(), ours.ladder.boundaries
        failing(ours, monkeypatch, error, times=2)
        other = parse_config(settings(rating="rating: {parameters: {n_min: 3, mu_max: 1001}}"))
        for work in (
            partial(ours.upkeep.configure, other, now=NOW),
            partial(ours.upkeep.calibrate, now=NOW + 999_999),
        ):
            with pytest.raises(type(error)):
                await ours.engine.errand(work)
            assert ours.exact() == before
            assert ours.ladder.boundaries == boundaries
            assert ours.ladder.parameters == CONFIG.ladder("main").parameters
        assert ours.engine.config is CONFIG
        ours.sent()
        await ours.kill(30)
        await ours.idle()
        assert ours.acks() == [30]


@awaited
async def test_a_database_that_is_broken_for_good_ends_the_engine_and_everybody_hears_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "INBOX_CAPACITY", 8)
    async with works(tmp_path) as ours:
        failing(ours, monkeypatch, StoreRefused("damaged"), times=99)
        waiting = [asyncio.create_task(ours.idle()) for _ in range(30)]  # more than there is room
        await ours.kill(1)
        waiting += [asyncio.create_task(ours.idle()) for _ in range(30)]
        senders = [asyncio.create_task(ours.kill(seq)) for seq in range(2, 40)]
        assert ours.running is not None
        with pytest.raises(StoreRefused):
            await asyncio.wait_for(ours.running, PATIENCE)
        results = await asyncio.wait_for(
            asyncio.gather(*waiting, *senders, return_exceptions=True), PATIENCE
        )
        assert {type(result) for result in results} == {type(None), EngineStopped}
        with pytest.raises(EngineStopped):
            await ours.idle()
        await asyncio.wait_for(ours.kill(99), PATIENCE)
        await asyncio.wait_for(ours.engine.stop(), PATIENCE)
        assert ours.acks() == []


@awaited
async def test_an_errand_runs_after_all_that_came_before_it(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        seen = []

        async def look(number: int) -> None:
            seen.append((number, await ours.store.log.last(ours.link.lane)))

        tasks = []
        for seq in range(1, 2_001):
            await ours.kill(seq)
            if seq % 500 == 0:
                tasks.append(asyncio.create_task(ours.engine.errand(partial(look, seq))))
        await asyncio.gather(*tasks)
        assert [number for number, _ in seen] == [500, 1_000, 1_500, 2_000]
        assert all(stored >= number for number, stored in seen)


@awaited
async def test_what_came_behind_an_errand_is_rated_after_it(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        seen = []

        async def look() -> None:
            seen.append(ours.ladder.player("ann").events)

        looking = []
        for seq in (1, 2, 3):
            await ours.kill(seq)
            looking.append(asyncio.create_task(ours.engine.errand(look)))
            await asyncio.sleep(0)  # it is in its place
        await ours.kill(4)
        await asyncio.gather(*looking)
        assert seen == [1, 2, 3]


@awaited
async def test_an_errand_that_fails_fails_for_whoever_asked_and_for_nobody_else(
    tmp_path: Path,
) -> None:
    async with works(tmp_path) as ours:

        async def fail() -> None:
            raise ZeroDivisionError

        failed = asyncio.create_task(ours.engine.errand(fail))
        given_up = asyncio.create_task(ours.engine.errand(fail))
        await asyncio.sleep(0)
        given_up.cancel()
        await ours.kill(1)
        await ours.idle()
        with pytest.raises(ZeroDivisionError):
            await failed
        assert given_up.cancelled()
        assert ours.acks() == [1]


@awaited
async def test_stopping_finishes_what_came_before_and_refuses_what_comes_after(
    tmp_path: Path,
) -> None:
    async with works(tmp_path) as ours:
        for seq in range(1, 3_001):
            await ours.kill(seq)
        stopping = asyncio.create_task(ours.engine.stop())
        assert ours.running is not None
        await asyncio.wait_for(ours.running, PATIENCE)
        await stopping
        assert ours.acks()[-1] == 3_000
        assert await ours.store.log.last(ours.link.lane) == 3_000
        await ours.kill(3_001)
        with pytest.raises(EngineStopped):
            await ours.idle()
        assert await ours.store.log.last(ours.link.lane) == 3_000


@awaited
async def test_a_daemon_that_has_to_stop_does_not_wait_for_the_database(
    tmp_path: Path, hasty: None
) -> None:
    async with works(tmp_path) as ours:
        with closing(sqlite3.connect(ours.store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await ours.kill(1)
            await asyncio.sleep(0.2)
            ours.ledger.stop_waiting()
            assert ours.running is not None
            with pytest.raises(StoreUnavailable, match="locked"):
                await asyncio.wait_for(ours.running, PATIENCE)
        assert ours.acks() == []


@awaited
async def test_repeated_and_rejected_events_are_answered_and_only_new_ones_kept(
    tmp_path: Path,
) -> None:
    async with works(tmp_path) as ours:
        await ours.kill(1)
        await ours.engine.submit(Arrival(ours.link, [Rejected("bad_packet", "no", "{}", 2)], NOW))
        await ours.kill(2)
        await ours.kill(1)
        await ours.kill(3)
        await ours.idle()
        errors = [p for p in ours.sent() if p.__struct_config__.tag in ("error", "ack")]
        assert [json.loads(encode_frame([p])) for p in errors] == [
            {"type": "error", "code": "bad_packet", "text": "no", "seq": 2, "id": None},
            {"type": "ack", "seq": 3},
        ]
        rows = ours.rows("SELECT seq, kind FROM events WHERE lane > 1")
        assert rows == [(1, "kill"), (2, "rejected"), (3, "kill")]


@awaited
async def test_what_was_said_of_a_player_is_said_after_the_ack_and_once_a_batch(
    tmp_path: Path,
) -> None:
    async with works(tmp_path) as ours:
        for seq in range(1, 21):
            await ours.kill(seq, *(("ann", "bob") if seq % 3 else ("bob", "ann")))
        await ours.idle()
        tags = [packet.__struct_config__.tag for packet in ours.sent()]
        assert tags[0] == "ack"
        assert tags.count("label") == 2
        assert tags.count("broadcast") == 2  # both were placed; what came between is nobody's news


@awaited
async def test_an_announcement_finds_a_name_with_whoever_is_online(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        nameless = Kill(seq=1, time=NOW + 1, killer=Player("ann"), victim=Player("cid"))
        await ours.engine.submit(Arrival(ours.link, [nameless], NOW + 1))
        await ours.idle()
        said = [plain(p.text) for p in ours.sent() if isinstance(p, Broadcast)]
        assert [line.split()[1] for line in said] == ["Ann", "cid"]


@awaited
async def test_a_name_is_written_when_it_is_new_and_not_with_every_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with works(tmp_path) as ours:
        batches = failing(ours, monkeypatch, RuntimeError(), times=0)
        for seq, killer in enumerate(("ann", "ann", "cid", "ann"), start=1):
            await ours.kill(seq, killer)
            await ours.idle()
        renamed = Kill(seq=5, time=NOW, killer=Player("ann", "Anna"), victim=Player("bob", "bob"))
        await ours.engine.submit(Arrival(ours.link, [renamed], NOW))
        await ours.idle()
        written = [[row.name for row in batch.names] for batch in batches]
        assert written == [["ann", "bob"], [], ["cid"], [], ["Anna"]]
