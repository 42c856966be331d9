"""Work that is done again and again beside everything else."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager

from plugin_bridge.errors import BridgeError, EngineStopped

log = logging.getLogger(__name__)


@asynccontextmanager
async def beside(work: Coroutine[object, object, None]) -> AsyncIterator["asyncio.Task[None]"]:
    """Runs something for as long as the block lasts."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


async def repeat(
    work: Callable[[], Awaitable[None]], pause: Callable[[], float], *, first: float
) -> None:
    """Does the work after `first` seconds and then after each pause, which may change meanwhile.

    A failure is logged and ends nothing. When this is cancelled, work that has begun is finished.
    """
    await asyncio.sleep(first)
    while True:
        if not await _whole(_calm(work)):
            return
        await asyncio.sleep(pause())


async def _calm(work: Callable[[], Awaitable[None]]) -> bool:
    """Does the work, whatever comes of it; False when there is no sense in doing it again."""
    try:
        await work()
    except EngineStopped:
        return False
    except BridgeError as error:
        log.error("%s", error)
    except Exception:
        log.exception("a fault in the daemon; it goes on")
    return True


async def _whole(work: Coroutine[object, object, bool]) -> bool:
    """Does the work to its end, also when this is cancelled meanwhile.

    Cut in the middle of a transaction, a database connection would be left in an unknown state.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
