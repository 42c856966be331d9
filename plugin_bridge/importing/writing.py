"""Kills from elsewhere go the way of those that come over the link: the same entries, the same
ratings, the same calibrations. Only that here all of it is written, or nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from plugin_bridge.config import Config
from plugin_bridge.engine import Engine
from plugin_bridge.herald import Herald
from plugin_bridge.importing.happenings import Happening
from plugin_bridge.importing.merging import spool_of
from plugin_bridge.importing.packets import packet_of, player_of
from plugin_bridge.intake import entry_for
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Links
from plugin_bridge.roster import Roster
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry, NameRow
from plugin_bridge.upkeep import Upkeep

CHUNK = 1_000
Progress = Callable[[int], None]
"""Told how many are done."""


@dataclass(frozen=True, slots=True)
class Written:
    """kills: how many counted (under None), and for each reason how many did not."""

    kills: dict[str | None, int]
    deaths: int
    calibrations: int


class Writer:
    """For one import into an open store that no daemon works with."""

    def __init__(self, store: Store, config: Config, *, now: float) -> None:
        self._store = store
        self._config = config
        self._now = now
        self._ledger = ledger = Ledger(store)
        herald = Herald(links=Links(), roster=Roster(), ladders=ledger.ladders, names=ledger.names)
        engine = Engine(ledger, herald, config)
        self._upkeep = Upkeep(
            engine=engine, ledger=ledger, herald=herald, links=Links(), store=store
        )

    async def write(self, server: str, found: Sequence[Happening], told: Progress) -> Written:
        """Rates and stores them in this order, behind everything that is there already.

        The ladders are calibrated as the daemon would have done, at the first kill of each
        interval. Raises StoreError, and then nothing is changed. Cost: as that many live kills.
        """
        ledger, store = self._ledger, self._store
        await ledger.load()
        ledger.stop_waiting()
        lane, begun = await ledger.open_lane(server, spool_of(found)), ledger.end
        seen = await store.transfer.seen()
        async with store.as_one():
            await self._upkeep.configure(self._config, now=self._now)
            done = calibrations = 0
            for calibrate, chunk in self._chunks(found):
                if calibrate:
                    calibrations += await self._calibrate(chunk[0].time)
                await ledger.write(partial(self._made, chunk, server, lane, seen))
                done += len(chunk)
                told(done)
        deaths = sum(happening.killer is None for happening in found)
        return Written(await store.transfer.outcomes(begun), deaths, calibrations)

    def _chunks(self, found: Sequence[Happening]) -> Iterator[tuple[bool, list[Happening]]]:
        """In pieces; whether a calibration is due before each of them."""
        interval = self._config.calibration.interval
        chunk: list[Happening] = []
        due, calibrate = found[0].time + interval if found else 0.0, False
        for happening in found:
            begins = happening.time >= due
            if chunk and (begins or len(chunk) == CHUNK):
                yield calibrate, chunk
                chunk, calibrate = [], False
            if begins:
                due, calibrate = happening.time + interval, True
            chunk.append(happening)
        if chunk:
            yield calibrate, chunk

    async def _calibrate(self, moment: float) -> int:
        """1 if it was done. Ladders that have seen later days keep the borders of those."""
        clocks = [ladder.clock for ladder in self._ledger.ladders.values() if ladder.clock]
        if not clocks or max(clocks) > moment:
            return 0
        await self._upkeep.calibrate(now=moment)
        return 1

    def _made(
        self, chunk: Sequence[Happening], server: str, lane: int, seen: dict[str, float]
    ) -> tuple[list[LogEntry], list[NameRow]]:
        ledger = self._ledger
        entries = [
            entry_for(
                packet_of(happening, ledger.last(lane) + number),
                server=server,
                lane=lane,
                position=ledger.end + number,
                received=self._now,
                config=self._config,
            )
            for number, happening in enumerate(chunk, start=1)
        ]
        return entries, _names(chunk, seen)


def _names(chunk: Sequence[Happening], seen: dict[str, float]) -> list[NameRow]:
    """The latest name of each player in these, unless a later one is known."""
    rows: dict[str, NameRow] = {}
    for happening in chunk:
        for being in (happening.killer, happening.victim):
            player = being and player_of(being)
            if player and player.name and seen.get(player.id, 0.0) <= happening.time:
                seen[player.id] = happening.time
                rows[player.id] = NameRow(player.id, player.name, happening.time)
    return list(rows.values())
