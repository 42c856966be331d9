"""Questions over the whole log, for the command line: how the kills were that counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from adr_core.doubles import doubles
from plugin_bridge.store.database import Database

_COUNTED = """
FROM events JOIN outcomes USING (position)
WHERE ladder = ? AND kind = 'kill' AND reason IS NULL AND position <= ?
"""

BINS = 10
"""Of the chances of a favourite, from a half to one."""

_FAVOURITE = "max(probability, 1.0 - probability)"
_LADDER_KILLS = """
FROM events JOIN outcomes USING (position)
WHERE ladder = ? AND kind = 'kill' AND time > ? AND position <= ?
"""


@dataclass(frozen=True, slots=True)
class Sighting:
    """An active player or one who was: rating, tier (1 is the best) and latest event times."""

    mu: float
    tier: int | None
    recent: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PairDay:
    """What one player did to another on one day (since 1970, UTC).

    kills: that counted; repeats: that did not. gained: points of the killer. chances and variance:
    sums of the probability that the counted kills had been given, and of p (1 - p).
    """

    killer: str
    victim: str
    day: int
    kills: int
    repeats: int
    gained: float
    chances: float
    variance: float


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Kills whose favourite had about the same chance: the sum of these, and favourites' wins."""

    count: int
    predicted: float
    happened: float


class Survey:
    """Cost: a pass over the log for each question, unless something else is said.

    `end`: the last position to be looked at, so that several questions are about the same kills
    while more arrive.
    """

    def __init__(self, reader: Database) -> None:
        self._reader = reader

    async def servers(self) -> list[str]:
        """The game servers that have ever reported anything. Cost: O(lanes)."""
        rows = await self._reader.rows(
            "SELECT DISTINCT server FROM lanes WHERE server != '' ORDER BY server"
        )
        return [str(row[0]) for row in rows]

    async def latest(self) -> float | None:
        """When the latest entry was taken; None for an empty log. O(log n)."""
        row = await self._reader.one("SELECT received FROM events ORDER BY position DESC LIMIT 1")
        return float(row[0]) if row else None

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

    async def lately(self, ladder: str, *, since: float) -> list[Sighting]:
        """Whoever played after a time. Cost: O(P)."""
        rows = await self._reader.rows(
            "SELECT mu, tier, recent FROM players WHERE ladder = ? AND last_event > ?",
            (ladder, since),
        )
        return [Sighting(mu, tier, tuple(doubles(recent))) for mu, tier, recent in rows]

    async def players(self, ladder: str) -> int:
        """How many players a ladder has. Cost: O(P)."""
        row = await self._reader.one(
            "SELECT count(*) FROM players WHERE ladder = ? AND events > 0", (ladder,)
        )
        return int(row[0]) if row else 0

    async def pair_days(self, ladder: str, *, since: float, end: int) -> list[PairDay]:
        """Every pair on every day after a time."""
        sql = f"""
            SELECT killer, victim, CAST(time / 86400 AS INTEGER) AS day,
                   sum(reason IS NULL), sum(reason IS NOT NULL),
                   coalesce(sum(killer_after - killer_before), 0.0),
                   coalesce(sum(probability), 0.0),
                   coalesce(sum(probability * (1.0 - probability)), 0.0)
            {_LADDER_KILLS} GROUP BY killer, victim, day ORDER BY day, killer, victim
        """
        rows = await self._reader.rows(sql, (ladder, since, end))
        return [PairDay(*row) for row in rows]

    async def calibration(self, ladder: str, *, since: float, end: int) -> list[CalibrationBin]:
        """The kills after a time that counted, by the chance that their favourite had had."""
        sql = f"""
            SELECT CAST(({_FAVOURITE} - 0.5) * {2 * BINS} AS INTEGER) AS bin, count(*),
                   sum({_FAVOURITE}),
                   sum(CASE WHEN probability > 0.5 THEN 1.0 WHEN probability = 0.5 THEN 0.5
                       ELSE 0.0 END)
            {_LADDER_KILLS} AND reason IS NULL GROUP BY min(bin, {BINS - 1}) ORDER BY bin
        """
        rows = await self._reader.rows(sql, (ladder, since, end))
        return [CalibrationBin(*row[1:]) for row in rows]
