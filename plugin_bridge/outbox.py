"""What waits to be sent to one mod. Nobody else waits for a mod that reads slowly."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from plugin_bridge.protocol.encode import encode_packet, join_frame
from plugin_bridge.protocol.packets import MAX_PACKETS_PER_FRAME, CloseCode, FromDaemon

CAPACITY = 20_000
PACKETS_PER_FRAME = min(200, MAX_PACKETS_PER_FRAME)
BYTES_PER_FRAME = 64 * 1024
"""A frame that has reached it gets no further packet: labels of many colours are long."""


class Outbox:
    """A bounded queue with one reader. When it overflows, the connection is given up."""

    def __init__(self) -> None:
        self._waiting: deque[FromDaemon] = deque()
        self._stirred = asyncio.Event()
        self.closing: tuple[int, str] | None = None
        """Close code and reason, once the connection shall end."""

    def push(self, *packets: FromDaemon) -> None:
        """Never waits. Cost: O(1) a packet."""
        if self.closing:
            return
        self._waiting.extend(packets)
        if len(self._waiting) > CAPACITY:
            self.give_up()
        self._stirred.set()

    def give_up(self) -> None:
        """Drops everything, and ends the connection."""
        self._waiting.clear()
        self.close(CloseCode.TOO_SLOW, "the mod reads too slowly")

    def close(self, code: int, reason: str) -> None:
        """What was pushed before is still sent. Only the first call counts."""
        self.closing = self.closing or (code, reason)
        self._stirred.set()

    async def frames(self) -> AsyncIterator[str]:
        """Frames as they become due, until the outbox is closed and empty."""
        while True:
            while self._waiting:
                yield self._frame()
            if self.closing:
                return
            self._stirred.clear()
            await self._stirred.wait()

    def _frame(self) -> str:
        packets: list[bytes] = []
        size = 0
        while self._waiting and len(packets) < PACKETS_PER_FRAME and size < BYTES_PER_FRAME:
            packets.append(encode_packet(self._waiting.popleft()))
            size += len(packets[-1])
        return join_frame(packets)
