"""The log, the ladders in memory and the numbering between them, kept in step with the store.

Only the engine's task may use it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat

from adr_core import Ladder
from plugin_bridge.arena import Arena
from plugin_bridge.contests.book import Book
from plugin_bridge.draft import Draft
from plugin_bridge.errors import StaleAppend, StoreError, StoreRefused, StoreUnavailable
from plugin_bridge.heap import growing
from plugin_bridge.history.revision import Revision
from plugin_bridge.numbering import Numbering
from plugin_bridge.protocol.packets import Player
from plugin_bridge.store import Store
from plugin_bridge.store.rows import Batch, LogEntry, NameRow

log = logging.getLogger(__name__)

RETRY_SECONDS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
NAMES_REMEMBERED = 50_000
LENGTHY = frozenset({"calibrate", "parameters"})
"""Kinds of entries that concern every player: rated beside the loop, which goes on meanwhile."""

Making = Callable[[], tuple[list[LogEntry], list[NameRow]]]
"""Makes what shall be written; called again after a failed commit, for the numbers may differ."""


@dataclass(frozen=True, slots=True)
class Rated:
    """What the ladders have taken in since a batch, and what it changed; nothing of it is stored.

    after: the last position before it.
    """

    after: int
    draft: Draft = field(default_factory=Draft)
    entries: list[LogEntry] = field(default_factory=list)
    names: list[NameRow] = field(default_factory=list)

    def batch(self, *, later: bool = False) -> Batch:
        """The rows of all this, with the ladders as they are now. Linear in what was touched.

        later: see `Draft.batch`.
        """
        return self.draft.batch(self.entries, self.names, after=self.after, later=later)


class Ledger:
    """Made with an open store; call `load` before anything else."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._arena = Arena()
        self._impatience = asyncio.Event()
        self.names: dict[str, str] = {}
        """Names lately written or about to be, by player."""
        self.lanes: dict[int, str] = {}
        """The server of each lane that was opened; '' for the daemon's own."""
        self.troubled = False
        """Whether the store could not be used and is being tried again."""
        self.own_lane = 0
        self._stored = Numbering()
        self.rated = Numbering()
        """How far the ladders go: beyond what is stored, while a batch is being committed."""
        self.failure: Exception | None = None
        """Why the ladders may differ from what is stored, for good: nobody may go on with them."""

    @property
    def ladders(self) -> dict[str, Ladder]:
        """The ladders by name. The mapping itself stays the same for ever."""
        return self._arena.ladders

    @property
    def book(self) -> Book:
        """The contests. The same for ever."""
        return self._arena.book

    @property
    def revision(self) -> Revision:
        """By which the ladders were rated; another one may take its place between two batches."""
        return self._arena.revision

    @property
    def end(self) -> int:
        """The last position of the log that is stored for good."""
        return self._stored.end

    async def load(self) -> None:
        """Takes everything from disk anew. Raises StoreError. Cost: O(P)."""
        stored = Numbering(await self._store.log.end())
        try:
            self._arena.book.load(await self._store.contests.load())
            self._arena.load(await self._store.load())
            self._arena.revision = Revision(await self._store.history.amendments_in_force())
        except ValueError as error:
            raise StoreRefused(
                f"{self._store.path}: the ratings in it make no sense ({error}); "
                "move it away and restore your last backup"
            ) from error
        for lane in self.lanes:
            stored.last[lane] = await self._store.log.last(lane)
        self._stored, self.rated = stored, stored.copy()
        self.names.clear()  # who knows which of them were written
        if not self.own_lane:
            self.own_lane = await self.open_lane("", "daemon")

    async def open_lane(self, server: str, spool: str) -> int:
        lane = await self._store.log.lane(server, spool)
        if lane not in self.lanes:
            self._stored.last[lane] = await self._store.log.last(lane)
            self.rated.last[lane] = self._stored.last[lane]
            self.lanes[lane] = server
        return lane

    def last(self, lane: int) -> int:
        """The last number of an open lane that is stored for good."""
        return self._stored.last[lane]

    def fresh_names(self, players: Iterable[Player], *, seen: float) -> list[NameRow]:
        """The names among these that are not yet written."""
        return [
            NameRow(p.id, p.name, seen)
            for p in players
            if p.name and self.names.get(p.id) != p.name
        ]

    def stop_waiting(self) -> None:
        """From now on a store that cannot be written is an error and not waited for."""
        self._impatience.set()

    def begin(self) -> Rated:
        """Room for what is rated next, ahead of what is stored."""
        return Rated(self.rated.end)

    def rate(self, onto: Rated, make: Making) -> None:
        """Rates what `make` makes; `store` the batch of it next, or let `write` know of the error.
        Whatever this raises, the ladders are out of step: `write` has to know as well.
        """
        entries, names = make()
        for entry in entries:
            self._arena.apply(entry, onto.draft)
        onto.entries.extend(entries)
        onto.names.extend(names)
        self.rated.follow(entries)
        if len(self.names) > NAMES_REMEMBERED:
            self.names.clear()
        self.names.update((row.player, row.name) for row in names)

    async def store(self, batch: Batch) -> None:
        """Commits it. It is durable on return. When this raises, the ladders are out of step."""
        if not batch.empty:
            await self._store.commit(batch)
        self._stored.follow(batch.entries)

    async def write(self, make: Making, *, error: Exception | None = None) -> Draft:
        """Rates and commits what `make` makes, however long the store takes to be able to.

        `error`: by which the ladders came out of step before. Returns what changed once it is
        durable. Raises StoreRefused when the store never will be able to, StoreUnavailable after
        `stop_waiting`, and an error that will not pass. What failed leaves no trace in the ladders.
        """
        pauses = _pauses()
        while True:
            if error:
                await self._recover(error, pauses)
            try:
                entries, names = make()
                if any(entry.kind in LENGTHY for entry in entries):
                    return await self._write_at_leisure(entries, names)
                draft, batch = self._rated(entries, names)
                await self.store(batch)
            except Exception as failure:
                error = failure
            else:
                return draft

    async def exchange(self, swap: Callable[[], Awaitable[Arena]]) -> None:
        """Lets `swap` put other ratings into the store, and goes on with its ladders.

        Raises what it raises; then what is stored is loaded, O(P), whatever it is.
        """
        try:
            arena = await swap()
        except BaseException:
            await self._put_back()
            raise
        self._arena.become(arena)

    async def _write_at_leisure(self, entries: list[LogEntry], names: list[NameRow]) -> Draft:
        """Rates and commits beside the loop; whoever has read the draft lets `shed` clear it away.

        What there is then is put out of the garbage collector's sight, which would stop everything
        to look at it.
        """
        with growing():
            draft, batch = await asyncio.to_thread(self._rated, entries, names, later=True)
            await self.store(batch)
            return draft

    async def shed(self, draft: Draft) -> None:
        """Clears a draft away beside the loop, once nobody reads it any more."""
        await asyncio.to_thread(draft.shed)

    def _rated(
        self, entries: list[LogEntry], names: list[NameRow], *, later: bool = False
    ) -> tuple[Draft, Batch]:
        rated = self.begin()
        self.rate(rated, lambda: (entries, names))
        return rated.draft, rated.batch(later=later)

    async def _recover(self, error: Exception, pauses: Iterator[float]) -> None:
        """Puts back, and raises the error unless it may pass."""
        if isinstance(error, (StoreUnavailable, StaleAppend)):
            await self._put_back(error, pause=next(pauses))
        else:
            await self._put_back()
            raise error

    async def _put_back(self, error: StoreError | None = None, *, pause: float = 0.0) -> None:
        """Makes the ladders again what is on disk; after an error that may pass, a pause first."""
        try:
            if error:
                await self._wait(error, pause)
            await self._reload()
        except Exception as failure:
            self.failure = failure
            raise
        self.troubled = False

    async def _reload(self) -> None:
        for pause in _pauses():
            try:
                await self.load()
                break
            except StoreUnavailable as error:
                await self._wait(error, pause)

    async def _wait(self, error: StoreError, pause: float) -> None:
        if self._impatience.is_set():
            raise error
        self.troubled = True
        log.error("cannot store, nothing is acknowledged; trying again in %g s: %s", pause, error)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._impatience.wait(), pause)


def _pauses() -> Iterator[float]:
    return chain(RETRY_SECONDS, repeat(RETRY_SECONDS[-1]))
