"""What leaves the database as a whole table, and what comes back into it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from plugin_bridge.store.database import Database, Row
from plugin_bridge.store.rows import LogEntry

LANES = ("server", "spool")
OUTCOME = (
    "reason",
    "probability",
    "killer_before",
    "killer_after",
    "victim_before",
    "victim_after",
)
EVENT = LogEntry.__struct_fields__
"""Columns of an exported event: those of the log, of its lane, and of what became of it."""


@dataclass(frozen=True, slots=True)
class Known:
    """A kill, or without a killer a death, that is in the log of a server. `spool`: its lane's."""

    time: float
    killer: str | None
    victim: str
    spool: str


class Transfer:
    """Reading is in constant memory but for `known` and `seen`. Every call is O(rows).

    Whole tables are streams, as they come from the database: who may leave one early closes it.
    """

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    def events(self) -> AsyncGenerator[Row, None]:
        """The log in its order: the columns EVENT, LANES and OUTCOME."""
        columns = ", ".join(
            (
                *(f"e.{name}" for name in EVENT),
                *(f"l.{name}" for name in LANES),
                *(f"o.{name}" for name in OUTCOME),
            )
        )
        sql = (
            f"SELECT {columns} FROM events e JOIN lanes l USING (lane) "  # noqa: S608
            "LEFT JOIN outcomes o USING (position) ORDER BY e.position"
        )
        return self._reader.stream(sql)

    def names(self) -> AsyncGenerator[Row, None]:
        """Everybody's last known name: the columns of NameRow, by id."""
        return self._reader.stream("SELECT player, name, seen FROM people ORDER BY 1")

    def players(self) -> AsyncGenerator[Row, None]:
        """Every rated player, ladder by ladder from the top down; `tier` 1 is the best.

        Of equals, each has the rank of the first.
        """
        return self._reader.stream(
            "SELECT p.ladder, rank() OVER (PARTITION BY p.ladder ORDER BY p.mu DESC), p.player, "
            "coalesce(n.name, ''), p.mu, p.sigma, p.tier, p.events, "
            "p.kills, p.deaths, p.streak, p.best_streak, p.last_event "
            "FROM players p LEFT JOIN people n USING (player) WHERE p.events > 0 "
            "ORDER BY p.ladder, p.mu DESC, p.player"
        )

    def seasons(self) -> AsyncGenerator[Row, None]:
        """The boards of all seasons that ended, one after the other, the best first."""
        sql = (
            "SELECT s.name, s.ladder, s.ended, b.place, b.player, coalesce(n.name, ''), b.rating, "
            "b.uncertainty, b.tier, json_extract(s.tiers, '$[' || (b.tier - 1) || ']'), "
            "b.kills, b.deaths "
            "FROM seasons s JOIN season_places b USING (season) LEFT JOIN people n USING (player) "
            "ORDER BY s.season, b.place, b.player"
        )
        return self._reader.stream(sql)

    async def seen(self) -> dict[str, float]:
        """When each name was noted last, by player."""
        return {player: seen async for player, _, seen in self.names()}

    async def known(self, server: str) -> list[Known]:
        """The kills and deaths of a server."""
        rows = await self._reader.rows(
            "SELECT e.time, e.killer, e.victim, l.spool FROM events e JOIN lanes l USING (lane) "
            "WHERE l.server = ? AND e.kind IN ('kill', 'death')",
            (server,),
        )
        return [Known(*row) for row in rows]

    async def put_lane(self, lane: int, server: str, spool: str) -> bool:
        """Makes a lane with a number given elsewhere; False if it is, or has, another one here."""
        await self._writer.run(
            "INSERT INTO lanes (lane, server, spool) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (lane, server, spool),
        )
        row = await self._writer.one("SELECT server, spool FROM lanes WHERE lane = ?", (lane,))
        return row == (server, spool)

    async def counts(self) -> dict[str, int]:
        """How many log entries of each kind there are, and how many lanes and names."""
        kinds = await self._reader.rows("SELECT kind, count(*) FROM events GROUP BY kind")
        rest = await self._reader.rows(
            "SELECT 'lanes', count(*) FROM lanes UNION ALL SELECT 'names', count(*) FROM people "
            "UNION ALL SELECT 'players', count(*) FROM players"
        )
        return dict(kinds) | dict(rest)

    async def outcomes(self, after: int) -> dict[str | None, int]:
        """How many kills behind a position came to what; None: they counted."""
        rows = await self._reader.rows(
            "SELECT reason, count(*) FROM outcomes WHERE position > ? GROUP BY reason", (after,)
        )
        return dict(rows)
