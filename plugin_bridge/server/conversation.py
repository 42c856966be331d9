"""What is said on a connection: frames go to the engine, faults end the connection they are of."""

import logging
import time
from functools import partial

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from plugin_bridge.arrivals import Arrival
from plugin_bridge.engine import HANDFUL, Engine
from plugin_bridge.errors import (
    BridgeError,
    EngineStopped,
    FrameError,
    StoreError,
)
from plugin_bridge.gate import Lobby
from plugin_bridge.host import Host, Reload
from plugin_bridge.intake import NumberedPacket
from plugin_bridge.links import Link
from plugin_bridge.protocol.decode import decode_frame
from plugin_bridge.protocol.encode import encode_frame
from plugin_bridge.protocol.packets import (
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
from plugin_bridge.server.door import Door
from plugin_bridge.server.patience import in_time, or_never
from plugin_bridge.server.wire import close, first_frame, writing
from plugin_bridge.session import Session, greet

log = logging.getLogger(__name__)


class Conversations:
    """All connections that were let in, each served by a call of `serve`."""

    def __init__(
        self, *, engine: Engine, host: Host, door: Door, lobby: Lobby, reload: Reload
    ) -> None:
        self._engine = engine
        self._host = host
        self._door = door
        self._lobby = lobby
        self._reload = reload
        self._connections: set[ServerConnection] = set()
        self._seated: dict[str, ServerConnection] = {}

    def abort(self) -> None:
        """Ends every connection without another word."""
        for connection in self._connections:
            connection.transport.abort()

    async def serve(self, connection: ServerConnection) -> None:
        server, token_made = self._door.owner(connection)
        self._connections.add(connection)
        try:
            await self._converse(connection, server, token_made)
        except ConnectionClosed:
            pass
        except FrameError as error:
            log.warning("%s: %s", server, error)
            last_words = encode_frame([Error(error.code, str(error))])
            await close(connection, error.close_code, str(error), last_words=last_words)
        except EngineStopped as error:
            await close(connection, CloseCode.GOING_AWAY, str(error))
        except BridgeError as error:
            log.error("%s: %s", server, error)
            await close(connection, CloseCode.FAULT, "the daemon cannot serve you now")
        except Exception:
            log.exception("%s: a fault in the daemon closed this connection", server)
            await close(connection, CloseCode.FAULT, "a fault in the daemon")
        finally:
            self._connections.discard(connection)

    async def _converse(self, connection: ServerConnection, server: str, token_made: float) -> None:
        first, *others = decode_frame(await first_frame(connection))
        link = Link(server, greet(first), token_made)
        try:
            session = await self._engine.errand(partial(self._host.greet, link, now=time.time()))
            _remark(link, session)
            self._seat(connection, server)
            async with writing(connection, link):
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
        now, events = time.time(), list[NumberedPacket]()
        try:
            for packet in packets:
                if link.outbox.closing:
                    return
                match session.take(packet, now=now):
                    case Kill() | Death() | Rejected(seq=int()) as event:
                        events.append(event)
                    case other:
                        await self._submit(link, events, now)
                        await self._attend(link, other, now)
        except FrameError:
            await self._submit(link, events, now)
            raise
        await self._submit(link, events, now)

    async def _submit(self, link: Link, events: list[NumberedPacket], now: float) -> None:
        """Hands over what has come so far, by handfuls: the loop turns in between."""
        for start in range(0, len(events), HANDFUL):
            await self._engine.submit(Arrival(link, events[start : start + HANDFUL], now))
        events.clear()

    async def _attend(self, link: Link, packet: FromMod | Rejected, now: float) -> None:
        """Sees to a packet that is no event."""
        match packet:
            case Rejected() as refused:
                link.outbox.push(Error(refused.code, refused.text, id=refused.id))
                log.warning("%s: a packet was dropped: %s", link.server, refused.text)
            case Join() | Quit() | World() as news:
                await in_time(self._engine, partial(self._host.attend, link, news, now=now))
            case Command() as command:
                await self._answer(link, command, now=now)

    async def _answer(self, link: Link, command: Command, *, now: float) -> None:
        """A command that cannot be answered costs nobody the connection."""
        ask = partial(self._host.ask, link, command, now=now, reload=self._reload)
        try:
            await or_never(self._engine, ask)
        except StoreError as error:
            log.error("%s: a command was not answered: %s", link.server, error)
            link.outbox.push(Error("unavailable", str(error), id=command.id))


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
            "%s: events %d to %d are lost: the mod no longer has them, or the database has lost "
            "them (a restored backup, a damaged journal)",
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
