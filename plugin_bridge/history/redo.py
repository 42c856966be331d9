"""Another past, worked out beside the running daemon in a database of its own.

The long part runs in a process of its own and changes nothing but that file, so it may be killed
and begun anew at any moment. What has come into the log meanwhile is caught up with by the daemon,
between two batches, and then the new ratings take the place of the old ones in one transaction.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from plugin_bridge.arena import Arena
from plugin_bridge.draft import Draft
from plugin_bridge.history.replay import Replay
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.verify import Progress, chunks
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry

NEAR = 2_000
"""So few entries are left to the daemon: they keep everybody waiting."""


class Redone(Struct, frozen=True):
    """What a scratch database holds: the log up to `end`, read by the amendments up to `revised`.

    since: the first position that is read in another way than before; None if there is none.
    """

    end: int
    revised: int
    since: int | None


def scratch_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.redone")


def remove(scratch: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        scratch.with_name(scratch.name + ending).unlink(missing_ok=True)


async def recompute(database: Path, scratch: Path, progress: Progress) -> Redone:
    """Rates the whole log again into a fresh scratch database, while the daemon goes on.

    Raises StoreError, or OSError when the old scratch file cannot be removed.
    Cost: linear in the log, some 60 µs a kill, and 5 µs in a calibration for each active player.
    """
    remove(scratch)
    source = await Store.read_only(database)
    try:
        async with _opened(scratch) as target:
            return await _recompute(source, target, progress)
    finally:
        await source.close()


async def _recompute(source: Store, target: Store, progress: Progress) -> Redone:
    before = Revision(await source.history.amendments_in_force())
    revision = Revision(await source.history.amendments())
    again = Replay(revision)
    end, since = 0, None
    async with target.as_one():
        while (total := await source.log.end()) - end > (NEAR if end else 0):
            async for chunk in chunks(source, end):
                outcomes = again.take(chunk)
                end = chunk[-1].position
                since = since or _parting(chunk, before, revision)
                if since is not None:
                    kept = [row for row in outcomes if row.position >= since]
                    await target.projection.put_outcomes(kept)
                progress(end, max(total, end))
        await target.projection.put_players(again.players())
        await target.projection.put_ladders(again.ladders())
        await target.projection.put_pairs(list(again.pairs()))
        await target.contests.put(again.contests())
        await target.seasons.put(again.seasons(), again.places())
    return Redone(end, revision.revised, since)


def _parting(chunk: list[LogEntry], before: Revision, after: Revision) -> int | None:
    """The first position that two revisions read in different ways."""
    return next((e.position for e in chunk if before.reading(e) != after.reading(e)), None)


async def adopt(store: Store, scratch: Path, redone: Redone) -> None:
    """Catches up with the log and puts the new ratings in force. Only between two batches.

    Raises StoreError, with nothing changed. Cost: O(P) and what came meanwhile; then about a
    second for each million kills behind `since`.
    """
    async with _opened(scratch) as target:
        arena = Arena()
        arena.load(await target.load())
        arena.book.load(await target.contests.load())
        amendments = await store.history.amendments()
        arena.revision = Revision(a for a in amendments if a.position <= redone.revised)
        before = Revision(await store.history.amendments_in_force())
        end, since = redone.end, redone.since
        async with target.as_one():
            async for chunk in chunks(store, redone.end):
                since = since or _parting(chunk, before, arena.revision)
                await _follow(target, arena, chunk)
                end = chunk[-1].position
    await store.history.adopt(scratch, end=end, revised=redone.revised, since=since)


async def _follow(target: Store, arena: Arena, entries: list[LogEntry]) -> None:
    """As the engine does it: new parameters stand alone, for pairs may be forgotten with them."""
    draft = Draft()
    for entry in entries:
        alone = entry.kind == "parameters"
        if alone:
            await target.commit(draft.batch([], [], after=0))
            draft = Draft()
            await target.projection.settle_pairs(entry.ladder or "")
        arena.apply(entry, draft)
        if alone:
            await target.commit(draft.batch([], [], after=0))
            draft = Draft()
    await target.commit(draft.batch([], [], after=0))


@asynccontextmanager
async def _opened(scratch: Path) -> AsyncIterator[Store]:
    """A scratch database, for which nothing need be safe: it is made anew if anything fails."""
    store = await Store.open(scratch)
    try:
        await store.careless()
        yield store
    finally:
        await store.close()
