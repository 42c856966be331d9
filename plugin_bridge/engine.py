"""The one writer: takes what has arrived, in its order, batch by batch, with errands in between."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar, cast

from plugin_bridge.arrivals import Arrival
from plugin_bridge.config import Config
from plugin_bridge.errors import EngineStopped
from plugin_bridge.herald import Herald
from plugin_bridge.inbox import Inbox
from plugin_bridge.ledger import Ledger
from plugin_bridge.pipeline import Pipeline
from plugin_bridge.roster import Roster

log = logging.getLogger(__name__)

INBOX_CAPACITY = 2_048
"""Packets that may wait. They take a tenth of a second, which commands behind them wait as well."""
HANDFUL = 128
"""So many packets are rated at a time, a few milliseconds; then the loop turns."""
BATCH = 512
"""So many are committed as soon as may be; fewer only when nothing more is waiting."""
BATCH_LIMIT = 1_024
"""So many at most are committed together."""
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class _Errand:
    work: Callable[[], Awaitable[object]]
    done: "asyncio.Future[object]"

    async def carry_out(self) -> None:
        """Whoever asked for it gets the error, if there is one."""
        try:
            result = await self.work()
        except Exception as error:
            if not self.done.done():
                self.done.set_exception(error)
        else:
            if not self.done.done():
                self.done.set_result(result)


_Item = Arrival | _Errand | None
"""None: stop behind this."""


class Engine:
    """`run` it in one task; the other methods may be called from any other."""

    def __init__(
        self, ledger: Ledger, herald: Herald, config: Config, roster: Roster | None = None
    ) -> None:
        """Without a roster, nobody's address is known."""
        self.config = config
        """The configuration in force; replaced by an errand."""
        self._ledger = ledger
        self._over = asyncio.Event()
        self._inbox: Inbox[_Item] = Inbox(INBOX_CAPACITY)
        self._pipeline = Pipeline(ledger, herald, roster or Roster(), stir=self._inbox.stir)

    @property
    def troubled(self) -> bool:
        """Whether nothing goes on because the store cannot be used: errands would have to wait."""
        return self._ledger.troubled

    async def submit(self, arrival: Arrival) -> None:
        """Hands packets over; waits while the inbox is full, which holds back the sender."""
        if not self._over.is_set():
            await self._inbox.put(arrival, weight=len(arrival.packets))

    async def errand(self, work: Callable[[], Awaitable[_Result]]) -> _Result:
        """Runs something between two batches, after all packets that came before it.

        Raises what it raises, and EngineStopped when it will not be run any more.
        """
        if self._over.is_set():
            raise EngineStopped
        done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        await self._inbox.squeeze_in(_Errand(work, done))
        return cast(_Result, await done)

    async def stop(self) -> None:
        """Lets `run` finish what came before this call, and return."""
        if not self._over.is_set():
            await self._inbox.put(None)

    async def run(self) -> None:
        """Works until `stop`. Raises StoreError when it cannot go on.

        An errand that fails ends nothing, unless it left the ledger in an unknown state.
        """
        try:
            await self._work()
        finally:
            self._over.set()
            while not self._inbox.empty:
                _turn_away([self._inbox.take()[0]])
                await asyncio.sleep(0)  # whoever waited for room in the inbox comes in

    async def _work(self) -> None:
        items: list[_Item] = []
        while None not in items:
            items = await self._gather()
            try:
                await self._deal_with(items)
            finally:
                _turn_away(items)
        await self._pipeline.land()

    async def _deal_with(self, items: list[_Item]) -> None:
        arrivals = [item for item in items if isinstance(item, Arrival)]
        if arrivals:
            await self._rate(arrivals)
        for item in items:
            if isinstance(item, _Errand):
                await self._pipeline.land()
                await item.carry_out()
                if self._ledger.failure:
                    raise self._ledger.failure

    async def _rate(self, arrivals: list[Arrival]) -> None:
        await self._pipeline.rate(arrivals, self.config)
        if self._pipeline.weight >= BATCH_LIMIT:
            await self._pipeline.clear()
        if self._pipeline.weight >= BATCH:
            await self._pipeline.launch()
        await asyncio.sleep(0)

    async def _gather(self) -> list[_Item]:
        """A handful of what is there; waits for the first, and meanwhile lets batches go.

        It ends with an errand: what came behind that is not to be rated before it.
        """
        while self._inbox.empty:
            await self._pipeline.launch()
            if self._inbox.empty:
                await self._inbox.stirred()
        items: list[_Item] = []
        size = 0
        while size < HANDFUL and not self._inbox.empty:
            item, weight = self._inbox.take()
            items.append(item)
            size += weight
            if not isinstance(item, Arrival):
                break
        return items


def _turn_away(items: Iterable[_Item]) -> None:
    """Tells whoever waits for an errand among these that it will not be run any more."""
    for item in items:
        if isinstance(item, _Errand) and not item.done.done():
            item.done.set_exception(EngineStopped())
