"""Other ratings, brought in beside those in force, and put in their place at one stroke.

Tables that nobody reads are filled from another database bit by bit, so that nobody waits long for
the writer. Then all change their names in one transaction, which takes no longer for more rows.
What is left over, the old tables or half-filled ones, is removed one after the other.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from plugin_bridge.store.bulk import put
from plugin_bridge.store.database import Database, Many
from plugin_bridge.store.rows import Batch
from plugin_bridge.store.writing import settled_pairs, written

STEP = 1_000
"""Rows that are written at a time: some 10 ms."""
_KEYS = {
    "ladders": "ladder",
    "players": "ladder, player",
    "pairs": "ladder, killer, victim",
    "outcomes": "position",
    "contests": "contest",
    "contest_standings": "contest, player",
    "contest_ratings": "ladder, player",
    "seasons": "season",
    "season_places": "season, player",
}
"""What follows from the log, by primary key; those that are referred to come first."""
_NAMED = re.compile(rf'\b(CREATE TABLE|REFERENCES|INTO|FROM) "?({"|".join(_KEYS)})\b"?')
_NEXT, _OLD = "next_", "old_"


class Renewal:
    """Only between two batches. Each step is a transaction of its own, and short."""

    def __init__(self, writer: Database) -> None:
        self._writer = writer

    async def begin(self) -> None:
        """Makes the tables to be filled; `clear` first."""
        async with self._writer.transaction():
            for table in _KEYS:
                row = await self._writer.one(
                    "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)
                )
                assert row is not None  # it was looked at when the file was opened
                await self._writer.run(_next(row[0]))

    async def fill(self, scratch: Path) -> bool:
        """Copies the next rows from another database; whether there may be more."""
        await self._writer.run("ATTACH DATABASE ? AS other", (str(scratch),))
        try:
            for table, key in _KEYS.items():
                if await self._copy(table, key):
                    return True
            return False
        finally:
            await self._writer.run("DETACH DATABASE other")

    async def _copy(self, table: str, key: str) -> int:
        last = await self._writer.one(
            f"SELECT {key} FROM {_NEXT}{table} "  # noqa: S608
            f"ORDER BY {key.replace(',', ' DESC,')} DESC LIMIT 1"
        )
        behind = f"WHERE ({key}) > ({', '.join('?' * len(last))})" if last else ""
        return await self._writer.run(
            f"INSERT INTO main.{_NEXT}{table} "  # noqa: S608
            f"SELECT * FROM other.{table} {behind} ORDER BY {key} LIMIT {STEP}",
            last or (),
        )

    async def write(self, batch: Batch, *, settled: Sequence[str] = ()) -> None:
        """Writes what has come since, within the caller's transaction, once the tables are filled.

        settled: ladders whose pairs are settled before. Cost: as when the engine commits it.
        """
        statements = (settled_pairs(settled), *written(batch))
        await self._writer.carry_out(partial(_write, statements))

    async def put_in_force(self) -> None:
        """Lets the filled tables take the place of the others, within the caller's transaction."""
        for table in _KEYS:
            await self._writer.run(f"ALTER TABLE {table} RENAME TO {_OLD}{table}")
            await self._writer.run(f"ALTER TABLE {_NEXT}{table} RENAME TO {table}")

    async def clear(self) -> bool:
        """Removes one table of those that are left over; whether there may be more."""
        rows = await self._writer.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        there = {name for (name,) in rows}
        for table in reversed(_KEYS):
            for left in {_OLD + table, _NEXT + table} & there:
                await self._drop(left)
                return True
        return False

    async def _drop(self, table: str) -> None:
        """Without writing zeros over it, as some builds of SQLite do: that takes ten times as long,
        and there is nothing in it but ratings.
        """
        ((was,),) = await self._writer.rows("PRAGMA secure_delete")
        await self._writer.rows("PRAGMA secure_delete = OFF")
        try:
            async with self._writer.transaction():
                await self._writer.run(f"DROP TABLE {table}")
        finally:
            await self._writer.rows(f"PRAGMA secure_delete = {was}")


def _next(sql: str) -> str:
    """The statement for the tables that are being filled."""
    return _NAMED.sub(rf"\1 {_NEXT}\2", sql)


def _write(statements: Iterable[Many], connection: sqlite3.Connection) -> None:
    for sql, rows in statements:
        put(connection, _next(sql), rows)
