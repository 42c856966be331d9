"""A mod whose daemon may die under it at any moment."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from typing import Any, TypeVar

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ..daemon.mod import Mod, Packet
from ..daemon.running import Daemon

PLAYERS = 9
_Result = TypeVar("_Result")


class Survivor(Mod):
    """`recorded`: who killed whom, in the order of the numbers."""

    def __init__(self, server: str = "survival", spool: str = "spool-0001") -> None:
        super().__init__(spool)
        self.server = server
        self.recorded: list[tuple[str, str]] = []
        self.stored = 0
        self._chance = random.Random(spool)

    def fight(self) -> Packet:
        """Somebody kills somebody."""
        killer, victim = self._chance.sample(range(PLAYERS), 2)
        self.recorded.append((f"p{killer}", f"p{victim}"))
        return self.killed(*self.recorded[-1])

    async def play(self, daemon: Daemon, *, fights: int) -> bool:
        """So many fights, each sent when it happens; False if the daemon died before the last ack.

        A few at a time are under way, so that a slow machine makes as many batches of them.
        A fight that the daemon did not live to see is in the spool all the same.
        """
        last = self.next + fights
        try:
            async with self.connected(daemon.url, daemon.home.tokens[self.server]) as welcome:
                assert welcome["seq"] < self.next
                while self.next < last:
                    await self.send(self.fight())
                    await asyncio.sleep(self._chance.choice((0, 0, 0.002)))
                    if self.next % 5 == 0:
                        await self.acked(self.next - 1)
                await self.acked(last - 1)
        except (ConnectionError, ConnectionClosed, InvalidHandshake):
            while self.next < last:
                self.fight()
            return False
        return True

    async def take(self, kind: str, **fields: Any) -> Packet:
        return await self._unless_lost(super().take(kind, **fields))

    async def acked(self, seq: int) -> None:
        await self._unless_lost(super().acked(seq))

    async def _unless_lost(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        assert self._socket is not None
        working, lost = (
            asyncio.ensure_future(work),
            asyncio.ensure_future(self._socket.wait_closed()),
        )
        await asyncio.wait([working, lost], return_when=asyncio.FIRST_COMPLETED)
        lost.cancel()
        if working.done():
            return working.result()
        working.cancel()
        raise ConnectionError
