"""The handshake: who may come in. Tokens, and the patience with wrong ones."""

import logging
import time
from http import HTTPStatus
from weakref import WeakKeyDictionary

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from plugin_bridge.errors import StoreError
from plugin_bridge.gate import Gate
from plugin_bridge.store import Store

log = logging.getLogger(__name__)


class Door:
    """Lets connections in by their token, and knows whose each of them is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._gate = Gate()
        self._admitted: WeakKeyDictionary[ServerConnection, tuple[str, float]]
        self._admitted = WeakKeyDictionary()

    def owner(self, connection: ServerConnection) -> tuple[str, float]:
        """The server that an admitted connection belongs to, and when its token was made."""
        return self._admitted[connection]

    async def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """None to let it in; else the answer that refuses it."""
        address, now = address_of(connection), time.monotonic()
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


def _bearer(request: Request) -> str | None:
    """The token of a handshake; None if there is none, or more than one."""
    values = request.headers.get_all("Authorization")
    scheme, _, token = values[0].partition(" ") if len(values) == 1 else ("", "", "")
    return token.strip() or None if scheme.lower() == "bearer" else None


def address_of(connection: ServerConnection) -> str:
    peer = connection.remote_address
    return str(peer[0]) if peer else "?"
