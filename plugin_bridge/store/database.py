"""One connection to the SQLite file: opening, pragmas, migrations, transactions, errors.

The only module that speaks to aiosqlite. Each connection has one user: two coroutines that
shared one would mix their statements into one transaction.
"""

import os
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import aiosqlite

from plugin_bridge.errors import StoreError, StoreRefused, StoreUnavailable
from plugin_bridge.store.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION

BUSY_SECONDS = 5.0
_SMALLEST = 512
"""Bytes of the smallest database there is: a page."""
_DAMAGED = "move it away and restore your last backup"
_FOR_GOOD = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
Row = tuple[Any, ...]


class Database:
    """An open connection. Made by `open_writer` or `open_reader`."""

    def __init__(self, connection: aiosqlite.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """All or nothing: durable when it ends, undone when anything in it raises."""
        with _translated(self._path):
            await self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                await self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    await self._connection.execute("ROLLBACK")
                raise

    async def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with _translated(self._path):
            return [tuple(row) for row in await self._connection.execute_fetchall(sql, values)]

    async def stream(self, sql: str, values: Sequence[Any] = ()) -> AsyncIterator[Row]:
        """As `rows`, in constant memory."""
        with _translated(self._path):
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
        with _translated(self._path):
            async with self._connection.execute(sql, values) as cursor:
                return cursor.rowcount

    async def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with _translated(self._path):
            await self._connection.executemany(sql, rows)

    async def copy_to(self, target: Path) -> None:
        """Copies everything, as of one moment, into a new file; nobody who writes has to wait.

        Cost: linear in the size of the database.
        """
        with _translated(target):
            _make(target)
            async with aiosqlite.connect(target) as copy:
                await self._connection.backup(copy)

    async def close(self) -> None:
        await self._connection.close()


async def open_writer(path: Path) -> Database:
    """Opens the file for writing; makes it (for its owner only) or migrates it where needed.

    Raises StoreRefused for a file that is foreign, newer or damaged, StoreUnavailable when it
    cannot be opened or written now.
    """
    with _translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    database = await _connect(path, "rwc")
    try:
        await _migrate(database, path)
    except BaseException:
        await database.close()
        raise
    return database


def _make(path: Path) -> None:
    """Makes an empty file for its owner only, if there is none.

    A file that exists is not even opened. Closing it would, as POSIX has it, undo every lock that
    this process holds on it, and another program could then take the journal away from under us.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if path.is_dir():
        raise StoreUnavailable(f"{path}: this is a directory, not a file")


async def open_reader(path: Path) -> Database:
    """Opens an existing file for reading only. Raises as `open_writer`."""
    if not path.exists():
        raise StoreUnavailable(
            f"{path}: there is no database yet; start the daemon once to make it"
        )
    database = await _connect(path, "ro")
    try:
        if await _version(database, path) != SCHEMA_VERSION:
            raise StoreRefused(
                f"{path}: start this version's daemon once, so that it migrates the file"
            )
    except BaseException:
        await database.close()
        raise
    return database


async def _connect(path: Path, mode: str) -> Database:
    with _translated(path):
        _check_size(path)
        connection = await aiosqlite.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            timeout=BUSY_SECONDS,
        )
    return Database(connection, path)


def _check_size(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one, and would write over it."""
    if 0 < path.stat().st_size < _SMALLEST:
        raise StoreRefused(f"{path}: this is no database; {_DAMAGED}")


async def _version(database: Database, path: Path) -> int:
    """The schema version of a file of ours; 0 for an empty one."""
    tables = await database.one("SELECT 1 FROM sqlite_schema LIMIT 1")
    # in this order: where another process has just made tables, the marks are there as well
    mark = (await database.rows("PRAGMA application_id"))[0][0]
    version: int = (await database.rows("PRAGMA user_version"))[0][0]
    if tables and mark != APPLICATION_ID:
        raise StoreRefused(
            f"{path}: this is another program's database; name another file under storage.database"
        )
    if version > SCHEMA_VERSION:
        raise StoreRefused(
            f"{path}: written by a newer adr-bridge (schema {version}, this one knows up to "
            f"{SCHEMA_VERSION}); update adr-bridge or restore an older copy of the file"
        )
    return version if tables else 0


async def _migrate(database: Database, path: Path) -> None:
    await _version(database, path)
    await database.rows("PRAGMA journal_mode = WAL")
    await database.run("PRAGMA synchronous = FULL")
    await database.run("PRAGMA foreign_keys = ON")
    while await _version(database, path) < SCHEMA_VERSION:
        async with database.transaction():
            step = await _version(database, path)  # again: another process may have been faster
            if step < SCHEMA_VERSION:
                for statement in _statements(MIGRATIONS[step]):
                    await database.run(statement)
                await database.run(f"PRAGMA application_id = {APPLICATION_ID}")
                await database.run(f"PRAGMA user_version = {step + 1}")


def _statements(script: str) -> Iterator[str]:
    """Splits a script: sqlite3's own way to run one would commit the transaction around it."""
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            yield text
            text = ""


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turns what SQLite and the system say into our own errors, with the file and what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _FOR_GOOD:
            raise StoreRefused(
                f"{path}: the file is damaged or no database ({error}); {_DAMAGED}"
            ) from error
        if isinstance(error, sqlite3.OperationalError):
            raise StoreUnavailable(f"{path}: {error}") from error
        raise StoreError(f"{path}: {error}") from error
    except OSError as error:
        raise StoreUnavailable(f"{path}: {error.strerror}") from error
