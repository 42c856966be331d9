"""Game servers that may connect. Of a token only the hash is kept: it can be checked, not read."""

import hashlib
import re
import secrets
from hmac import compare_digest

from plugin_bridge.errors import UsageError
from plugin_bridge.store.database import Database

_ID = re.compile(r"[a-z0-9_-]{1,32}")


class Registry:
    """The servers and their tokens. Both the daemon and the command line may write it."""

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    async def add(self, server: str, *, now: float) -> str:
        """Makes a token for a server; one it had before stops working. It is shown only here.

        Raises UsageError for a server id that is not 1 to 32 of a-z 0-9 _ -.
        """
        check_id(server)
        token = "adr_" + secrets.token_urlsafe(32)
        await self._writer.run(
            "INSERT INTO servers (server, token_hash, created) VALUES (?, ?, ?) "
            "ON CONFLICT (server) DO UPDATE SET token_hash = excluded.token_hash, "
            "created = excluded.created",
            (server, _hash(token), now),
        )
        return token

    async def remove(self, server: str) -> None:
        """Forgets a server: its token stops working. Raises UsageError when there is none."""
        if not await self._writer.run("DELETE FROM servers WHERE server = ?", (server,)):
            known = ", ".join(name for name, _ in await self.all()) or "none"
            raise UsageError(f"there is no server '{server}' (known: {known})")

    async def all(self) -> list[tuple[str, float]]:
        """Server ids with the time their token was made."""
        rows = await self._reader.rows("SELECT server, created FROM servers ORDER BY server")
        return [(server, created) for server, created in rows]

    async def whose(self, token: str) -> tuple[str, float] | None:
        """The server a token belongs to, with the time it was made; None if it is nobody's.

        Every stored hash is compared, in constant time.
        """
        presented, owner = _hash(token), None
        rows = await self._reader.rows("SELECT server, created, token_hash FROM servers")
        for server, created, stored in rows:
            if compare_digest(stored, presented):
                owner = (server, created)
        return owner


def check_id(server: str) -> None:
    """Raises UsageError for what cannot be a server id."""
    if not _ID.fullmatch(server):
        raise UsageError(f"'{server}' is no server id: use 1 to 32 small letters, digits, - and _")


def _hash(token: str) -> bytes:
    """A token has 256 random bits, so a plain hash cannot be turned back by guessing."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
