"""Starts and ends contests, and keeps up with who takes part.

Each method is an errand: run it through the engine, never beside it. Nobody is told of anything
before it is stored.

A contest is over when its time is, and ended once all that happened in it must have been told of:
see `hearing`. Who comes or goes while it waits for that changes nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from plugin_bridge.contests import notices
from plugin_bridge.contests.book import RATED
from plugin_bridge.contests.charter import Charter, written
from plugin_bridge.contests.hearing import Hearing
from plugin_bridge.contests.notes import CANCEL, END, JOIN, LEAVE, START, VOID, Note, note
from plugin_bridge.contests.scoring import judged
from plugin_bridge.engine import Engine
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Links
from plugin_bridge.protocol.packets import FromDaemon
from plugin_bridge.roster import Roster
from plugin_bridge.store import Store
from plugin_bridge.store.rows import ContestRow, LogEntry, StandingRow

Joined = Literal["joined", "already", "closed", "over"]
Left = Literal["left", "absent", "over"]


class Referee:
    """`started`: when the daemon started, seconds since 1970."""

    def __init__(
        self,
        *,
        engine: Engine,
        ledger: Ledger,
        links: Links,
        roster: Roster,
        store: Store,
        started: float,
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._links = links
        self._roster = roster
        self._store = store
        self._hearing = Hearing(links, started=started)
        self._seen: dict[str, float] = {}
        """When a game server was last seen to be connected, while a contest was on there."""
        self.book = ledger.book

    # ---- asked for by players and admins

    async def start(
        self, server: str, ladder: str, *, minutes: float | None, name: str, now: float
    ) -> ContestRow:
        """Begins a contest where none is running. Without minutes, as long as config says."""
        rules = self._engine.config.events
        charter = Charter(
            server=server,
            name=name,
            seconds=60 * (minutes or rules.length),
            score=rules.score,
            entry=rules.entry,
            min_players=rules.min_players,
            ladder=rules.ladder,
            players=self._online(server) if rules.entry == "everybody" else [],
        )
        number = self.book.next
        await self._write([Note(START, number, ladder, now, detail=written(charter))], now=now)
        row = self.book.contests[number]
        self._tell(server, notices.started(self._engine.config, row, charter))
        return row

    async def join(self, row: ContestRow, player: str, *, now: float) -> Joined:
        if now > row.ends:
            return "over"
        if self._is_in(row, player):
            return "already"
        if not self.book.is_open(row.contest):
            return "closed"
        await self._write([note(JOIN, row, now, player)], now=now)
        return "joined"

    async def leave(self, row: ContestRow, player: str, *, now: float) -> Left:
        """`absent`: does not take part."""
        if now > row.ends:
            return "over"
        if not self._is_in(row, player):
            return "absent"
        await self._write([note(LEAVE, row, now, player)], now=now)
        return "left"

    async def stop(self, row: ContestRow, *, now: float) -> None:
        """Ends it now, or when its time was over, and rates it."""
        await self._end(row, at=min(now, row.ends), now=now)

    async def cancel(self, row: ContestRow, *, now: float) -> None:
        await self._write([note(CANCEL, row, now)], now=now)
        self._tell(row.server, notices.cancelled(self._engine.config, row))

    async def void(self, number: int, *, now: float) -> ContestRow | None:
        """Takes back what a contest did to ratings; None if there is no rated one of that number.

        Cost: linear in the standings of all contests of its ladder, some seconds for 100,000;
        kills wait meanwhile.
        """
        row = self.book.contests.get(number)
        if row is None or row.state != RATED:
            return None
        await self._write([note(VOID, row, now)], now=now)
        return row

    def leading(self, row: ContestRow) -> list[StandingRow]:
        """Who takes part, with places as they would be now, the best first."""
        charter = self.book.charter(row.contest)
        return judged(list(self.book.standings[row.contest].values()), charter.score)

    # ---- by itself

    async def returned(self, server: str, players: Sequence[str], *, now: float) -> None:
        """The game server is connected again, and these are on it.

        Whoever left it unseen does not stand any more. Those who died before are told of within
        SETTLE_SECONDS, with the time when they did. Of a server that was away when the time was
        over nobody knows who stood then: those who are there when it is back.
        """
        self._hearing.since(server, now=now)
        row = self.book.on(server)
        if row and self._is_placement(row) and self._seen.get(server, 0.0) < row.ends:
            standings = self.book.standings[row.contest].values()
            here = set(map(self.book.rated_as, players))
            gone = [s.player for s in standings if s.out is None and s.player not in here]
            at = min(now, row.ends)
            await self._write([note(LEAVE, row, at, player) for player in gone], now=now)
        await self.arrived(server, players, now=now)

    async def arrived(self, server: str, players: Iterable[str], *, now: float) -> None:
        """These are on the server now. Where everybody takes part, so do they."""
        row = self.book.on(server)
        if row is None or now > row.ends:
            return
        if self.book.charter(row.contest).entry != "everybody":
            return
        fresh = [p for p in players if self.book.standing(row.contest, p) is None]
        if fresh and self.book.is_open(row.contest):
            await self._write([note(JOIN, row, now, player) for player in fresh], now=now)

    async def left(self, server: str, player: str, *, now: float) -> None:
        """Whoever leaves the server while the last one standing is sought does not stand."""
        row = self.book.on(server)
        if row and self._is_placement(row):
            await self.leave(row, player, now=now)

    async def look(self, *, now: float) -> None:
        """Ends what is over."""
        for row in self.book.running:
            if self._hearing.since(row.server, now=now):
                self._seen[row.server] = now
            if self._decided(row) and self._hearing.heard_of(row.server, 0.0, now=now):
                await self._end(row, at=min(now, row.ends), now=now)
            elif now >= row.ends and self._hearing.heard_of(row.server, row.ends, now=now):
                await self._end(row, at=row.ends, now=now)

    def _decided(self, row: ContestRow) -> bool:
        """Whether nobody is left for the last one standing to outlast."""
        standings = self.book.standings[row.contest].values()
        standing = [s for s in standings if s.out is None]
        return self._is_placement(row) and len(standing) <= 1 < len(standings)

    async def _end(self, row: ContestRow, *, at: float, now: float) -> None:
        await self._write([note(END, row, at)], now=now)
        row, charter = self.book.contests[row.contest], self.book.charter(row.contest)
        standings = self.leading(row)
        names = await self._store.people.names([s.player for s in standings[: notices.TOP]])
        config = self._engine.config
        told = notices.results(config, row, standings, names, needed=charter.min_players)
        self._tell(row.server, told)
        here = {self.book.rated_as(player): player for player in self._online(row.server)}
        self._tell(row.server, notices.own_results(config, standings, here))

    # ---- helpers

    def _is_placement(self, row: ContestRow) -> bool:
        return self.book.charter(row.contest).score == "placement"

    def _is_in(self, row: ContestRow, player: str) -> bool:
        standing = self.book.standing(row.contest, player)
        return standing is not None and standing.out is None

    def _online(self, server: str) -> list[str]:
        return sorted(present.id for present in self._roster.online(server))

    def _tell(self, server: str, packets: Iterable[FromDaemon]) -> None:
        link = self._links.get(server)
        if link:
            link.outbox.push(*packets)

    async def _write(self, notes: list[Note], *, now: float) -> None:
        ledger = self._ledger

        def entries() -> list[LogEntry]:
            lane = ledger.own_lane
            end, last = ledger.end, ledger.last(lane)
            return [
                one.entry(position=end + number, lane=lane, seq=last + number, received=now)
                for number, one in enumerate(notes, start=1)
            ]

        if notes:
            await ledger.write(lambda: (entries(), []))
