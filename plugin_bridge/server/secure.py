"""TLS: the certificate, and a handshake during which a connection is a stranger like any other."""

import asyncio
import ssl
from functools import partial
from pathlib import Path

from plugin_bridge.config import Listen
from plugin_bridge.errors import BridgeError
from plugin_bridge.gate import Lobby
from plugin_bridge.server import pace
from plugin_bridge.server.wire import Connection


def tls_context(listen: Listen) -> ssl.SSLContext | None:
    """None where TLS is not asked for. Raises BridgeError for files that cannot be used."""
    if listen.tls is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate, key = listen.tls.certificate, listen.tls.key
    try:
        context.load_cert_chain(certificate, key, password=partial(_no_password, key))
    except (OSError, ssl.SSLError) as error:
        raise BridgeError(f"cannot use {certificate} and {key} for TLS: {error}") from error
    return context


def _no_password(key: Path) -> str:
    """Without this, OpenSSL would ask on the terminal."""
    raise BridgeError(
        f"cannot use {key} for TLS: it is protected by a pass phrase; "
        f"make a copy without (openssl pkey -in {key.name} -out plain-{key.name}) and name that"
    )


class Front(asyncio.Protocol):
    """Stands for a connection until its TLS handshake is over.

    asyncio would speak of a connection only then. Until then nobody could show it out, and a
    crowd that says nothing would use up all open files.
    """

    def __init__(self, connection: Connection, *, lobby: Lobby, context: ssl.SSLContext) -> None:
        self._connection = connection
        self._lobby = lobby
        self._context = context
        self._early: list[bytes] = []
        self._ended = False
        self._securing: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._lobby.enter(self._connection, transport.abort)
        self._securing = asyncio.create_task(self._secure(transport))

    def data_received(self, data: bytes) -> None:
        """What comes in one piece with the end of the handshake."""
        self._early.append(data)

    def eof_received(self) -> None:
        self._ended = True

    async def _secure(self, raw: asyncio.Transport) -> None:
        try:
            secure = await asyncio.get_running_loop().start_tls(
                raw,
                self,
                self._context,
                server_side=True,
                ssl_handshake_timeout=pace.HELLO_SECONDS,
                ssl_shutdown_timeout=pace.CLOSING_SECONDS,
            )
        except OSError:  # whatever the peer did wrong, TLS and time-outs included
            secure = None
        if secure is None or raw.is_closing():
            self._lobby.leave(self._connection)
            return
        secure.set_protocol(self._connection)
        self._connection.connection_made(secure)
        for data in self._early:
            self._connection.data_received(data)
        if self._ended:
            self._connection.eof_received()
