"""What another past has made of the ladders, kept up with the log until it is put in force."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from plugin_bridge.arena import Arena
from plugin_bridge.draft import Draft
from plugin_bridge.errors import StaleAppend
from plugin_bridge.heap import growing
from plugin_bridge.history.redo import Redone, opened
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.verify import chunks
from plugin_bridge.store import Store
from plugin_bridge.store.rows import Batch, LogEntry

NEAR = 500
"""So few entries, some hundredths of a second, are left for the moment of the change."""
Errand = Callable[[Callable[[], Awaitable[None]]], Awaitable[None]]
"""Has something done between two batches."""


class Successor:
    """Made by `load`. The tables of the store's `renewal` hold the same past, up to its first end.

    What comes behind that is rated beside the loop, and then written to them between two batches.
    """

    def __init__(self, store: Store, arena: Arena, redone: Redone) -> None:
        self._store = store
        self._arena = arena
        self._end = redone.end
        self._revised = redone.revised
        self._batches: list[tuple[Sequence[str], Batch]] = []
        """To be written in this order; the pairs of ladders that are named are settled before."""

    @classmethod
    async def load(cls, store: Store, scratch: Path, redone: Redone) -> "Successor":
        """Raises StoreError. Cost: O(P)."""
        arena = Arena()
        amendments = await store.history.amendments()
        arena.revision = Revision(a for a in amendments if a.position <= redone.revised)
        async with opened(scratch) as source:
            with growing():
                arena.load(await source.load())
            arena.book.load(await source.contests.load())
        return cls(store, arena, redone)

    async def catch_up(self, errand: Errand) -> None:
        """Follows the log until its end is near, or comes no nearer. Raises StoreError."""
        left = sys.maxsize
        while NEAR < (now := await self._store.log.end() - self._end) < left:
            left = now
            await self._follow()
            while self._batches:
                await errand(self._write_first)

    async def put_in_force(self) -> Arena:
        """Lets the other past take the place of what is stored; the ladders that go with it. Only
        between two batches. Raises StoreError, with nothing changed in the store.

        Cost: that of the last entries.
        """
        await self._follow()
        async with self._store.as_one():
            if await self._store.log.end() != self._end:
                raise StaleAppend(f"the log does not end at {self._end} any more")
            await self._write(len(self._batches))
            await self._store.renewal.put_in_force()
            await self._store.history.goes_by(self._revised)
        return self._arena

    async def _write_first(self) -> None:
        async with self._store.as_one():
            await self._write(1)

    async def _write(self, count: int) -> None:
        """Writes the first batches to the tables that will be put in force."""
        now, self._batches = self._batches[:count], self._batches[count:]
        for settled, batch in now:
            await self._store.renewal.write(batch, settled=settled)

    async def _follow(self) -> None:
        async for chunk in chunks(self._store, self._end):
            self._batches += await asyncio.to_thread(list, self._rated(chunk))
            self._end = chunk[-1].position

    def _rated(self, entries: Sequence[LogEntry]) -> Iterator[tuple[Sequence[str], Batch]]:
        """As the engine does it: new parameters stand alone, for pairs may be forgotten by them."""
        for alone, together in groupby(entries, key=_alone):
            draft, settled = Draft(), list[str]()
            for entry in together:
                self._arena.apply(entry, draft)
                if alone and entry.ladder:
                    settled.append(entry.ladder)
            yield settled, draft.batch([], [], after=0)


def _alone(entry: LogEntry) -> int:
    """Another number for each entry that nothing else may stand beside; else 0."""
    return entry.position if entry.kind == "parameters" else 0
