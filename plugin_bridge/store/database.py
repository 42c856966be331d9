"""One connection to the SQLite file: statements and transactions.

The only module that speaks to aiosqlite. Each connection has one user: two coroutines that
shared one would mix their statements into one transaction.
"""

import os
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiosqlite

from plugin_bridge.errors import JournalGone, StoreRefused, StoreUnavailable
from plugin_bridge.files import hand_over
from plugin_bridge.store.faults import DAMAGED, translated

BUSY_SECONDS = 5.0
_SMALLEST = 512
"""Bytes of the smallest database there is: a page."""
Row = tuple[Any, ...]
_Identity = tuple[int, int]


class Database:
    """An open connection. `opening` makes them."""

    def __init__(self, connection: aiosqlite.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._file = _identity(_status(path))
        self._beside = Path(f"{path}-wal"), Path(f"{path}-shm")
        self._journal: tuple[_Identity | None, ...] = ()
        self._journal_size = 0

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """All or nothing: durable when it ends, undone when anything in it raises.

        Raises JournalGone when it may not be durable: then it may be undone or not.
        """
        with translated(self._path):
            self.check_place()
            await self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._remember_journal()
                yield
                await self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    await self._connection.execute("ROLLBACK")
                raise
            self.check_place()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[None]:
        """Everything read inside is of one moment, however long it takes.

        Writers go on meanwhile, but the journal beside the file grows until it ends.
        """
        with translated(self._path):
            await self._connection.execute("BEGIN")
            try:
                yield
            finally:
                await self._connection.execute("COMMIT")

    def check_place(self) -> None:
        """SQLite goes on writing into a deleted file, which nobody would ever read again.

        Raises StoreUnavailable or JournalGone. Cost: three looks at the disk, some microseconds.
        """
        if _identity(_status(self._path)) != self._file:
            raise StoreUnavailable(
                f"{self._path}: the file was deleted, moved or replaced while it was in use; "
                "put it back, or restart the daemon to go on with what is there now"
            )
        journal = self._look_at_journal()
        if self._journal and _identities(journal) != self._journal:
            raise JournalGone(
                f"{self._path}: its journal ({self._beside[0].name} and {self._beside[1].name} "
                "beside it) was deleted, moved or replaced while it was in use"
            )
        size = journal[0].st_size if journal[0] else 0
        if size < self._journal_size:
            raise JournalGone(
                f"{self._path}: its journal ({self._beside[0].name} beside it) was cut short by "
                f"another program, from {self._journal_size} bytes to {size}"
            )
        self._journal_size = size

    def _look_at_journal(self) -> tuple[os.stat_result | None, ...]:
        """While a connection is open, SQLite keeps both files; nor does it ever shorten the
        journal, unless somebody asks it to (PRAGMA wal_checkpoint(TRUNCATE)).
        """
        return tuple(map(_status, self._beside))

    def _remember_journal(self) -> None:
        """Only in a transaction: before the first one there may be no journal yet."""
        if not self._journal:
            self._journal = _identities(self._look_at_journal())

    async def save_journal(self) -> None:
        """Moves what a journal holds that others can no longer see into the file.

        Does nothing with one that was only cut short, for what it held is not there any more.
        """
        if self._journal and _identities(self._look_at_journal()) != self._journal:
            await self.rows("PRAGMA wal_checkpoint(FULL)")

    async def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with translated(self._path):
            return [tuple(row) for row in await self._connection.execute_fetchall(sql, values)]

    async def stream(self, sql: str, values: Sequence[Any] = ()) -> AsyncIterator[Row]:
        """As `rows`, in constant memory."""
        with translated(self._path):
            async with self._connection.execute(sql, values) as cursor:
                cursor.arraysize = 2_000
                while rows := list(await cursor.fetchmany()):
                    for row in rows:
                        yield tuple(row)

    async def one(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        rows = await self.rows(sql, values)
        return rows[0] if rows else None

    async def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Runs one statement; the number of rows it changed."""
        with translated(self._path):
            async with self._connection.execute(sql, values) as cursor:
                return cursor.rowcount

    async def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with translated(self._path):
            await self._connection.executemany(sql, rows)

    async def check(self) -> None:
        """Looks at every page. Raises StoreRefused for a damaged file.

        Cost: linear in its size, about a second for 250 MB, longer where the disk is slow.
        """
        rows = await self.rows("PRAGMA integrity_check(3)")
        found = [" ".join(words.split()) for (words,) in rows]  # some come with line breaks
        if found != ["ok"]:
            raise StoreRefused(f"{self._path}: the file is damaged ({'; '.join(found)}); {DAMAGED}")

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


async def connect(path: Path, mode: str) -> Database:
    """`mode`: `rwc` to write, `ro` to read. Raises StoreRefused or StoreUnavailable."""
    address = f"{path.absolute().as_uri()}?mode={mode}"
    with translated(path):
        _check_size(path)
        sqlite3.connect(address, uri=True).close()  # aiosqlite leaves a thread behind if it cannot
        connection = await aiosqlite.connect(
            address, uri=True, isolation_level=None, timeout=BUSY_SECONDS
        )
    return Database(connection, path)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _identity(status: os.stat_result | None) -> _Identity | None:
    """What tells a file from another one of the same name; None where there is none."""
    return status and (status.st_dev, status.st_ino)


def _identities(statuses: tuple[os.stat_result | None, ...]) -> tuple[_Identity | None, ...]:
    return tuple(map(_identity, statuses))


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
