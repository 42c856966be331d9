"""Another past, worked out beside the running daemon in a database of its own.

It runs in a process of its own and changes nothing but that file, so it may be killed and begun
anew at any moment.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from plugin_bridge.history.replay import CHUNK, Replay
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.verify import Progress, chunks
from plugin_bridge.store import Store


class Redone(Struct, frozen=True):
    """What a scratch database holds: the log up to `end`, as the amendments up to `revised` say."""

    end: int
    revised: int


def scratch_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.redone")


def remove(scratch: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        scratch.with_name(scratch.name + ending).unlink(missing_ok=True)


async def recompute(database: Path, scratch: Path, progress: Progress) -> Redone:
    """Rates the whole log again into a fresh scratch database, while the daemon goes on.

    Raises StoreError, or OSError when the old scratch file cannot be removed.
    Cost: linear in the log, some 60 µs a kill, and 2 µs in a calibration for each active player.
    """
    remove(scratch)
    source = await Store.read_only(database)
    try:
        async with opened(scratch) as target:
            return await _recompute(source, target, progress)
    finally:
        await source.close()


async def _recompute(source: Store, target: Store, progress: Progress) -> Redone:
    revision = Revision(await source.history.amendments())
    again, end = Replay(revision), 0
    async with target.as_one():
        async for chunk in chunks(source):
            await target.projection.put_outcomes(again.take(chunk))
            end = chunk[-1].position
            if len(chunk) < CHUNK:  # the daemon goes on from here
                break
            progress(end, await source.log.end())
        await target.projection.put_players(again.players())
        await target.projection.put_ladders(again.ladders())
        await target.projection.put_pairs(list(again.pairs()))
        await target.contests.put(again.contests())
        await target.seasons.put(again.seasons(), again.places())
    return Redone(end, revision.revised)


@asynccontextmanager
async def opened(scratch: Path) -> AsyncIterator[Store]:
    """A scratch database, for which nothing need be safe: it is made anew if anything fails."""
    store = await Store.open(scratch)
    try:
        await store.careless()
        yield store
    finally:
        await store.close()
