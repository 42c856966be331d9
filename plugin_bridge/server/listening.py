"""The listening socket: opened, closed, and cleared of those whose token is gone."""

import asyncio
import logging
import ssl
from functools import partial
from typing import Any, cast

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import serve

from plugin_bridge.config import Listen
from plugin_bridge.engine import Engine
from plugin_bridge.errors import BridgeError
from plugin_bridge.gate import Lobby, is_local
from plugin_bridge.host import Host, Reload
from plugin_bridge.links import Links
from plugin_bridge.protocol.packets import MAX_FRAME_BYTES, CloseCode
from plugin_bridge.server import pace
from plugin_bridge.server.conversation import Conversations
from plugin_bridge.server.door import Door
from plugin_bridge.server.secure import Front, tls_context
from plugin_bridge.server.wire import Connection
from plugin_bridge.store import Store

log = logging.getLogger(__name__)


class Server:
    """Serves mods between `start` and `stop`. `reload` is passed on to admin commands."""

    def __init__(
        self, *, engine: Engine, host: Host, links: Links, store: Store, reload: Reload
    ) -> None:
        self._links = links
        self._store = store
        self._door = Door(store)
        self._lobby = Lobby()
        self._conversations = Conversations(
            engine=engine, host=host, door=self._door, lobby=self._lobby, reload=reload
        )
        self._listening: WebSocketServer | None = None

    async def start(self, listen: Listen) -> int:
        """Listens; returns the port (0 asks for any). Raises BridgeError if it cannot."""
        context = tls_context(listen)
        try:
            self._listening = await serve(
                self._conversations.serve,
                listen.host,
                listen.port,
                process_request=self._door.admit,
                create_connection=cast(Any, partial(self._connection, context)),
                backlog=pace.TAKEN_AT_ONCE,
                compression=None,
                max_size=MAX_FRAME_BYTES,
                open_timeout=pace.HELLO_SECONDS,
                ping_interval=pace.HEARTBEAT_SECONDS,
                ping_timeout=pace.HEARTBEAT_SECONDS,
                close_timeout=pace.CLOSING_SECONDS,
                server_header=None,
                logger=logging.getLogger("websockets.server"),
            )
        except OSError as error:
            raise BridgeError(
                f"cannot listen on {listen.host}:{listen.port}: {error.strerror}. "
                "Is another daemon or program on this port? See `listen` in config.yml"
            ) from error
        if listen.tls is None and not is_local(listen.host):
            log.warning(
                "listening on %s without TLS: whoever is on the way can read the tokens. "
                "Set `listen.tls` in config.yml, or keep to 127.0.0.1",
                listen.host,
            )
        for listening in self._listening.sockets:
            with listening.dup() as same:  # asyncio has one number for both queue and stroke
                same.listen(pace.WAITING)
        port: int = next(iter(self._listening.sockets)).getsockname()[1]
        return port

    def _connection(
        self, context: ssl.SSLContext | None, *given: Any, **named: Any
    ) -> Connection | Front:
        connection = Connection(*given, lobby=self._lobby, **named)
        return Front(connection, lobby=self._lobby, context=context) if context else connection

    async def stop(self) -> None:
        """Tells every mod to come back later, and waits until they are gone."""
        if self._listening:
            for link in self._links:
                link.outbox.close(CloseCode.GOING_AWAY, "the daemon stops")
            self._listening.close()
            try:
                async with asyncio.timeout(pace.CLOSING_SECONDS + 1):
                    await self._listening.wait_closed()
            except TimeoutError:
                self._conversations.abort()
                self._lobby.clear()
                await self._listening.wait_closed()

    async def drop_revoked(self) -> None:
        """Closes the connections whose token was removed or has been replaced."""
        known = dict(await self._store.registry.all())
        for link in self._links:
            if known.get(link.server) != link.token_made:
                link.outbox.close(CloseCode.REVOKED, "the token was revoked")
