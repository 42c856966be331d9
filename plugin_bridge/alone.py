"""Working with the database while nobody else does: of two who try, one gets it."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from plugin_bridge.errors import DatabaseInUse, StoreError
from plugin_bridge.status import (
    SILENT_SECONDS,
    DaemonStatus,
    claim,
    last_picture,
    named,
    other_holder,
    picture,
)
from plugin_bridge.store import Store
from plugin_bridge.store.lock import Lock

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.2


async def turn(path: Path, stop: asyncio.Event) -> bool:
    """Waits while a command works with the database; False if it was told to stop meanwhile."""
    lock, said = Lock(path), False
    while not stop.is_set():
        holder = lock.look().holder
        if holder is None or not holder.errand:
            return True
        if not said:
            log.info("%s: waiting until it has ended", named(holder))
            said = True
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK_SECONDS)
    return False


@asynccontextmanager
async def opened(path: Path, *, errand: str = "") -> AsyncIterator[Store]:
    """The database, ours alone and whole. It is not even opened beside another daemon.

    `errand`: what a command does with it, for a daemon that waits for its end.
    """
    lock = Lock(path, errand)
    try:
        refuse_beside(other_holder(lock, now=time.time()))
        store = await Store.open(path, lock)
    except BaseException:
        lock.free()
        raise
    try:
        refuse_beside((await last_picture(store.health, now=time.time())).at_work)
        # before anything is written: a damaged file is left as it is
        await store.check(loading=not errand)
        async with _claimed(store, errand):
            yield store
    finally:
        await store.close()


@asynccontextmanager
async def _claimed(store: Store, errand: str) -> AsyncIterator[None]:
    """The database is ours meanwhile; of two that start at once only one gets here."""
    now = time.time()
    mine = picture((), started=now, address="nothing yet", events=0, players={}, errand=errand)
    refuse_beside(await claim(store.health, mine, now=now))
    try:
        yield
    finally:
        with suppress(StoreError):  # whoever asks will see that this process is gone
            await store.health.put({}, now=time.time())


def refuse_beside(other: DaemonStatus | None) -> None:
    """Raises DatabaseInUse if there is another process that works with this database.

    Two daemons would lose nothing, but each would announce and calibrate for itself.
    """
    if other and other.errand:
        raise DatabaseInUse(f"{named(other)}; start this again when it has ended")
    if other:
        raise DatabaseInUse(
            f"another adr-bridge (process {other.pid or 'unknown'}, on host "
            f"{other.host or 'unknown'}) is using this database; stop it first, or wait "
            f"{SILENT_SECONDS:.0f} s if it was killed on another machine"
        )
