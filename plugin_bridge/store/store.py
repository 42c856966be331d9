"""The store as a whole: one writer for the engine, one connection for the rest, one to read."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from adr_core import Ladder
from plugin_bridge.errors import StoreError, StoreRefused
from plugin_bridge.heap import growing
from plugin_bridge.store.board import Board
from plugin_bridge.store.bulk import put
from plugin_bridge.store.contests import Contests
from plugin_bridge.store.database import Database, located
from plugin_bridge.store.faults import DAMAGED
from plugin_bridge.store.fights import Fights
from plugin_bridge.store.health import Health
from plugin_bridge.store.history import History
from plugin_bridge.store.lock import Lock
from plugin_bridge.store.log import Log, check_end
from plugin_bridge.store.opening import open_reader, open_writer
from plugin_bridge.store.past import Past
from plugin_bridge.store.people import People
from plugin_bridge.store.projection import Projection
from plugin_bridge.store.registry import Registry
from plugin_bridge.store.renewal import Renewal
from plugin_bridge.store.rows import Batch
from plugin_bridge.store.seasons import Seasons
from plugin_bridge.store.survey import Survey
from plugin_bridge.store.transfer import Transfer
from plugin_bridge.store.writing import written


class Store:
    """Made by `open` or `read_only`; `close` it in the end.

    Only the engine may call `commit`, `log.lane` and `load`; anyone may call the rest.
    """

    def __init__(self, writer: Database, side: Database, reader: Database, lock: Lock) -> None:
        self._connections = (writer, side, reader)
        self._writer = writer
        self._reader = reader
        self.path = lock.database
        self.lock = lock
        self.log = Log(writer, reader)
        self.projection = Projection(writer, reader)
        self.board = Board(reader)
        self.contests = Contests(writer, reader)
        self.past = Past(reader)
        self.people = People(writer, reader)
        self.registry = Registry(side, reader)
        self.health = Health(side, reader, lock)
        self.fights = Fights(reader)
        self.history = History(writer, side, reader, self.log)
        self.renewal = Renewal(writer)
        self.seasons = Seasons(writer, reader)
        self.survey = Survey(reader)
        self.transfer = Transfer(writer, reader)
        self._joint = False
        self._reading: asyncio.Task[tuple[int, dict[str, Ladder]]] | None = None

    @classmethod
    async def open(cls, path: Path, lock: Lock | None = None) -> "Store":
        """Opens the file, makes or migrates it. Raises StoreRefused or StoreUnavailable.

        `lock`: the file's, from those who have taken it already.
        """
        path = located(path)
        opened: list[Database] = []
        try:
            opened.append(await open_writer(path))
            place = opened[0].place
            opened.append(await open_writer(path, place))
            opened.append(await open_reader(path, place))
        except BaseException:
            for database in opened:
                await database.close()
            raise
        writer, side, reader = opened
        return cls(writer, side, reader, lock or Lock(path))

    @classmethod
    async def read_only(cls, path: Path) -> "Store":
        """For the command line: whatever would write fails. Raises as `open`."""
        reader = await open_reader(located(path))
        return cls(reader, reader, reader, Lock(path))

    def snapshot(self) -> AbstractAsyncContextManager[None]:
        """What is read inside, beside the engine, is of one moment."""
        return self._reader.snapshot()

    async def check(self, *, loading: bool = False) -> None:
        """Looks at everything. Raises StoreRefused if some of it is damaged. Cost: O(n).

        loading: meanwhile the ladders are read, for the next `load`.
        """
        if loading:
            self._reading = asyncio.create_task(self._read_ahead())
        await self._reader.check()
        if not await self.projection.consistent():
            raise StoreRefused(
                f"{self.path}: the ratings in it do not follow from its log of kills, so some were "
                f"lost or changed by another program; {DAMAGED}"
            )

    async def _read_ahead(self) -> tuple[int, dict[str, Ladder]]:
        """The end of the log, and the ladders as they are there."""
        with growing():
            return await self.log.end(), await self._ladders()

    @asynccontextmanager
    async def as_one(self) -> AsyncIterator[None]:
        """What is committed inside becomes durable as a whole, or not at all. Only for writers
        that nobody waits for: until the end nobody else can write.
        """
        async with self._writer.transaction():
            self._joint = True
            try:
                yield
            finally:
                self._joint = False

    async def commit(self, batch: Batch) -> None:
        """Writes a batch: all of it, durable on return, or nothing.

        Raises StaleAppend, StoreUnavailable or StoreRefused. Cost: O(log n) a row, and one sync.
        """
        work = partial(_write, batch)
        await (self._writer.carry_out(work) if self._joint else self._writer.transact(work))

    async def load(self) -> dict[str, Ladder]:
        """Every ladder by name, as it is stored. Cost: O(P), at start and after a failed commit."""
        reading, self._reading = self._reading, None
        end, ladders = await reading if reading else (None, {})
        for row in await self.projection.ladders():
            async with self._writer.transaction():
                await self.projection.settle_pairs(row.ladder)
        return ladders if end == await self.log.end() else await self._ladders()

    async def _ladders(self) -> dict[str, Ladder]:
        rows = await self.projection.ladders()
        return {row.ladder: await self.projection.ladder(row) for row in rows}

    async def careless(self) -> None:
        """For a database that may be lost: neither safe from a crash nor checked for a log."""
        await self._writer.run("PRAGMA synchronous = OFF")
        await self._writer.run("PRAGMA foreign_keys = OFF")

    def check_place(self) -> None:
        """Whether what is committed can be found again. Raises StoreRefused or StoreUnavailable."""
        self._writer.place.check()

    async def close(self) -> None:
        """The writers go last: only they can move the journal into the file and remove it. They
        go first where it was cut short: so it stays, for the next start to see what of it is whole.
        """
        try:
            if self._reading:
                with suppress(Exception):  # nobody needs it any more
                    await self._reading
            with suppress(StoreError):
                await self._writer.save_journal()
            order = self._connections if self._writer.place.cut else reversed(self._connections)
            for connection in dict.fromkeys(order):
                await connection.close()
        finally:
            self.lock.free()


def _write(batch: Batch, connection: sqlite3.Connection) -> None:
    if batch.entries:
        check_end(connection, batch.after)
    for sql, rows in written(batch):
        put(connection, sql, rows)
