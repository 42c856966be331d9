"""One connection to the SQLite file: statements and transactions.

The only module that speaks to aiosqlite. Each connection has one user: two coroutines that
shared one would mix their statements into one transaction.
"""

import os
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import aiosqlite

from plugin_bridge.errors import StoreError, StoreRefused, StoreUnavailable
from plugin_bridge.files import hand_over
from plugin_bridge.store.faults import DAMAGED, translated
from plugin_bridge.store.place import Place

BUSY_SECONDS = 5.0
_PAGE = 2_000
"""Rows that are fetched at a time."""
_SMALLEST = 512
"""Bytes of the smallest database there is: a page."""
_CHANGES = ("INSERT", "UPDATE", "DELETE")
"""Statements that are transactions of their own, unless they stand in one."""
Row = tuple[Any, ...]
Many = tuple[str, Iterable[Sequence[Any]]]
"""A statement, and the rows that it is run with."""
Work = Callable[[sqlite3.Connection], None]
_Result = TypeVar("_Result")


class Database:
    """An open connection. `opening` makes them."""

    def __init__(self, connection: "_Connection", place: Place) -> None:
        self._connection = connection
        self.place = place

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """All or nothing: durable when it ends, undone when anything in it raises.

        Raises JournalGone when it may not be durable: then it may be undone or not.
        """
        with self._translated():
            self.place.check()
            await self._connection.execute("BEGIN IMMEDIATE")
            try:
                self.place.remember_journal()
                yield
                self.place.check()  # behind a hole in the journal nothing would ever be read
                await self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    await self._connection.execute("ROLLBACK")
                raise
            self.place.check()

    async def transact(self, work: Work) -> None:
        """As a `transaction` with this work in it, in one go beside the loop: however busy the
        loop is, nothing has to wait for it.
        """
        with self._translated():
            await self._connection.carry_out(partial(self._transacted, work))

    def _transacted(self, work: Work, connection: sqlite3.Connection) -> None:
        self.place.check()
        connection.execute("BEGIN IMMEDIATE")
        try:
            self.place.remember_journal()
            work(connection)
            self.place.check()
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self.place.check()

    async def carry_out(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Does some work on the connection beside the loop, within the caller's transaction."""
        with self._translated():
            return await self._connection.carry_out(work)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[None]:
        """Everything read inside is of one moment, however long it takes.

        Writers go on meanwhile, but the journal beside the file grows until it ends.
        """
        with self._translated():
            await self._connection.execute("BEGIN")
            try:
                yield
            finally:
                await self._connection.execute("COMMIT")

    async def save_journal(self) -> None:
        """Moves what a journal holds that others can no longer see into the file.

        Does nothing with one that was only cut short, for what it held is not there any more.
        """
        if self.place.journal_is_elsewhere():
            await self.rows("PRAGMA wal_checkpoint(FULL)")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """What goes wrong inside is looked at before it is believed: see `Place.blame`."""
        try:
            with translated(self.place.path):
                yield
        except StoreError as error:
            self.place.blame(error)
            raise

    async def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with self._translated():
            return [tuple(row) for row in await self._connection.execute_fetchall(sql, values)]

    async def stream(self, sql: str, values: Sequence[Any] = ()) -> AsyncGenerator[Row, None]:
        """As `rows`, in constant memory. Who may leave it early closes it (`aclosing`)."""
        with self._translated():
            async with self._connection.execute(sql, values) as cursor:
                cursor.arraysize = _PAGE
                while rows := list(await cursor.fetchmany()):
                    for row in rows:
                        yield tuple(row)

    async def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        rows = await self.rows(sql, values)
        return rows[0] if rows else None

    async def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs one statement; the number of rows it changed. Raises as `transaction`."""
        alone = sql.startswith(_CHANGES) and not self._connection.in_transaction
        with self._translated():
            if alone:
                self.place.check()
            async with self._connection.execute(sql, values) as cursor:
                changed = cursor.rowcount
            if alone:
                self.place.check()
            return changed

    async def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._translated():
            await self._connection.executemany(sql, rows)

    async def check(self) -> None:
        """Looks at every page. Raises StoreRefused for a damaged file.

        Cost: linear in its size, about a second for 250 MB, longer where the disk is slow.
        """
        rows = await self.rows("PRAGMA integrity_check(3)")
        found = [" ".join(words.split()) for (words,) in rows]  # some come with line breaks
        if found != ["ok"]:
            raise StoreRefused(
                f"{self.place.path}: the file is damaged ({'; '.join(found)}); {DAMAGED}"
            )

    async def copy_to(self, target: Path) -> None:
        """Copies everything, as of one moment, into a new file; nobody who writes has to wait.

        Cost: linear in the size of the database.
        """
        with translated(target):
            make_file(target)
            async with aiosqlite.connect(target) as copy:
                await self._connection.backup(copy)

    async def close(self) -> None:
        await self._connection.close()


class _Connection(aiosqlite.Connection):
    """With a way to do several things on its thread, of which the loop hears only once."""

    async def carry_out(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        return cast(_Result, await self._execute(work, self._conn))  # type: ignore[no-untyped-call]


async def connect(path: Path, mode: str, place: Place | None = None) -> Database:
    """`mode`: `rwc` to write, `ro` to read. `place`: that of the store's other connections.

    Raises StoreRefused or StoreUnavailable.
    """
    address = f"{path.absolute().as_uri()}?mode={mode}"
    with translated(path):
        _check_size(path)
        sqlite3.connect(address, uri=True).close()  # aiosqlite leaves a thread behind if it cannot
        opening = partial(
            sqlite3.connect, address, uri=True, isolation_level=None, timeout=BUSY_SECONDS
        )
        connection = _Connection(opening, iter_chunk_size=_PAGE)
        await connection
    return Database(connection, place or Place(path))


def _check_size(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one, and would write over it."""
    if 0 < path.stat().st_size < _SMALLEST:
        raise StoreRefused(f"{path}: this is no database; {DAMAGED}")


def located(path: Path) -> Path:
    """Where a file really is: SQLite follows links as well, and keeps its journal there."""
    return Path(os.path.realpath(path))


def make_file(path: Path) -> None:
    """Makes an empty file, if there is none, for the owner of its folder only.

    A file that exists is not even opened. Closing it would, as POSIX has it, undo every lock that
    this process holds on it, and another program could then take the journal away from under us.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        hand_over(path.absolute().parent, path)
    if path.is_dir():
        raise StoreUnavailable(f"{path}: this is a directory, not a file")
