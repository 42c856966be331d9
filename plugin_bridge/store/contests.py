"""Contests as they follow from the log: written with it, and read for those who ask."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, fields

from plugin_bridge.store.database import Database, Many
from plugin_bridge.store.rows import ContestRatingRow, ContestRow, ContestRows, StandingRow

_Row = type[ContestRow] | type[StandingRow] | type[ContestRatingRow]


def _columns(row: _Row) -> str:
    return ", ".join(field.name for field in fields(row))


def _put(table: str, row: _Row) -> str:
    marks = ",".join("?" * len(fields(row)))
    return f"INSERT OR REPLACE INTO {table} ({_columns(row)}) VALUES ({marks})"  # noqa: S608


def _gone(table: str, *key: str) -> str:
    return f"DELETE FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in key)}"  # noqa: S608


_PUT_CONTEST = _put("contests", ContestRow)
_PUT_STANDING = _put("contest_standings", StandingRow)
_PUT_RATING = _put("contest_ratings", ContestRatingRow)
_STANDING_GONE = _gone("contest_standings", "contest", "player")
_RATING_GONE = _gone("contest_ratings", "ladder", "player")


def written(rows: ContestRows) -> Iterator[Many]:
    """What was changed, in an order in which every row finds what it refers to."""
    yield _PUT_CONTEST, map(astuple, rows.contests)
    yield _PUT_STANDING, map(astuple, rows.standings)
    yield _PUT_RATING, map(astuple, rows.ratings)
    yield _STANDING_GONE, rows.gone
    yield _RATING_GONE, rows.unrated


class Contests:
    """Writes within the caller's transaction; each row costs O(log n)."""

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    async def put(self, rows: ContestRows) -> None:
        for sql, changed in written(rows):
            await self._writer.run_many(sql, changed)

    async def load(self) -> ContestRows:
        """Everything. Cost: linear in all standings."""
        read = self._writer
        return ContestRows(
            contests=await _contests(read, "TRUE"),
            standings=await _standings(read, "TRUE"),
            ratings=[
                ContestRatingRow(*row)
                for row in await read.rows(
                    f"SELECT {_columns(ContestRatingRow)} FROM contest_ratings"  # noqa: S608
                )
            ],
        )

    async def latest(self, count: int) -> list[ContestRow]:
        """The contests that were started last, the latest first."""
        return await _contests(self._reader, "TRUE ORDER BY contest DESC LIMIT ?", count)

    async def one(self, contest: int) -> tuple[ContestRow, list[StandingRow]] | None:
        """A contest and who took part, the best first; None if there is no such."""
        found = await _contests(self._reader, "contest = ?", contest)
        order = "ORDER BY place IS NULL, place, kills DESC, deaths, player"
        standings = await _standings(self._reader, f"contest = ? {order}", contest)
        return (found[0], standings) if found else None

    async def sizes(self, contests: Sequence[int]) -> dict[int, int]:
        """How many took part in each of these."""
        marks = ",".join("?" * len(contests))
        rows = await self._reader.rows(
            "SELECT contest, count(*) FROM contest_standings "  # noqa: S608
            f"WHERE contest IN ({marks}) GROUP BY contest",
            contests,
        )
        return {int(contest): int(count) for contest, count in rows}

    async def of(self, ladder: str, player: str, count: int) -> list[StandingRow]:
        """A player's latest rated contests on a ladder, the latest first."""
        return await _standings(
            self._reader,
            "player = ? AND contest IN (SELECT contest FROM contests WHERE ladder = ? "
            "AND state = 'rated') ORDER BY contest DESC LIMIT ?",
            player,
            ladder,
            count,
        )


async def _contests(read: Database, where: str, *values: object) -> list[ContestRow]:
    names = [field.name for field in fields(ContestRow)]
    sql = f"SELECT {_columns(ContestRow)} FROM contests WHERE {where}"  # noqa: S608
    return [
        ContestRow(**dict(zip(names, row, strict=True))) for row in await read.rows(sql, values)
    ]


async def _standings(read: Database, where: str, *values: object) -> list[StandingRow]:
    names = [field.name for field in fields(StandingRow)]
    sql = f"SELECT {_columns(StandingRow)} FROM contest_standings WHERE {where}"  # noqa: S608
    rows = await read.rows(sql, values)
    return [StandingRow(**dict(zip(names, row, strict=True))) for row in rows]
