"""The link to the daemon: dials, greets, sends what is kept, and hands on what comes back.

The only module beside the server that speaks websockets: it stands at the other end.
"""

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from http import HTTPStatus

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException

from plugin_bridge import __version__
from plugin_bridge.errors import UsageError
from plugin_bridge.follow.heard import Heard, Taken, understood
from plugin_bridge.follow.spool import Spool
from plugin_bridge.protocol.packets import (
    MAX_FRAME_BYTES,
    PROTOCOL_VERSION,
    Ack,
    Broadcast,
    CloseCode,
    Command,
    Error,
    Hello,
    Join,
    Message,
    Present,
    Quit,
    Reply,
    Welcome,
)

log = logging.getLogger(__name__)

PLATFORM = "log"
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
REFUSED_SECONDS = 120.0
GREETING_SECONDS = 20.0
_PACKETS_A_FRAME = 200
_SLOWLY = {
    CloseCode.BROKEN_CONTRACT,
    CloseCode.SUPERSEDED,
    CloseCode.VERSION,
    CloseCode.REVOKED,
}
"""Close codes after which it is no use to come back at once."""


class Client:
    """Runs until it is cancelled. `server`: whose token it should be."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        server: str,
        spool: Spool,
        online: Callable[[], list[Present]],
    ) -> None:
        self._url = url
        self._token = token
        self._server = server
        self._spool = spool
        self._online = online
        self._stirred = asyncio.Event()
        self._link: ClientConnection | None = None
        self.heard: asyncio.Queue[Heard] = asyncio.Queue(1_000)

    def stir(self) -> None:
        """There is something new in the spool."""
        self._stirred.set()

    async def say(self, packet: Join | Quit | Command) -> bool:
        """Sends what is not numbered; False if there is no link: then it is not worth keeping."""
        if self._link is None:
            return False
        with suppress(ConnectionClosed):
            await self._link.send(msgspec.json.encode(packet).decode())
            return True
        return False

    async def run(self) -> None:
        """Raises UsageError for a token of another server, and for what is no address."""
        failures = 0
        while True:
            pause = PAUSES[min(failures, len(PAUSES) - 1)] * random.uniform(0.8, 1.2)  # noqa: S311
            try:
                async with self._dialled() as link:
                    try:
                        await self._converse(link)
                        failures, pause = 0, PAUSES[0]
                    finally:
                        if link.close_code in _SLOWLY:
                            pause = REFUSED_SECONDS
            except InvalidURI as error:
                raise UsageError(f"{error}; write it like ws://127.0.0.1:8787/") from None
            except InvalidStatus as refusal:
                log.error("%s", self._refused(refusal.response.status_code))
                pause = REFUSED_SECONDS
            except (OSError, TimeoutError, WebSocketException) as error:
                failures += 1
                log.warning("no link to %s: %s; kept on disk meanwhile", self._url, error)
            finally:
                self._link = None
            await asyncio.sleep(pause)

    def _refused(self, status: int) -> str:
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS):
            return (
                f"the daemon does not accept the token (HTTP {status}); "
                f"make a new one: adr-bridge server add {self._server}"
            )
        return f"{self._url} refuses the connection (HTTP {status}); is that the daemon?"

    def _dialled(self) -> connect:
        return connect(
            self._url,
            additional_headers={"Authorization": f"Bearer {self._token}"},
            compression=None,
            proxy=None,
            max_size=16 * MAX_FRAME_BYTES,
            user_agent_header=f"adr-bridge/{__version__}",
        )

    async def _converse(self, link: ClientConnection) -> None:
        spool = self._spool
        hello = Hello(
            PROTOCOL_VERSION,
            PLATFORM,
            __version__,
            spool.id,
            spool.first,
            time.time(),
            self._online(),
        )
        await link.send(msgspec.json.encode(hello).decode())
        packets = _packets(link)
        async with asyncio.timeout(GREETING_SECONDS):
            welcome = await anext(packets, None)
        if not isinstance(welcome, Welcome):
            raise WebSocketException(f"the daemon does not welcome us, but says: {welcome}")
        if welcome.server != self._server:
            raise UsageError(
                f"the token belongs to the server `{welcome.server}`, not `{self._server}`; say "
                f"--server {welcome.server}, or take the token of `{self._server}`"
            )
        if not spool.welcome(welcome.seq):
            log.warning("the spool is older than what the daemon knows; it is begun anew")
            return
        log.info("connected to %s as %s", self._url, self._server)
        self._link = link
        sent = max(welcome.seq, spool.first - 1)  # `hello` has said which are lost before that
        sending = asyncio.create_task(self._send(link, sent, welcome.window))
        try:
            with suppress(ConnectionClosed):
                async for packet in packets:
                    self._take(packet)
            log.warning("the link was closed (%s %s)", link.close_code, link.close_reason)
        finally:
            sending.cancel()
            await asyncio.wait([sending])

    def _take(self, packet: Taken) -> None:
        match packet:
            case Ack(seq=seq):
                self._spool.drop(seq)
                self._stirred.set()
            case Reply() | Message() | Broadcast() | Error():
                if not self.heard.full():
                    self.heard.put_nowait(packet)

    async def _send(self, link: ClientConnection, sent: int, window: int) -> None:
        """Keeps so many events on their way as the daemon wants at most.

        Where some are lost behind those that are stored, it ends the link: only the next `hello`
        can tell of them.
        """
        with suppress(ConnectionClosed):
            while True:
                self._stirred.clear()
                room = window - (sent - self._spool.first + 1)
                events = self._spool.after(sent, min(room, _PACKETS_A_FRAME)) if room > 0 else []
                if events:
                    await link.send(f"[{b','.join(packet for _, packet in events).decode()}]")
                    sent = events[-1][0]
                elif self._spool.first > sent + 1:
                    await link.close()
                    return
                else:
                    await self._stirred.wait()


async def _packets(link: ClientConnection) -> AsyncIterator[Taken]:
    """Raises WebSocketException for what no daemon says."""
    async for frame in link:
        try:
            packets = understood(frame)
        except ValueError as error:
            raise WebSocketException(str(error)) from None
        for packet in packets:
            yield packet
