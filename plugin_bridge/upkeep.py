"""What changes by itself or by the admin: calibration, settings, the head of the board.

Each method is an errand: run it through the engine, never beside it.
"""

import json

from plugin_bridge import present
from plugin_bridge.commands.question import ADMIN
from plugin_bridge.config import Config
from plugin_bridge.engine import Engine
from plugin_bridge.herald import Herald
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Links
from plugin_bridge.protocol.packets import TOP_ROWS, Broadcast, Top
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry


class Upkeep:
    def __init__(
        self, *, engine: Engine, ledger: Ledger, herald: Herald, links: Links, store: Store
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._herald = herald
        self._links = links
        self._store = store
        self._tops: dict[str, Top] = {}
        self._calibrated: float | None = None

    async def calibrate_when_due(self, *, now: float) -> None:
        """Calibrates if the last time is an interval ago: restarts neither skip nor repeat one."""
        if self._calibrated is None:
            self._calibrated = await self._last_calibration()
        if not 0 <= now - self._calibrated < self._engine.config.calibration.interval:
            await self.calibrate(now=now)
            self._calibrated = now

    async def _last_calibration(self) -> float:
        """Before the first one, the time counts from the first start."""
        log, lane = self._store.log, self._ledger.own_lane
        last = await log.last_time(lane, "calibrate")
        return await log.first_time(lane) if last is None else last

    async def calibrate(self, *, now: float) -> None:
        """Calibrates every ladder (6.3 of the paper) as an event of its own."""
        config = self._engine.config
        ladders = dict.fromkeys(ladder.name for ladder in config.ladders)
        draft = await self._ledger.write(
            lambda: (self._own_entries("calibrate", ladders, now), []),
        )
        self._herald.tell(self._herald.news(draft, config, self._ledger.lanes))
        await self._ledger.shed(draft)

    async def configure(self, config: Config, *, now: float) -> None:
        """Puts a configuration in force. What moves ratings goes through the log."""
        changed: dict[str, str | None] = {
            ladder.name: json.dumps(ladder.parameters.to_dict())
            for ladder in config.ladders
            if ladder.name not in self._ledger.ladders
            or self._ledger.ladders[ladder.name].parameters != ladder.parameters
        }
        await self._ledger.write(lambda: (self._own_entries("parameters", changed, now), []))
        self._engine.config = config
        self._herald.relabel_all(config)

    async def refresh_tops(self) -> None:
        """Sends the head of the board to the servers where it has changed."""
        for link in self._links:
            before = self._tops.get(link.server)
            fresh = await self.top(link.server)
            if fresh != before:
                link.outbox.push(fresh)

    async def tell_admins(self, problems: list[str]) -> None:
        """Says in the game that config.yml is broken, to those who can mend it."""
        lines = present.problems(self._engine.config.messages, "config_broken", problems)
        self._herald.notify_admins(
            Broadcast(where="chat", text=line, permission=ADMIN) for line in lines
        )

    async def top(self, server: str) -> Top:
        """The head of the board that a server shows, as it is now. Cost: O(log P)."""
        config = self._engine.config
        ladder = self._ledger.ladders[config.ladder_for(server, None)]
        players = [player for player, _ in ladder.top(TOP_ROWS)]
        self._tops[server] = present.top(config, ladder, await self._store.people.names(players))
        return self._tops[server]

    def _own_entries(self, kind: str, details: dict[str, str | None], now: float) -> list[LogEntry]:
        """One entry of the daemon itself for each ladder."""
        lane, end = self._ledger.own_lane, self._ledger.end
        return [
            LogEntry(
                position=end + number,
                lane=lane,
                seq=self._ledger.last(lane) + number,
                kind=kind,
                time=now,
                received=now,
                ladder=ladder,
                detail=detail,
            )
            for number, (ladder, detail) in enumerate(sorted(details.items()), start=1)
        ]
