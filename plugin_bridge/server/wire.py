"""One socket: its first frame, frames out of an outbox, and an end whatever the peer does."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from plugin_bridge.errors import FrameError
from plugin_bridge.gate import Lobby
from plugin_bridge.links import Link
from plugin_bridge.protocol.packets import CloseCode
from plugin_bridge.server import pace

log = logging.getLogger(__name__)


class Connection(ServerConnection):
    """Answers pings, as websockets does, but not without end to a peer that takes no answer."""

    def __init__(self, *given: Any, lobby: Lobby, **named: Any) -> None:
        super().__init__(*given, **named)
        self._lobby = lobby

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._lobby.enter(self, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lobby.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > pace.UNTAKEN_BYTES:
            self.transport.abort()


async def first_frame(connection: ServerConnection) -> str | bytes:
    try:
        async with asyncio.timeout(pace.HELLO_SECONDS):
            return await connection.recv()
    except TimeoutError:
        raise FrameError(
            "bad_hello",
            f"no `hello` within {pace.HELLO_SECONDS:g} s",
            close_code=CloseCode.BROKEN_CONTRACT,
        ) from None


@asynccontextmanager
async def writing(connection: ServerConnection, link: Link) -> AsyncIterator[None]:
    """Sends what the outbox holds, beside the reading, until either ends."""
    writer = asyncio.create_task(_write(connection, link))
    try:
        yield
    finally:
        writer.cancel()
        await asyncio.wait([writer])


async def _write(connection: ServerConnection, link: Link) -> None:
    outbox = link.outbox
    try:
        async for frame in outbox.frames():
            async with asyncio.timeout(pace.HEARTBEAT_SECONDS):
                await connection.send(frame)
    except ConnectionClosed:
        return
    except TimeoutError:
        outbox.give_up()
    except Exception:
        log.exception("%s: a fault in the daemon closed this connection", link.server)
        outbox.close(CloseCode.FAULT, "a fault in the daemon")
    if outbox.closing:
        code, reason = outbox.closing
        if code == CloseCode.TOO_SLOW:
            log.warning("%s: %s; it is cut off and may connect again", link.server, reason)
        await close(connection, code, reason)


async def close(
    connection: ServerConnection, code: int, reason: str, *, last_words: str | None = None
) -> None:
    """Closes also a connection whose peer takes nothing: websockets would wait for it for ever."""
    try:
        async with asyncio.timeout(pace.CLOSING_SECONDS + 1):
            if last_words:
                await connection.send(last_words)
            await connection.close(code, _reason(reason))
    except ConnectionClosed:
        pass
    except TimeoutError:
        connection.transport.abort()


def _reason(text: str) -> str:
    """A close reason has at most 123 bytes."""
    return text.encode()[:120].decode(errors="ignore")
