"""The event log: append-only, one order for everything, numbered lanes for each writer in it."""

import sqlite3
from collections.abc import AsyncIterator

from plugin_bridge.errors import StaleAppend
from plugin_bridge.store.database import Database
from plugin_bridge.store.rows import LogEntry

_COLUMNS = ", ".join(LogEntry.__struct_fields__)


def check_end(connection: sqlite3.Connection, after: int) -> None:
    """Raises StaleAppend when the log does not end at `after`."""
    ((end,),) = connection.execute("SELECT coalesce(max(position), 0) FROM events")
    if end != after:
        raise StaleAppend(f"the log ends at {end}, not at {after}: another process wrote to it")


class Log:
    """The face the rest of the daemon sees: it names lanes and positions, never tables."""

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    async def lane(self, server: str, spool: str) -> int:
        """The number of a lane, made when it is new. One that is known needs no writing."""
        sought = ("SELECT lane FROM lanes WHERE server = ? AND spool = ?", (server, spool))
        row = await self._writer.one(*sought)
        if row is None:
            await self._writer.run(
                "INSERT INTO lanes (server, spool) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (server, spool),
            )
            row = await self._writer.one(*sought)
        assert row is not None  # it was just made
        return int(row[0])

    async def lanes_of(self, server: str) -> list[int]:
        """Every lane that a server has had, one for each spool."""
        rows = await self._reader.rows("SELECT lane FROM lanes WHERE server = ?", (server,))
        return [int(row[0]) for row in rows]

    async def last(self, lane: int) -> int:
        """The last `seq` that is stored for good in a lane; 0 for none."""
        row = await self._writer.one("SELECT max(seq) FROM events WHERE lane = ?", (lane,))
        return int(row[0] or 0) if row else 0

    async def last_time(self, lane: int, kind: str) -> float | None:
        """When the latest entry of that kind in a lane happened; None if there is none."""
        row = await self._writer.one(
            "SELECT time FROM events WHERE lane = ? AND kind = ? ORDER BY seq DESC LIMIT 1",
            (lane, kind),
        )
        return float(row[0]) if row else None

    async def first_time(self, lane: int) -> float:
        """When the first entry in a lane happened; 0 for an empty one."""
        row = await self._writer.one(
            "SELECT time FROM events WHERE lane = ? ORDER BY seq LIMIT 1", (lane,)
        )
        return float(row[0]) if row else 0.0

    async def end(self) -> int:
        """The last position; 0 for an empty log."""
        row = await self._writer.one("SELECT max(position) FROM events")
        return int(row[0] or 0) if row else 0

    async def read(self, after: int = 0) -> AsyncIterator[LogEntry]:
        """Entries behind a position, in order, in constant memory."""
        sql = f"SELECT {_COLUMNS} FROM events WHERE position > ? ORDER BY position"  # noqa: S608
        async for row in self._reader.stream(sql, (after,)):
            yield LogEntry(*row)

    async def some(self, after: int, count: int) -> list[LogEntry]:
        """At most so many entries behind a position, in order."""
        sql = f"SELECT {_COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?"  # noqa: S608
        return [LogEntry(*row) for row in await self._reader.rows(sql, (after, count))]

    async def of_lane(self, server: str, spool: str) -> list[LogEntry]:
        """Everything in a lane that is known to be short."""
        rows = await self._reader.rows(
            f"SELECT {_COLUMNS} FROM events WHERE lane = "  # noqa: S608
            "(SELECT lane FROM lanes WHERE server = ? AND spool = ?) ORDER BY seq",
            (server, spool),
        )
        return [LogEntry(*row) for row in rows]
