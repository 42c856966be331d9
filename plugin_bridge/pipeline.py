"""Batches of events on their way: rated, committed, and only then answered.

While one is being committed the next one is rated. If the commit fails, both are rated anew.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from plugin_bridge.config import Config
from plugin_bridge.draft import Draft
from plugin_bridge.errors import BridgeError
from plugin_bridge.herald import Herald, News
from plugin_bridge.intake import NumberedPacket, entry_for, people_in, set_aside
from plugin_bridge.ledger import Ledger, Rated
from plugin_bridge.links import Link
from plugin_bridge.protocol.packets import Ack, Error, Rejected
from plugin_bridge.roster import Roster
from plugin_bridge.store.rows import LogEntry, NameRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Arrival:
    """Numbered packets that came together. `received`: seconds since 1970."""

    link: Link
    packets: Sequence[NumberedPacket]
    received: float


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is said once a batch is stored: how far each mod has been heard, and the news."""

    arrivals: list[Arrival]
    acks: dict[Link, int]
    news: list[News]


@dataclass(frozen=True, slots=True)
class _Flight:
    """A batch that is being committed, and its answer after that. `config`: in force meanwhile."""

    arrivals: list[Arrival]
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
        self._flight: _Flight | None = None

    @property
    def busy(self) -> bool:
        """Whether a batch is being committed."""
        return self._flight is not None

    @property
    def landed(self) -> bool:
        """Whether a commit has come to its end, well or not, that `land` has not seen to."""
        return self._flight is not None and self._flight.task.done()

    async def settle(self, arrivals: list[Arrival], config: Config) -> None:
        """Rates them while the batch before is being committed, and then has them committed."""
        try:
            rated = self._ledger.rate(partial(self._entries, arrivals, config))
        except Exception as error:
            await self.land()
            await self._settle_at_once(arrivals, config, error)
            return
        answer = self._answer(arrivals, config, rated.draft)
        if await self.land():
            await self._take_off(rated, answer, config)
        else:
            await self._settle_at_once(arrivals, config)

    async def _take_off(self, rated: Rated, answer: _Answer, config: Config) -> None:
        task = asyncio.create_task(self._store(rated, answer))
        task.add_done_callback(lambda _: self._stir())
        self._flight = _Flight(answer.arrivals, config, task)
        await asyncio.sleep(0)  # it is under way before anything else is rated

    async def land(self) -> bool:
        """Returns when everything rated is committed; False if it had to be rated anew for that."""
        flight, self._flight = self._flight, None
        if flight is None:
            return True
        try:
            await flight.task
        except Exception as error:
            await self._settle_at_once(flight.arrivals, flight.config, error)
            return False
        return True

    async def _store(self, rated: Rated, answer: _Answer) -> None:
        await self._ledger.store(rated)
        self._tell(answer)

    async def _settle_at_once(
        self, arrivals: list[Arrival], config: Config, error: Exception | None = None
    ) -> None:
        """Rates and commits them, with nothing else under way. `error`: see `Ledger.write`."""
        try:
            draft = await self._ledger.write(partial(self._entries, arrivals, config), error=error)
        except (BridgeError, MemoryError):
            raise
        except Exception as fault:
            await self._settle_apart(arrivals, config, fault)
        else:
            self._tell(self._answer(arrivals, config, draft))

    async def _settle_apart(
        self, arrivals: list[Arrival], config: Config, fault: Exception
    ) -> None:
        """One event that a bug does not let through must not keep back all others for ever."""
        apart = [replace(one, packets=[packet]) for one in arrivals for packet in one.packets]
        if len(apart) > 1:
            for arrival in apart:
                await self._settle_at_once([arrival], config)
            return
        (arrival,) = apart
        (packet,) = arrival.packets
        if isinstance(packet, Rejected):
            raise fault
        log.error(
            "a fault in the daemon; this event is kept but not rated: %s", packet, exc_info=fault
        )
        await self._settle_at_once([replace(arrival, packets=[set_aside(packet)])], config)

    def _answer(self, arrivals: list[Arrival], config: Config, draft: Draft) -> _Answer:
        """What is to be said of it once it is stored; of the ladders as they are now."""
        last = self._ledger.rated.last
        acks = {arrival.link: last[arrival.link.lane] for arrival in arrivals}
        try:
            news = self._herald.news(draft, config, self._ledger.lanes)
        except Exception:
            log.exception("a fault in the daemon; some labels or news were not sent")
            news = []
        return _Answer(arrivals, acks, news)

    def _tell(self, answer: _Answer) -> None:
        """Tells everybody what has become of what is now stored."""
        for arrival in answer.arrivals:
            for packet in arrival.packets:
                if isinstance(packet, Rejected):
                    _refuse(arrival.link, packet)
        for link, seq in answer.acks.items():
            link.outbox.push(Ack(seq))
        self._herald.tell(answer.news)

    def _entries(
        self, arrivals: list[Arrival], config: Config
    ) -> tuple[list[LogEntry], list[NameRow]]:
        """What is new among the arrivals, numbered on from the end of the log."""
        entries: list[LogEntry] = []
        people: dict[str, NameRow] = {}
        position, last = self._ledger.rated.end, dict(self._ledger.rated.last)
        for arrival in arrivals:
            server, lane = arrival.link.server, arrival.link.lane
            for packet in arrival.packets:
                assert packet.seq is not None
                if packet.seq <= last[lane]:
                    continue
                last[lane] = packet.seq
                position += 1
                entries.append(
                    entry_for(
                        packet,
                        server=server,
                        lane=lane,
                        position=position,
                        received=arrival.received,
                        config=config,
                        book=self._ledger.book,
                        roster=self._roster,
                    )
                )
                for row in self._ledger.fresh_names(people_in(packet), seen=arrival.received):
                    people[row.player] = row
        return entries, list(people.values())


def _refuse(link: Link, packet: Rejected) -> None:
    link.outbox.push(Error(packet.code, packet.text, seq=packet.seq))
    log.warning("%s: event %s rejected: %s", link.server, packet.seq, packet.text)
