"""Builds everything by hand, starts it in order, and stops it in reverse."""

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from plugin_bridge.alone import opened, turn
from plugin_bridge.config import Config
from plugin_bridge.contests.referee import Referee
from plugin_bridge.engine import Engine
from plugin_bridge.errors import (
    JournalGone,
    StoreError,
    StoreRefused,
    StoreUnavailable,
)
from plugin_bridge.heap import Heap, ease, growing, let_go
from plugin_bridge.herald import Herald
from plugin_bridge.history.historian import Historian
from plugin_bridge.host import Host
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Links
from plugin_bridge.monitor import Monitor
from plugin_bridge.periodic import beside, repeat
from plugin_bridge.roster import Roster
from plugin_bridge.server.listening import Server
from plugin_bridge.status import (
    picture,
    with_mods,
)
from plugin_bridge.store import Store
from plugin_bridge.upkeep import Upkeep
from plugin_bridge.watch import LOOK_SECONDS, Watch

log = logging.getLogger(__name__)

LOOK_AROUND_SECONDS = 10.0
REPORT_SECONDS = 5.0
TOP_SECONDS = 5.0
CALIBRATION_LOOK_SECONDS = 1.0
"""How often it is asked whether one is due: a shorter interval counts from when it is saved."""
EVENT_LOOK_SECONDS = 0.5
GUARD_SECONDS = 1.0
HISTORY_LOOK_SECONDS = 1.0
FORCED_EXIT_CODE = 130
SWITCH_SECONDS = 0.001
"""How long the loop lets the threads that commit and calibrate wait for the interpreter."""

Ready = Callable[[Store, int], Awaitable[None]]
"""Called once when mods can connect, with the port."""


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


class Daemon:
    """All parts of a running daemon, around an open store."""

    def __init__(self, store: Store, config: Config, config_path: Path) -> None:
        self._started = time.time()
        self._store = store
        self._refusal: StoreRefused | None = None
        self._troubled_since: float | None = None
        self._links = links = Links()
        self._monitor = monitor = Monitor()
        self._heap = Heap()
        self._ledger = ledger = Ledger(store)
        roster = Roster()
        herald = Herald(
            links=links,
            roster=roster,
            ladders=ledger.ladders,
            names=ledger.names,
            revision=lambda: ledger.revision,
        )
        self._herald = herald
        self._engine = engine = Engine(ledger, herald, config, roster)
        self._upkeep = upkeep = Upkeep(
            engine=engine, ledger=ledger, herald=herald, links=links, store=store
        )
        self._referee = referee = Referee(
            engine=engine,
            ledger=ledger,
            links=links,
            roster=roster,
            store=store,
            started=self._started,
        )
        self._historian = Historian(
            store=store, ledger=ledger, errand=engine.errand, changed=self._relabel
        )
        self._watch = watch = Watch(config_path, engine=engine, upkeep=upkeep)
        host = Host(
            engine=engine,
            ledger=ledger,
            herald=herald,
            links=links,
            roster=roster,
            monitor=monitor,
            store=store,
            upkeep=upkeep,
            referee=referee,
            started=self._started,
        )
        self._server = Server(
            engine=engine, host=host, links=links, store=store, reload=watch.apply
        )

    @property
    def config(self) -> Config:
        """The settings in force."""
        return self._engine.config

    @property
    def end(self) -> int:
        """The last position of the log."""
        return self._ledger.end

    async def serve(self, ready: Ready, stop: asyncio.Event, *, known: int = 0) -> None:
        """Runs until `stop` is set. Raises BridgeError when the store fails for good.

        `known`: the last position of the log that was once stored.
        """
        config, now = self._engine.config, time.time()
        with growing():
            await self._ledger.load()
        if self.end < known:
            log.error(
                "the database has lost its last %d log entries, and whatever else was stored with "
                "them, such as new tokens; what the mods still have comes again",
                known - self.end,
            )
        async with AsyncExitStack() as running:
            working = await running.enter_async_context(self._working())
            await self._engine.errand(partial(self._upkeep.configure, config, now=now))
            port = await self._server.start(config.listen)
            running.push_async_callback(self._server.stop)
            for job in self._jobs(f"{config.listen.host}:{port}"):
                await running.enter_async_context(beside(job))
            running.callback(self._historian.stop)
            await ready(self._store, port)
            async with beside(_until(stop)) as waiting, beside(self._guard()) as guarding:
                ends = [waiting, working, guarding]
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            log.info("stopping")
            self._ledger.stop_waiting()
        if self._refusal:
            raise self._refusal

    def _jobs(self, address: str) -> tuple[Coroutine[object, object, None], ...]:
        """What goes on beside the kills. `address`: where this daemon really listens."""
        return (
            repeat(self._watch.look, lambda: LOOK_SECONDS, first=LOOK_SECONDS),
            repeat(self._look_around, lambda: LOOK_AROUND_SECONDS, first=0),
            repeat(partial(self._report, address), lambda: REPORT_SECONDS, first=0),
            repeat(self._refresh_tops, lambda: TOP_SECONDS, first=TOP_SECONDS),
            repeat(self._historian.look, lambda: HISTORY_LOOK_SECONDS, first=0),
            repeat(self._calibrate, lambda: CALIBRATION_LOOK_SECONDS, first=0),
            repeat(self._look_at_events, lambda: EVENT_LOOK_SECONDS, first=0),
        )

    @asynccontextmanager
    async def _working(self) -> AsyncIterator["asyncio.Task[None]"]:
        """The engine's task. In the end it finishes what has come before."""
        task = asyncio.create_task(self._engine.run())
        try:
            yield task
        finally:
            if not task.done():
                await self._engine.stop()
            await task

    async def _look_around(self) -> None:
        connected = [link.server for link in self._links]
        await self._monitor.look(self._engine.config.servers, connected, now=time.time())

    async def _guard(self) -> None:
        """Looks after the database's files also while nothing is stored; ends with its journal, or
        when some of it was found damaged.
        """
        while not self._refusal:
            await asyncio.sleep(GUARD_SECONDS)
            try:
                self._store.check_place()
            except StoreRefused as error:
                self._refusal = error
            except StoreUnavailable:
                pass  # whoever wants to store something will say so

    async def _report(self, address: str) -> None:
        """Leaves word for `adr-bridge status`, in the database or why that cannot be."""
        self._heap.settle(self._ledger.end)
        lock = self._store.lock
        try:
            await self._report_into_store(address)
        except StoreError as error:
            self._troubled_since = self._troubled_since or time.time()
            lock.say(str(error), since=self._troubled_since)
            raise
        if self._troubled_since:
            self._troubled_since = None
            lock.say()

    async def _report_into_store(self, address: str) -> None:
        """What is the matter here; and lets go of revoked servers."""
        await self._server.drop_revoked()
        now = time.time()
        self._monitor.expect([server for server, _ in await self._store.registry.all()])
        config = self._engine.config
        views = self._monitor.views(config.servers, (link.server for link in self._links))
        await self._store.health.put(
            picture(
                with_mods(views, self._links),
                started=self._started,
                address=address,
                events=self._ledger.end,
                players={
                    name: len(ladder.players) for name, ladder in self._ledger.ladders.items()
                },
                rated_again=self._historian.progress,
            ),
            now=now,
        )

    def _relabel(self) -> None:
        self._herald.relabel_all(self._engine.config)

    async def _refresh_tops(self) -> None:
        await self._engine.errand(self._upkeep.refresh_tops)

    async def _look_at_events(self) -> None:
        await self._engine.errand(partial(self._referee.look, now=time.time()))

    async def _calibrate(self) -> None:
        await self._engine.errand(partial(self._upkeep.calibrate_when_due, now=time.time()))


async def _until(stop: asyncio.Event) -> None:
    await stop.wait()


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
