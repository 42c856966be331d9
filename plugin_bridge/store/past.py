"""What is stored of the ratings, row by row as values: for whoever compares it with a replay."""

import json

from adr_core import Parameters
from adr_core.doubles import doubles
from plugin_bridge.store.database import Database
from plugin_bridge.store.rows import LadderRow, OutcomeRow, PairRow, PlayerRow
from plugin_bridge.store.states import STATE

_PAIR = ", ".join(PairRow.__struct_fields__)


class Past:
    """Reads within the caller's snapshot."""

    def __init__(self, reader: Database) -> None:
        self._reader = reader

    async def outcomes(self, first: int, last: int) -> list[OutcomeRow]:
        """Those of the log's positions from `first` to `last`, in order."""
        rows = await self._reader.rows(
            "SELECT position, reason, probability, killer_before, killer_after, victim_before, "
            "victim_after, steps FROM outcomes WHERE position BETWEEN ? AND ? ORDER BY position",
            (first, last),
        )
        return [
            OutcomeRow(
                position=row[0],
                reason=row[1],
                probability=row[2],
                killer_before=row[3],
                killer_after=row[4],
                victim_before=row[5],
                victim_after=row[6],
                steps=row[7],
            )
            for row in rows
        ]

    async def first_with_steps(self) -> int | None:
        """The position of the first kill of which steps are kept; None if there is none."""
        row = await self._reader.one(
            "SELECT position FROM outcomes WHERE steps IS NOT NULL ORDER BY position LIMIT 1"
        )
        return int(row[0]) if row else None

    async def players(self) -> list[PlayerRow]:
        """Everybody with the whole record, by ladder and id. Cost: O(P)."""
        rows = await self._reader.rows(
            f"SELECT ladder, player, kills, deaths, best_streak, {STATE} FROM players "  # noqa: S608
            "ORDER BY ladder, player"
        )
        return [
            PlayerRow(
                ladder=ladder,
                player=player,
                packed=tuple(columns),
                kills=kills,
                deaths=deaths,
                best_streak=best_streak,
            )
            for ladder, player, kills, deaths, best_streak, *columns in rows
        ]

    async def ladders(self) -> list[LadderRow]:
        return await ladders_in(self._reader)

    async def pairs(self, ladder: str, remembered: int) -> list[PairRow]:
        """The pairs that a ladder remembers, the oldest arrival first; the table may hold more."""
        rows = await self._reader.rows(
            f"SELECT {_PAIR} FROM pairs WHERE ladder = ? ORDER BY position",  # noqa: S608
            (ladder,),
        )
        return [PairRow(*row) for row in rows[-remembered:]]


async def ladders_in(database: Database) -> list[LadderRow]:
    """Every ladder by name."""
    rows = await database.rows(
        "SELECT ladder, parameters, clock, boundaries FROM ladders ORDER BY ladder"
    )
    return [
        LadderRow(ladder, Parameters.from_dict(json.loads(parameters)), clock, tuple(doubles(blob)))
        for ladder, parameters, clock, blob in rows
    ]
