"""Ratings read straight from the database, for programs that do not hold the ladders in memory."""

from dataclasses import dataclass

from plugin_bridge.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player on a ladder, as stored. `tier` counts from 1, the best; None before placement."""

    ladder: str
    player: str
    name: str
    rank: int
    rating: float
    uncertainty: float
    tier: int | None
    fights: int
    kills: int
    deaths: int
    streak: int
    best_streak: int
    last_event: float | None


_SELECT = """
SELECT p.ladder, p.player, coalesce(nullif(n.name, ''), p.player),
       1 + (SELECT count(*) FROM players q
            WHERE q.ladder = p.ladder AND q.events > 0 AND q.mu > p.mu),
       p.mu, p.sigma, p.tier, p.events, p.kills, p.deaths, p.streak, p.best_streak, p.last_event
FROM players p LEFT JOIN people n USING (player)
"""


class Board:
    """Cost: a pass over a ladder's players for each row."""

    def __init__(self, reader: Database) -> None:
        self._reader = reader

    async def top(self, ladder: str, count: int) -> list[Standing]:
        rows = await self._reader.rows(
            f"{_SELECT} WHERE p.ladder = ? AND p.events > 0 ORDER BY p.mu DESC, p.player LIMIT ?",
            (ladder, count),
        )
        return [_standing(row) for row in rows]

    async def of(self, player: str) -> list[Standing]:
        """Where a player stands on every ladder; without `fights` since the last reset, nowhere."""
        rows = await self._reader.rows(f"{_SELECT} WHERE p.player = ? ORDER BY p.ladder", (player,))
        return [_standing(row) for row in rows]

    async def ladders(self) -> list[str]:
        return [name for (name,) in await self._reader.rows("SELECT ladder FROM ladders")]


def _standing(row: tuple[object, ...]) -> Standing:
    return Standing(**dict(zip(Standing.__slots__, row, strict=True)))  # type: ignore[arg-type]
