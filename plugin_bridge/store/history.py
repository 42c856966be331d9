"""Amendments of the past: those that are wanted, and how far the ratings take account of them.

An order waits here until the daemon takes it into the log, under its number in a lane of its own:
so it is taken once, whatever dies meanwhile. Until then it may be withdrawn. From then on what is
stored of the ratings is behind the log, until everything has been rated again and takes its place
at one stroke.
"""

from plugin_bridge.store.database import Database
from plugin_bridge.store.log import Log
from plugin_bridge.store.rows import LogEntry, OrderRow

LANE = ("", "history")
"""Server and spool of the lane that holds the amendments."""
_NOT_LOGGED = """
state != 'withdrawn' AND number > (
    SELECT coalesce(max(seq), 0) FROM events JOIN lanes USING (lane)
    WHERE (server, spool) = (?, ?)
)
"""
_WAITING = f"SELECT number, made, detail FROM orders WHERE {_NOT_LOGGED} ORDER BY number"  # noqa: S608
_TAKE = f"UPDATE orders SET state = 'taken' WHERE {_NOT_LOGGED}"  # noqa: S608
_WITHDRAW = (
    f"UPDATE orders SET state = 'withdrawn' WHERE {_NOT_LOGGED} "  # noqa: S608
    "AND state = 'waiting' AND number = ?"
)
_NEXT = """
SELECT 1 + max(
    coalesce((SELECT max(number) FROM orders), 0),
    coalesce((SELECT max(seq) FROM events JOIN lanes USING (lane)
              WHERE (server, spool) = (?, ?)), 0)
)
"""
"""The next number. A log that was brought in has amendments without orders."""


class History:
    """Only the engine may call `take` and `goes_by`; anyone may call the rest."""

    def __init__(self, writer: Database, side: Database, reader: Database, log: Log) -> None:
        self._writer = writer
        self._side = side
        self._reader = reader
        self._log = log

    async def order(self, detail: str, *, now: float) -> int:
        """Leaves an amendment for the daemon; the number of the order."""
        async with self._side.transaction():
            row = await self._side.one(_NEXT, LANE)
            assert row is not None
            await self._side.run(
                "INSERT INTO orders (number, made, detail) VALUES (?, ?, ?)", (row[0], now, detail)
            )
        return int(row[0])

    async def withdraw(self, number: int) -> bool:
        """Lets an order be as if it had never been given; False if it is too late for that."""
        return bool(await self._side.run(_WITHDRAW, (*LANE, number)))

    async def withdrawn(self, number: int) -> bool:
        """Whether somebody has withdrawn an order."""
        row = await self._reader.one("SELECT state FROM orders WHERE number = ?", (number,))
        return row == ("withdrawn",)

    async def take(self) -> list[OrderRow]:
        """The orders that wait. From now on nobody can withdraw them."""
        await self._writer.run(_TAKE, LANE)
        return await self.waiting()

    async def waiting(self) -> list[OrderRow]:
        """Orders that are not in the log yet."""
        return [OrderRow(*row) for row in await self._reader.rows(_WAITING, LANE)]

    async def amendments(self) -> list[LogEntry]:
        """Those in the log, in their order."""
        return await self._log.of_lane(*LANE)

    async def amendments_in_force(self) -> list[LogEntry]:
        """Those that all stored ratings go by."""
        revised = await self.revised()
        return [entry for entry in await self.amendments() if entry.position <= revised]

    async def revised(self) -> int:
        """The position of the last amendment that all stored ratings go by; 0 for none."""
        row = await self._reader.one("SELECT revised FROM revision")
        return int(row[0]) if row else 0

    async def behind(self) -> bool:
        """Whether the ratings do not yet go by all amendments in the log."""
        amendments = await self.amendments()
        return bool(amendments) and amendments[-1].position > await self.revised()

    async def logged(self, number: int) -> int | None:
        """The position in the log of an order that was taken into it."""
        row = await self._reader.one(
            "SELECT position FROM events JOIN lanes USING (lane) "
            "WHERE (server, spool) = (?, ?) AND seq = ?",
            (*LANE, number),
        )
        return int(row[0]) if row else None

    async def done(self, number: int) -> bool:
        """Whether an order is in the log and all ratings go by it."""
        position = await self.logged(number)
        return position is not None and position <= await self.revised()

    async def goes_by(self, revised: int) -> None:
        """Notes, within the caller's transaction, that all stored ratings go by the amendments up
        to that position.
        """
        await self._writer.run("UPDATE revision SET revised = ?", (revised,))
