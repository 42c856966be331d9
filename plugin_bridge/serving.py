"""The process of a daemon: its signals, its turn at the database, and starting anew."""

import asyncio
import logging
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from plugin_bridge.alone import opened, turn
from plugin_bridge.config import Config
from plugin_bridge.daemon import Daemon, Ready
from plugin_bridge.errors import JournalGone
from plugin_bridge.heap import ease, let_go

log = logging.getLogger(__name__)

FORCED_EXIT_CODE = 130
SWITCH_SECONDS = 0.001
"""How long the loop lets the threads that commit and calibrate wait for the interpreter."""


async def run(config: Config, config_path: Path, *, ready: Ready) -> None:
    """Serves until SIGINT or SIGTERM; a second signal ends the process at once.

    Raises BridgeError when it cannot start or cannot go on.
    """
    stop = _stop_signal()
    ease()
    sys.setswitchinterval(SWITCH_SECONDS)
    anew: tuple[int, Config] | None = (0, config)
    while anew:
        known, config = anew
        anew = await _serve(config, config_path, ready=ready, stop=stop, known=known)
        let_go()  # with the daemon that has ended goes all that it had loaded


async def _serve(
    config: Config, config_path: Path, *, ready: Ready, stop: asyncio.Event, known: int
) -> tuple[int, Config] | None:
    """None once it was told to stop. Where its journal was taken away instead, the last position
    of the log that is `known`, and the settings in force: with these it has to start anew.
    """
    if not await turn(config.storage.database, stop):
        return None
    async with opened(config.storage.database) as store:
        daemon = Daemon(store, config, config_path)
        try:
            await daemon.serve(ready, stop, known=known)
            return None
        except JournalGone as error:
            if stop.is_set():
                log.error("%s", error)
                return None
            log.error("%s; starting anew with what is stored", error)
    return daemon.end, replace(daemon.config, listen=config.listen, storage=config.storage)


def _stop_signal() -> asyncio.Event:
    """Set by the first SIGINT or SIGTERM; the second ends the process."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.is_set():
            os._exit(FORCED_EXIT_CODE)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, on_signal)
        except NotImplementedError:  # Windows: no loop handlers, but signals reach the main thread
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(on_signal))
    return stop
