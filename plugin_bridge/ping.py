"""Asks a game server how it is, as the list of servers in the game does."""

import asyncio
from dataclasses import dataclass

from mcstatus import JavaServer
from mcstatus._protocol.io.connection import TCPAsyncSocketConnection
from mcstatus._protocol.java_client import AsyncJavaClient

ANSWER_SECONDS = 3.0
LONGEST_ANSWER = 1 << 18
"""Bytes. An answer has at most 32,767 characters, the server's picture among them."""
ANY_VERSION = 47
"""Of the protocol: game servers answer whoever asks in whatever version."""


@dataclass(frozen=True, slots=True)
class Answer:
    """As the game server has it: nothing in it is checked. latency: milliseconds."""

    version: str
    players: int
    latency: float


async def ask(address: str) -> Answer:
    """Raises whatever comes of a game server that is down, slow, or talks nonsense."""
    async with asyncio.timeout(ANSWER_SECONDS):
        game = await JavaServer.async_lookup(address, timeout=ANSWER_SECONDS)
        async with _Bounded(game.address, ANSWER_SECONDS) as connection:
            asking = AsyncJavaClient(connection, game.address, version=ANY_VERSION)
            await asking.handshake()
            status = await asking.read_status()
    return Answer(status.version.name, int(status.players.online), status.latency)


class _Bounded(TCPAsyncSocketConnection):  # type: ignore[misc]  # final, but it reads without end
    """Refuses an answer longer than any game server's: mcstatus would fill the memory with it."""

    async def read(self, length: int, /) -> bytes:
        if length > LONGEST_ANSWER:
            raise OSError(f"an answer of {length} bytes")
        return await super().read(length)
