"""What follows from the log: players, outcomes, ladders and cooldown pairs.

Written in the same transaction as the log it follows from, so that the two never disagree.
"""

import sqlite3
from collections.abc import Sequence
from functools import partial

from adr_core import Ladder, LadderState
from adr_core.steps import PORTION
from plugin_bridge.store.database import Database
from plugin_bridge.store.past import ladders_in
from plugin_bridge.store.rows import (
    LadderRow,
    OutcomeRow,
    PairRow,
    PlayerRow,
    Record,
)
from plugin_bridge.store.states import STATE
from plugin_bridge.store.writing import (
    settled_pairs,
    written_ladders,
    written_outcomes,
    written_pairs,
    written_players,
)

_CONSISTENT = """
WITH records AS MATERIALIZED (
    SELECT ladder, sum(kills) AS kills, sum(deaths) AS deaths FROM players GROUP BY ladder
)
SELECT (SELECT count(*) = coalesce(max(position), 0) FROM events)
   AND (SELECT count(*) FROM events WHERE kind = 'kill') = (SELECT count(*) FROM outcomes)
   AND (SELECT count(*) FROM outcomes WHERE reason IS NULL)
       = (SELECT coalesce(sum(kills), 0) FROM records)
   AND (SELECT coalesce(sum(kills), 0) = coalesce(sum(deaths), 0) FROM records)
   AND NOT EXISTS (SELECT ladder FROM records EXCEPT SELECT ladder FROM ladders)
   AND NOT EXISTS (SELECT ladder FROM events JOIN lanes USING (lane)
                   WHERE server = '' AND kind = 'parameters' EXCEPT SELECT ladder FROM ladders)
   AND (SELECT count(*) FROM events WHERE kind = 'contest_start')
       = (SELECT count(*) FROM contests)
"""


class Projection:
    """Writes within the caller's transaction; each row costs O(log n)."""

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    async def put_outcomes(self, outcomes: Sequence[OutcomeRow]) -> None:
        await self._writer.run_many(*written_outcomes(outcomes))

    async def put_players(self, players: Sequence[PlayerRow]) -> None:
        """Replaces the states and adds to the records."""
        await self._writer.run_many(*written_players(players))

    async def put_ladders(self, ladders: Sequence[LadderRow]) -> None:
        await self._writer.run_many(*written_ladders(ladders))

    async def put_pairs(self, pairs: Sequence[PairRow]) -> None:
        await self._writer.run_many(*written_pairs(pairs))

    async def settle_pairs(self, ladder: str) -> None:
        """Drops the pairs that the ladder has forgotten under its parameters as they are stored.

        They are left lying until it matters: at a start, and before other parameters come.
        """
        await self._writer.run_many(*settled_pairs([ladder]))

    async def consistent(self) -> bool:
        """Whether it can have followed from the log, as far as a look at each row can tell.

        Somebody whose rating got lost would else be taken for a new player. Cost: O(n).
        """
        return bool((await self._reader.rows(_CONSISTENT))[0][0])

    async def ladders(self) -> list[LadderRow]:
        return await ladders_in(self._writer)

    async def ladder(self, row: LadderRow) -> Ladder:
        """A ladder with all its players, made beside the loop. Raises ValueError for a state that
        no ladder can have. Cost: O(P).
        """
        return await self._writer.carry_out(partial(_restored, row))

    async def record(self, ladder: str, player: str) -> Record:
        """All zeros for somebody without a counted fight."""
        row = await self._reader.one(
            "SELECT kills, deaths, best_streak FROM players WHERE ladder = ? AND player = ?",
            (ladder, player),
        )
        return Record(*row) if row else Record(0, 0, 0)


def _restored(row: LadderRow, connection: sqlite3.Connection) -> Ladder:
    """Whoever has not fought since a reset has a row for the record alone, and is not in it."""
    pairs = connection.execute(
        "SELECT killer, victim, time, flow FROM pairs WHERE ladder = ? ORDER BY position",
        (row.ladder,),
    )
    state = LadderState((), boundaries=row.boundaries, clock=row.clock, pairs=tuple(pairs))
    players = connection.execute(
        f"SELECT player, {STATE} FROM players WHERE ladder = ? AND events > 0",  # noqa: S608
        (row.ladder,),
    )
    return Ladder.restore(row.parameters, state, iter(partial(players.fetchmany, PORTION), []))
