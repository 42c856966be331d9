"""Builds everything by hand, starts it in order, and stops it in reverse."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from plugin_bridge.config import Config
from plugin_bridge.contests.referee import Referee
from plugin_bridge.engine import Engine
from plugin_bridge.errors import StoreRefused, StoreUnavailable
from plugin_bridge.heap import Heap, growing
from plugin_bridge.herald import Herald
from plugin_bridge.history.historian import Historian
from plugin_bridge.host import Host
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Links
from plugin_bridge.monitor import Monitor
from plugin_bridge.periodic import beside, repeat
from plugin_bridge.reporter import Reporter
from plugin_bridge.roster import Roster
from plugin_bridge.server.listening import Server
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

Ready = Callable[[Store, int], Awaitable[None]]
"""Called once when mods can connect, with the port."""


class Daemon:
    """All parts of a running daemon, around an open store."""

    def __init__(self, store: Store, config: Config, config_path: Path) -> None:
        started = time.time()
        self._store = store
        self._refusal: StoreRefused | None = None
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
            started=started,
        )
        self._historian = Historian(
            store=store, ledger=ledger, errand=engine.errand, changed=self._relabel
        )
        self._reporter = Reporter(
            store=store,
            ledger=ledger,
            links=links,
            monitor=monitor,
            historian=self._historian,
            started=started,
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
            started=started,
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
            repeat(self._server.drop_revoked, lambda: REPORT_SECONDS, first=0),
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
        self._heap.settle(self._ledger.end)
        await self._reporter.report(self._engine.config, address)

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
