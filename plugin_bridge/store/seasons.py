"""Boards of seasons that have ended, as they follow from the log."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

from plugin_bridge.store.database import Database
from plugin_bridge.store.rows import SeasonPlaceRow, SeasonRow

_SEASON = ", ".join(field.name for field in fields(SeasonRow))
_PLACE = ", ".join(field.name for field in fields(SeasonPlaceRow))
_BOARD = """
SELECT b.place, b.player, coalesce(nullif(n.name, ''), b.player), b.rating, b.uncertainty, b.tier,
       b.kills, b.deaths
FROM season_places b LEFT JOIN people n USING (player)
WHERE b.season = ? ORDER BY b.place, b.player LIMIT ? OFFSET ?
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A season that has ended. `tiers`: their names then, the best first."""

    season: int
    ladder: str
    name: str
    ended: float
    kept: float
    tiers: tuple[str, ...]
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of a final board; `kills` and `deaths` are those of the season."""

    place: int
    player: str
    name: str
    rating: float
    uncertainty: float
    tier: int | None
    kills: int
    deaths: int


class Seasons:
    """Writes within the caller's transaction."""

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    async def put(self, seasons: Sequence[SeasonRow], places: Sequence[SeasonPlaceRow]) -> None:
        """Cost: O(log n) a row."""
        for table, columns, rows in (
            ("seasons", _SEASON, seasons),
            ("season_places", _PLACE, places),
        ):
            marks = ",".join("?" * len(columns.split(",")))
            sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608
            await self._writer.run_many(sql, map(astuple, rows))

    async def rows(self) -> list[SeasonRow]:
        """All that ended, in the order of the log."""
        sql = f"SELECT {_SEASON} FROM seasons ORDER BY season"  # noqa: S608
        names = [field.name for field in fields(SeasonRow)]
        return [
            SeasonRow(**dict(zip(names, row, strict=True))) for row in await self._reader.rows(sql)
        ]

    async def places(self, season: int) -> list[SeasonPlaceRow]:
        """A whole board, the best first."""
        sql = f"SELECT {_PLACE} FROM season_places WHERE season = ? ORDER BY place, player"  # noqa: S608
        names = [field.name for field in fields(SeasonPlaceRow)]
        return [
            SeasonPlaceRow(**dict(zip(names, row, strict=True)))
            for row in await self._reader.rows(sql, (season,))
        ]

    async def all(self, ladder: str | None = None) -> list[Season]:
        """The seasons that ended, the latest first; of one ladder, or of all. Cost: O(places)."""
        rows = await self._reader.rows(
            f"SELECT {_SEASON}, (SELECT count(*) FROM season_places b "  # noqa: S608
            "WHERE b.season = s.season) FROM seasons s "
            "WHERE ?1 IS NULL OR ladder = ?1 ORDER BY season DESC",
            (ladder,),
        )
        return [
            Season(
                season=season,
                ladder=ladder,
                name=name,
                ended=ended,
                kept=kept,
                tiers=tuple(json.loads(tiers)),
                players=players,
            )
            for season, ladder, name, ended, kept, tiers, players in rows
        ]

    async def called(self, ladder: str, name: str) -> Season | None:
        """The season of that name, in any letter case; the latest, should there be several."""
        wanted = name.casefold()
        return next((s for s in await self.all(ladder) if s.name.casefold() == wanted), None)

    async def board(self, season: int, *, start: int, count: int) -> list[Place]:
        """Lines of a final board behind the first `start`. Cost: O(start + count)."""
        names = [field.name for field in fields(Place)]
        rows = await self._reader.rows(_BOARD, (season, count, start))
        return [Place(**dict(zip(names, row, strict=True))) for row in rows]
