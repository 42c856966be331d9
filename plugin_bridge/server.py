"""The socket: checks tokens, reads frames into the engine, writes outboxes to the wire.

The only module that knows websockets. It decides nothing about packets.
"""

import asyncio
import logging
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, cast
from weakref import WeakKeyDictionary

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from plugin_bridge.config import Listen
from plugin_bridge.engine import Arrival, Engine
from plugin_bridge.errors import (
    BridgeError,
    EngineStopped,
    FrameError,
    StoreError,
    StoreUnavailable,
)
from plugin_bridge.gate import Gate, Lobby, is_local
from plugin_bridge.host import Host, Reload
from plugin_bridge.links import Link, Links
from plugin_bridge.protocol.decode import decode_frame
from plugin_bridge.protocol.encode import encode_frame
from plugin_bridge.protocol.packets import (
    HELLO_SECONDS,
    MAX_FRAME_BYTES,
    CloseCode,
    Command,
    Death,
    Error,
    FromMod,
    Join,
    Kill,
    Quit,
    Rejected,
    World,
)
from plugin_bridge.session import Session, greet
from plugin_bridge.store import Store

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 20.0
"""Also how long a mod may leave a frame untaken: it cannot be pinged behind that."""
CLOSING_SECONDS = 5.0
UNTAKEN_BYTES = 4 * MAX_FRAME_BYTES
"""What may wait in a socket. Frames wait in the outbox, so only answers to pings pile up here."""


class _Connection(ServerConnection):
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
        if self.transport.get_write_buffer_size() > UNTAKEN_BYTES:
            self.transport.abort()


class Server:
    """Serves mods between `start` and `stop`. `reload` is passed on to admin commands."""

    def __init__(
        self, *, engine: Engine, host: Host, links: Links, store: Store, reload: Reload
    ) -> None:
        self._engine = engine
        self._host = host
        self._links = links
        self._store = store
        self._reload = reload
        self._gate = Gate()
        self._lobby = Lobby()
        self._admitted: WeakKeyDictionary[ServerConnection, tuple[str, float]]
        self._admitted = WeakKeyDictionary()
        self._connections: set[ServerConnection] = set()
        self._seated: dict[str, ServerConnection] = {}
        self._listening: WebSocketServer | None = None

    async def start(self, listen: Listen) -> int:
        """Listens; returns the port (0 asks for any). Raises BridgeError if it cannot."""
        try:
            self._listening = await serve(
                self._serve,
                listen.host,
                listen.port,
                process_request=self._admit,
                create_connection=cast(Any, partial(_Connection, lobby=self._lobby)),
                ssl=_tls(listen),
                compression=None,
                max_size=MAX_FRAME_BYTES,
                open_timeout=HELLO_SECONDS,
                ping_interval=HEARTBEAT_SECONDS,
                ping_timeout=HEARTBEAT_SECONDS,
                close_timeout=CLOSING_SECONDS,
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
        port: int = next(iter(self._listening.sockets)).getsockname()[1]
        return port

    async def stop(self) -> None:
        """Tells every mod to come back later, and waits until they are gone."""
        if self._listening:
            for link in self._links:
                link.outbox.close(CloseCode.GOING_AWAY, "the daemon stops")
            self._listening.close()
            try:
                async with asyncio.timeout(CLOSING_SECONDS + 1):
                    await self._listening.wait_closed()
            except TimeoutError:
                for connection in self._connections:
                    connection.transport.abort()
                await self._listening.wait_closed()

    async def drop_revoked(self) -> None:
        """Closes the connections whose token was removed or has been replaced."""
        known = dict(await self._store.registry.all())
        for link in self._links:
            if known.get(link.server) != link.token_made:
                link.outbox.close(CloseCode.REVOKED, "the token was revoked")

    # ---- the handshake

    async def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Lets a connection in by its token, and remembers whose it is."""
        address, now = _address(connection), time.monotonic()
        if now < self._gate.shut_until(address):
            return connection.respond(HTTPStatus.TOO_MANY_REQUESTS, "too many wrong tokens\n")
        token = _bearer(request)
        try:
            owner = await self._store.registry.whose(token) if token else None
        except StoreError as error:
            log.error("cannot check a token: %s", error)
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "try again later\n")
        if owner is None:
            if self._gate.wrong(address, now=now):
                log.warning("a connection from %s was refused: wrong or missing token", address)
            return connection.respond(HTTPStatus.UNAUTHORIZED, "wrong or missing token\n")
        self._gate.right(address)
        self._admitted[connection] = owner
        return None

    # ---- a connection

    async def _serve(self, connection: ServerConnection) -> None:
        server, token_made = self._admitted.pop(connection)
        self._connections.add(connection)
        try:
            await self._converse(connection, server, token_made)
        except ConnectionClosed:
            pass
        except FrameError as error:
            log.warning("%s: %s", server, error)
            last_words = encode_frame([Error(error.code, str(error))])
            await _close(connection, error.close_code, str(error), last_words=last_words)
        except EngineStopped as error:
            await _close(connection, CloseCode.GOING_AWAY, str(error))
        except BridgeError as error:
            log.error("%s: %s", server, error)
            await _close(connection, CloseCode.FAULT, "the daemon cannot serve you now")
        except Exception:
            log.exception("%s: a fault in the daemon closed this connection", server)
            await _close(connection, CloseCode.FAULT, "a fault in the daemon")
        finally:
            self._connections.discard(connection)

    async def _converse(self, connection: ServerConnection, server: str, token_made: float) -> None:
        first, *others = decode_frame(await _first_frame(connection))
        link = Link(server, greet(first), token_made)
        try:
            session = await self._engine.errand(partial(self._host.greet, link, now=time.time()))
            _remark(link, session)
            self._seat(connection, server)
            async with _writing(connection, link):
                await self._take(link, session, others)
                async for frame in connection:
                    await self._take(link, session, decode_frame(frame))
        finally:
            if self._seated.get(server) is connection:
                del self._seated[server]
            await self._engine.errand(partial(self._host.leave, link))
            log.info("%s disconnected", server)

    def _seat(self, connection: ServerConnection, server: str) -> None:
        """One seat a server: whoever had it before goes, and until then is a stranger again."""
        overtaken = self._seated.get(server)
        if overtaken:
            self._lobby.enter(overtaken, overtaken.transport.abort)
        self._seated[server] = connection
        self._lobby.leave(connection)

    async def _take(self, link: Link, session: Session, packets: list[FromMod | Rejected]) -> None:
        """A connection that is given up, overtaken or no longer allowed has nothing more to say."""
        now = time.time()
        for packet in packets:
            if link.outbox.closing:
                return
            match session.take(packet, now=now):
                case Kill() | Death() | Rejected(seq=int()) as numbered:
                    await self._engine.submit(Arrival(link, numbered, now))
                case Rejected() as refused:
                    link.outbox.push(Error(refused.code, refused.text, id=refused.id))
                    log.warning("%s: a packet was dropped: %s", link.server, refused.text)
                case Join() | Quit() | World() as news:
                    await self._engine.errand(partial(self._host.attend, link, news, now=now))
                case Command() as command:
                    await self._answer(link, command, now=now)

    async def _answer(self, link: Link, command: Command, *, now: float) -> None:
        """A command that cannot be answered costs nobody the connection."""
        ask = partial(self._host.ask, link, command, now=now, reload=self._reload)
        try:
            if self._engine.troubled:
                raise StoreUnavailable("the database cannot be used at the moment")
            await self._engine.errand(ask)
        except StoreError as error:
            log.error("%s: a command was not answered: %s", link.server, error)
            link.outbox.push(Error("unavailable", str(error), id=command.id))


async def _first_frame(connection: ServerConnection) -> str | bytes:
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            return await connection.recv()
    except TimeoutError:
        raise FrameError(
            "bad_hello",
            f"no `hello` within {HELLO_SECONDS:g} s",
            close_code=CloseCode.BROKEN_CONTRACT,
        ) from None


@asynccontextmanager
async def _writing(connection: ServerConnection, link: Link) -> AsyncIterator[None]:
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
            async with asyncio.timeout(HEARTBEAT_SECONDS):
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
        await _close(connection, code, reason)


async def _close(
    connection: ServerConnection, code: int, reason: str, *, last_words: str | None = None
) -> None:
    """Closes also a connection whose peer takes nothing: websockets would wait for it for ever."""
    try:
        async with asyncio.timeout(CLOSING_SECONDS + 1):
            if last_words:
                await connection.send(last_words)
            await connection.close(code, _reason(reason))
    except ConnectionClosed:
        pass
    except TimeoutError:
        connection.transport.abort()


def _remark(link: Link, session: Session) -> None:
    server, hello = link.server, link.hello
    log.info(
        "%s connected (%s %s, %d online)",
        server,
        hello.platform,
        hello.mod_version,
        len(hello.online),
    )
    if session.lost:
        log.warning(
            "%s: events %d to %d are lost: the mod no longer has them",
            server,
            session.lost.start,
            session.lost.stop - 1,
        )
    if session.skew:
        log.warning(
            "%s: its clock is %.0f s %s; its times are corrected, but please set the clock",
            server,
            abs(session.skew),
            "behind" if session.skew > 0 else "ahead",
        )


def _tls(listen: Listen) -> ssl.SSLContext | None:
    if listen.tls is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(listen.tls.certificate, listen.tls.key)
    except (OSError, ssl.SSLError) as error:
        raise BridgeError(
            f"cannot use {listen.tls.certificate} and {listen.tls.key} for TLS: {error}"
        ) from error
    return context


def _bearer(request: Request) -> str | None:
    """The token of a handshake; None if there is none, or more than one."""
    values = request.headers.get_all("Authorization")
    scheme, _, token = values[0].partition(" ") if len(values) == 1 else ("", "", "")
    return token.strip() or None if scheme.lower() == "bearer" else None


def _address(connection: ServerConnection) -> str:
    peer = connection.remote_address
    return str(peer[0]) if peer else "?"


def _reason(text: str) -> str:
    """A close reason has at most 123 bytes."""
    return text.encode()[:120].decode(errors="ignore")
