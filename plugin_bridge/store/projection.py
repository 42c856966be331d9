"""What follows from the log: players, outcomes, ladders and cooldown pairs.

Written in the same transaction as the log it follows from, so that the two never disagree.
"""

import json
from collections.abc import Sequence
from typing import Any

from adr_core import LadderState, Parameters, PlayerState
from plugin_bridge.store.database import Database
from plugin_bridge.store.rows import (
    LadderRow,
    OutcomeRow,
    PairRow,
    PlayerRow,
    Record,
    pack,
    unpack,
)

_FIELDS = (
    "mu",
    "sigma",
    "streak",
    "trend",
    "pool",
    "events",
    "last_event",
    "returning",
    "tier",
    "promotion",
    "demotion",
    "window",
    "recent",
)
STATE = ", ".join(_FIELDS).replace("returning", "safeguarded")
"""The columns of a state; `returning` is a word of SQL."""
_REPLACED = ", ".join(f"{column} = excluded.{column}" for column in STATE.split(", "))


_CONSISTENT = """
SELECT (SELECT count(*) = coalesce(max(position), 0) FROM events)
   AND (SELECT count(*) FROM events WHERE kind = 'kill') = (SELECT count(*) FROM outcomes)
   AND (SELECT count(*) FROM outcomes WHERE reason IS NULL)
       = (SELECT coalesce(sum(kills), 0) FROM players)
   AND (SELECT coalesce(sum(kills), 0) = coalesce(sum(deaths), 0) FROM players)
   AND NOT EXISTS (SELECT ladder FROM players EXCEPT SELECT ladder FROM ladders)
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
        await self._writer.run_many(
            "INSERT INTO outcomes (position, reason, probability, killer_before, killer_after, "
            "victim_before, victim_after, steps) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    o.position,
                    o.reason,
                    o.probability,
                    o.killer_before,
                    o.killer_after,
                    o.victim_before,
                    o.victim_after,
                    o.steps,
                )
                for o in outcomes
            ],
        )

    async def put_players(self, players: Sequence[PlayerRow]) -> None:
        """Replaces the states and adds to the records."""
        await self._writer.run_many(
            f"INSERT INTO players (ladder, player, {STATE}, kills, deaths, best_streak) "  # noqa: S608
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
            "ON CONFLICT (ladder, player) DO UPDATE SET "
            f"{_REPLACED}, kills = kills + excluded.kills, deaths = deaths + excluded.deaths, "
            "best_streak = max(best_streak, excluded.best_streak)",
            (
                (p.ladder, p.player, *_columns(p.state), p.kills, p.deaths, p.best_streak)
                for p in players  # made beside the loop, as SQLite asks for them
            ),
        )

    async def put_ladders(self, ladders: Sequence[LadderRow]) -> None:
        await self._writer.run_many(
            "INSERT INTO ladders (ladder, parameters, clock, boundaries) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (ladder) DO UPDATE SET parameters = excluded.parameters, "
            "clock = excluded.clock, boundaries = excluded.boundaries",
            [
                (row.ladder, json.dumps(row.parameters.to_dict()), row.clock, pack(row.boundaries))
                for row in ladders
            ],
        )

    async def put_pairs(self, pairs: Sequence[PairRow]) -> None:
        await self._writer.run_many(
            "INSERT INTO pairs (ladder, killer, victim, time, position, flow) "
            "VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (ladder, killer, victim) DO UPDATE SET time = excluded.time, "
            "position = excluded.position, flow = excluded.flow",
            [(p.ladder, p.killer, p.victim, p.time, p.position, p.flow) for p in pairs],
        )

    async def settle_pairs(self, ladder: str) -> None:
        """Drops the pairs that the ladder has forgotten under its parameters as they are stored.

        They are left lying until it matters: at a start, and before other parameters come.
        """
        await self._writer.run(
            "DELETE FROM pairs WHERE ladder = ?1 AND position <= (SELECT max(position) FROM ("
            "SELECT position FROM pairs WHERE ladder = ?1 ORDER BY position DESC LIMIT -1 OFFSET "
            "coalesce((SELECT json_extract(parameters, '$.pairs_remembered') FROM ladders "
            "WHERE ladder = ?1), 0)))",
            (ladder,),
        )

    async def consistent(self) -> bool:
        """Whether it can have followed from the log, as far as a look at each row can tell.

        Somebody whose rating got lost would else be taken for a new player. Cost: O(n).
        """
        return bool((await self._reader.rows(_CONSISTENT))[0][0])

    async def ladders(self) -> list[LadderRow]:
        rows = await self._writer.rows(
            "SELECT ladder, parameters, clock, boundaries FROM ladders ORDER BY ladder"
        )
        return [
            LadderRow(ladder, Parameters.from_dict(json.loads(parameters)), clock, unpack(blob))
            for ladder, parameters, clock, blob in rows
        ]

    async def state(self, row: LadderRow) -> LadderState:
        """The whole state of a ladder, ready to be loaded, with all pairs as yet. Cost: O(P).

        Whoever has not fought since a reset has a row for the record alone, and is not in it.
        """
        players = [
            (player, state_of(columns))
            async for player, *columns in self._writer.stream(
                f"SELECT player, {STATE} FROM players WHERE ladder = ? AND events > 0",  # noqa: S608
                (row.ladder,),
            )
        ]
        pairs = await self._writer.rows(
            "SELECT killer, victim, time, flow FROM pairs WHERE ladder = ? ORDER BY position",
            (row.ladder,),
        )
        return LadderState(
            players=tuple(players),
            boundaries=row.boundaries,
            clock=row.clock,
            pairs=tuple((row[0], row[1], row[2], row[3]) for row in pairs),
        )

    async def record(self, ladder: str, player: str) -> Record:
        """All zeros for somebody without a counted fight."""
        row = await self._reader.one(
            "SELECT kills, deaths, best_streak FROM players WHERE ladder = ? AND player = ?",
            (ladder, player),
        )
        return Record(*row) if row else Record(0, 0, 0)

    async def count_kills(self) -> int:
        """Rated kills so far, over all ladders."""
        row = await self._reader.one("SELECT coalesce(sum(kills), 0) FROM players")
        return int(row[0]) if row else 0


def _columns(state: PlayerState) -> tuple[object, ...]:
    return (
        state.mu,
        state.sigma,
        state.streak,
        state.trend,
        state.pool,
        state.events,
        state.last_event,
        state.returning,
        state.tier,
        state.promotion,
        state.demotion,
        pack(state.window),
        pack(state.recent),
    )


def state_of(columns: Sequence[Any]) -> PlayerState:
    """A state from the columns `STATE`."""
    mu, sigma, streak, trend, pool, events, last, returning, tier, up, down, window, recent = (
        columns
    )
    return PlayerState(
        mu,
        sigma,
        streak,
        trend,
        pool,
        events,
        last,
        unpack(window),
        tier,
        up,
        down,
        unpack(recent),
        returning,
    )
