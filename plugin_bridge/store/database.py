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

from plugin_bridge.errors import StoreRefused, StoreUnavailable
from plugin_bridge.files import hand_over
from plugin_bridge.store.faults import DAMAGED, translated

BUSY_SECONDS = 5.0
_SMALLEST = 512
"""Bytes of the smallest database there is: a page."""
Row = tuple[Any, ...]


class Database:
    """An open connection. `opening` makes them."""

    def __init__(self, connection: aiosqlite.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._file = _identity(path)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """All or nothing: durable when it ends, undone when anything in it raises."""
        with translated(self._path):
            self._check_place()
            await self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                await self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    await self._connection.execute("ROLLBACK")
                raise

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

    def _check_place(self) -> None:
        """SQLite goes on writing into a deleted file, which nobody would ever read again."""
        if _identity(self._path) != self._file:
            raise StoreUnavailable(
                f"{self._path}: the file was deleted, moved or replaced while it was in use; "
                "put it back, or restart the daemon to go on with what is there now"
            )

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


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _check_size(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one, and would write over it."""
    if 0 < path.stat().st_size < _SMALLEST:
        raise StoreRefused(f"{path}: this is no database; {DAMAGED}")


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
