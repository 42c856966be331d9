"""Questions over the whole log, for the command line: how the kills were that counted."""

from __future__ import annotations

from collections.abc import AsyncIterator

from plugin_bridge.store.database import Database
from plugin_bridge.store.rows import unpack

_COUNTED = """
FROM events JOIN outcomes USING (position)
WHERE ladder = ? AND kind = 'kill' AND reason IS NULL AND position <= ?
"""


class Survey:
    """Cost: a pass over the log for each question, unless something else is said.

    `end`: the last position to be looked at, so that several questions are about the same kills
    while more arrive.
    """

    def __init__(self, reader: Database) -> None:
        self._reader = reader

    async def count(self, ladder: str, *, end: int) -> int:
        """How many kills counted on a ladder."""
        row = await self._reader.one(f"SELECT count(*) {_COUNTED}", (ladder, end))
        return int(row[0]) if row else 0

    async def kills(
        self, ladder: str, *, end: int, skip: int = 0
    ) -> AsyncIterator[tuple[str, str, float]]:
        """Killer, victim and time of the kills that counted, as they arrived; in constant memory.

        The first `skip` of them are left out.
        """
        sql = f"SELECT killer, victim, time {_COUNTED} ORDER BY position LIMIT -1 OFFSET ?"
        async for killer, victim, time in self._reader.stream(sql, (ladder, end, skip)):
            yield killer, victim, time

    async def lately(self, ladder: str, *, since: float) -> list[tuple[float, tuple[float, ...]]]:
        """Rating and latest event times of whoever played after a time. Cost: O(P)."""
        rows = await self._reader.rows(
            "SELECT mu, recent FROM players WHERE ladder = ? AND last_event > ?", (ladder, since)
        )
        return [(mu, unpack(recent)) for mu, recent in rows]
