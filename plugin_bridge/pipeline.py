"""Batches of events on their way: rated, committed, and only then answered.

While one is being committed, what comes is rated and makes the next one. If the commit fails, both
are rated anew.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from plugin_bridge.answers import Answer, answer_to, tell
from plugin_bridge.arrivals import Arrival, news_of
from plugin_bridge.config import Config
from plugin_bridge.draft import Draft
from plugin_bridge.errors import BridgeError
from plugin_bridge.herald import Herald
from plugin_bridge.intake import set_aside
from plugin_bridge.ledger import Ledger, Rated
from plugin_bridge.protocol.packets import Rejected
from plugin_bridge.roster import Roster
from plugin_bridge.store.rows import LogEntry, NameRow

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Next:
    """The batch that is being rated. `config`: in force meanwhile; `weight`: packets in it."""

    config: Config
    rated: Rated
    arrivals: list[Arrival] = field(default_factory=list)
    weight: int = 0


@dataclass(frozen=True, slots=True)
class _Flight:
    """A batch that is being committed."""

    arrivals: Sequence[Arrival]
    config: Config
    task: "asyncio.Task[None]"


class Pipeline:
    """Only the engine's task may use it. `stir` is called when a commit has come to its end."""

    def __init__(
        self, ledger: Ledger, herald: Herald, roster: Roster, *, stir: Callable[[], None]
    ) -> None:
        self._ledger = ledger
        self._herald = herald
        self._roster = roster
        self._stir = stir
        self._next: _Next | None = None
        self._flight: _Flight | None = None

    @property
    def weight(self) -> int:
        """Packets that are rated and wait for being committed."""
        return self._next.weight if self._next else 0

    async def rate(self, arrivals: Sequence[Arrival], config: Config) -> None:
        """Rates what has come, however far a commit is."""
        ours = self._next = self._next or _Next(config, self._ledger.begin())
        ours.arrivals += arrivals
        ours.weight += sum(len(arrival.packets) for arrival in arrivals)
        try:
            self._ledger.rate(ours.rated, partial(self._news, arrivals, config))
        except Exception as error:
            await self._start_over(ours, error)

    async def launch(self) -> None:
        """Lets what is rated be committed, unless another batch still is."""
        if self._flight is None or self._flight.task.done():
            await self.clear()
            await self._take_off()

    async def clear(self) -> None:
        """Returns when nothing is being committed any more."""
        flight, self._flight = self._flight, None
        if flight is None:
            return
        try:
            await flight.task
        except Exception as error:
            ahead, self._next = self._next, None
            await self._settle(flight.arrivals, flight.config, error)
            if ahead:
                await self._settle(ahead.arrivals, ahead.config)

    async def land(self) -> None:
        """Returns when everything that is rated is committed."""
        await self.clear()
        await self._take_off()
        await self.clear()

    async def _take_off(self) -> None:
        ours, self._next = self._next, None
        if ours is None:
            return
        try:
            batch = ours.rated.batch()
        except Exception as error:
            await self._start_over(ours, error)
            return
        commit = asyncio.create_task(self._ledger.store(batch))
        await asyncio.sleep(0)  # it is under way before anything else is thought of
        answer = self._answer(ours.arrivals, ours.config, ours.rated.draft)
        task = asyncio.create_task(self._told(commit, answer))
        task.add_done_callback(lambda _: self._stir())
        self._flight = _Flight(ours.arrivals, ours.config, task)

    async def _told(self, commit: "asyncio.Task[None]", answer: Answer) -> None:
        await commit
        tell(answer, self._herald)

    async def _start_over(self, ours: _Next, error: Exception) -> None:
        """After a fault in what was rated: what is being committed has nothing to do with it."""
        self._next = None
        await self.clear()
        await self._settle(ours.arrivals, ours.config, error)

    async def _settle(
        self, arrivals: Sequence[Arrival], config: Config, error: Exception | None = None
    ) -> None:
        """Rates and commits them, with nothing else under way. `error`: see `Ledger.write`."""
        try:
            draft = await self._ledger.write(partial(self._news, arrivals, config), error=error)
        except (BridgeError, MemoryError):
            raise
        except Exception as fault:
            await self._settle_apart(arrivals, config, fault)
        else:
            tell(self._answer(arrivals, config, draft), self._herald)

    async def _settle_apart(
        self, arrivals: Sequence[Arrival], config: Config, fault: Exception
    ) -> None:
        """One event that a bug does not let through must not keep back all others for ever."""
        apart = [replace(one, packets=[packet]) for one in arrivals for packet in one.packets]
        if len(apart) > 1:
            for arrival in apart:
                await self._settle([arrival], config)
            return
        (arrival,) = apart
        (packet,) = arrival.packets
        if isinstance(packet, Rejected):
            raise fault
        log.error(
            "a fault in the daemon; this event is kept but not rated: %s", packet, exc_info=fault
        )
        await self._settle([replace(arrival, packets=[set_aside(packet)])], config)

    def _news(
        self, arrivals: Sequence[Arrival], config: Config
    ) -> tuple[list[LogEntry], list[NameRow]]:
        return news_of(arrivals, config, self._ledger, self._roster)

    def _answer(self, arrivals: Sequence[Arrival], config: Config, draft: Draft) -> Answer:
        return answer_to(arrivals, draft, config, self._ledger, self._herald)
