"""How long a connection waits for an errand: not beyond the moment when the store gets stuck.

Whoever waits for the store does not read on, and nothing that comes behind would be answered.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from plugin_bridge.engine import Engine
from plugin_bridge.errors import BridgeError, StoreUnavailable

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.1
_TROUBLED = "the database cannot be used at the moment"

Work = Callable[[], Awaitable[None]]


async def in_time(engine: Engine, work: Work) -> None:
    """Waits for an errand; while the store is stuck it stays in its place, but nobody waits."""
    task = asyncio.ensure_future(engine.errand(work))
    while not (task.done() or engine.troubled):
        await asyncio.wait({task}, timeout=LOOK_SECONDS)
    if task.done():
        await task
    else:
        task.add_done_callback(_noted)


async def or_never(engine: Engine, work: Work) -> None:
    """Waits for an errand. Raises StoreUnavailable if it has not begun when the store is stuck, and
    then it never will.
    """
    begun = given_up = False

    async def unless_given_up() -> None:
        nonlocal begun
        if not given_up:
            begun = True
            await work()

    if engine.troubled:
        raise StoreUnavailable(_TROUBLED)
    task = asyncio.ensure_future(engine.errand(unless_given_up))
    while not task.done() and (begun or not engine.troubled):
        await asyncio.wait({task}, timeout=LOOK_SECONDS)
    if task.done():
        await task
        return
    given_up = True
    task.add_done_callback(_noted)
    raise StoreUnavailable(_TROUBLED)


def _noted(task: "asyncio.Future[None]") -> None:
    """What became of an errand that nobody waits for any more."""
    error = None if task.cancelled() else task.exception()
    if error and not isinstance(error, BridgeError):
        log.error("a fault in the daemon", exc_info=error)
