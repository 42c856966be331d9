"""The one writer: takes what has arrived, has it rated and committed, and only then answers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from plugin_bridge.config import Config
from plugin_bridge.draft import Draft
from plugin_bridge.errors import BridgeError, EngineStopped
from plugin_bridge.herald import Herald
from plugin_bridge.intake import NumberedPacket, entry_for, people_in, set_aside
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Link
from plugin_bridge.protocol.packets import Ack, Error, Rejected
from plugin_bridge.roster import Roster
from plugin_bridge.store.rows import LogEntry, NameRow

log = logging.getLogger(__name__)

INBOX_CAPACITY = 4_096
BATCH_LIMIT = 1_024
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A numbered packet. `received`: seconds since 1970."""

    link: Link
    packet: NumberedPacket
    received: float


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
        self._herald = herald
        self._roster = roster or Roster()
        self._over = asyncio.Event()
        self._inbox: asyncio.Queue[_Item] = asyncio.Queue(INBOX_CAPACITY)

    @property
    def troubled(self) -> bool:
        """Whether nothing goes on because the store cannot be used: errands would have to wait."""
        return self._ledger.troubled

    async def submit(self, arrival: Arrival) -> None:
        """Hands a packet over; waits while the inbox is full, which holds back the sender."""
        if not self._over.is_set():
            await self._inbox.put(arrival)

    async def errand(self, work: Callable[[], Awaitable[_Result]]) -> _Result:
        """Runs something between two batches, after all packets that came before it.

        Raises what it raises, and EngineStopped when it will not be run any more.
        """
        if self._over.is_set():
            raise EngineStopped
        done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        await self._inbox.put(_Errand(work, done))
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
            while not self._inbox.empty():
                _turn_away([self._inbox.get_nowait()])
                await asyncio.sleep(0)  # whoever waited for room in the inbox comes in

    async def _work(self) -> None:
        items: list[_Item] = []
        while None not in items:
            items = await self._gather()
            try:
                await self._deal_with(items)
            finally:
                _turn_away(items)

    async def _deal_with(self, items: list[_Item]) -> None:
        arrivals = [item for item in items if isinstance(item, Arrival)]
        if arrivals:
            await self._settle(arrivals)
        for item in items:
            if isinstance(item, _Errand):
                await item.carry_out()
                if self._ledger.failure:
                    raise self._ledger.failure

    async def _gather(self) -> list[_Item]:
        """Whatever is there, up to a limit; waits for the first."""
        items = [await self._inbox.get()]
        while len(items) < BATCH_LIMIT and not self._inbox.empty() and items[-1] is not None:
            items.append(self._inbox.get_nowait())
        return items

    async def _settle(self, arrivals: list[Arrival]) -> None:
        try:
            draft = await self._ledger.write(lambda: self._entries(arrivals))
        except (BridgeError, MemoryError):
            raise
        except Exception as fault:
            await self._settle_apart(arrivals, fault)
        else:
            self._answer(arrivals, draft)

    async def _settle_apart(self, arrivals: list[Arrival], fault: Exception) -> None:
        """One event that a bug does not let through must not keep back all others for ever."""
        if len(arrivals) > 1:
            for arrival in arrivals:
                await self._settle([arrival])
            return
        (arrival,) = arrivals
        if isinstance(arrival.packet, Rejected):
            raise fault
        log.error(
            "a fault in the daemon; this event is kept but not rated: %s",
            arrival.packet,
            exc_info=fault,
        )
        await self._settle([replace(arrival, packet=set_aside(arrival.packet))])

    def _answer(self, arrivals: list[Arrival], draft: Draft) -> None:
        """Tells everybody what has become of what is now stored."""
        for arrival in arrivals:
            if isinstance(arrival.packet, Rejected):
                packet = arrival.packet
                arrival.link.outbox.push(Error(packet.code, packet.text, seq=packet.seq))
                log.warning(
                    "%s: event %s rejected: %s", arrival.link.server, packet.seq, packet.text
                )
        for link in dict.fromkeys(arrival.link for arrival in arrivals):
            link.outbox.push(Ack(self._ledger.last(link.lane)))
        try:
            self._herald.tell(draft, self.config, self._ledger.lanes)
        except Exception:
            log.exception("a fault in the daemon; some labels or news were not sent")

    def _entries(self, arrivals: list[Arrival]) -> tuple[list[LogEntry], list[NameRow]]:
        """What is new among the arrivals, numbered on from the end of the log."""
        last: dict[int, int] = {}
        entries: list[LogEntry] = []
        people: dict[str, NameRow] = {}
        for arrival in arrivals:
            lane, packet = arrival.link.lane, arrival.packet
            assert packet.seq is not None
            if packet.seq <= last.get(lane, self._ledger.last(lane)):
                continue
            last[lane] = packet.seq
            entries.append(
                entry_for(
                    packet,
                    server=arrival.link.server,
                    lane=lane,
                    position=self._ledger.end + len(entries) + 1,
                    received=arrival.received,
                    config=self.config,
                    book=self._ledger.book,
                    roster=self._roster,
                )
            )
            rows = self._ledger.fresh_names(people_in(packet), seen=arrival.received)
            people.update((row.player, row) for row in rows)
        return entries, list(people.values())


def _turn_away(items: Iterable[_Item]) -> None:
    """Tells whoever waits for an errand among these that it will not be run any more."""
    for item in items:
        if isinstance(item, _Errand) and not item.done.done():
            item.done.set_exception(EngineStopped())
