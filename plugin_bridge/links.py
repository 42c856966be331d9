"""The connected mods: one link for each server id, the newest one."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from plugin_bridge.outbox import Outbox
from plugin_bridge.protocol.packets import CloseCode, Hello


@dataclass(eq=False, slots=True)
class Link:
    """A connection that has said hello. `lane` is where its events go in the log.

    skew: seconds that the mod's clock was behind ours at its hello.
    token_made: by when the registry tells a token from the one that takes its place.
    """

    server: str
    hello: Hello
    token_made: float = 0.0
    outbox: Outbox = field(default_factory=Outbox)
    lane: int = 0
    skew: float = 0.0


class Links:
    """Every call costs O(1)."""

    def __init__(self) -> None:
        self._by_server: dict[str, Link] = {}

    def __iter__(self) -> Iterator[Link]:
        return iter(list(self._by_server.values()))

    def get(self, server: str) -> Link | None:
        return self._by_server.get(server)

    def open(self, link: Link) -> bool:
        """Makes this the server's link and closes the one before. True if there was one."""
        before = self._by_server.get(link.server)
        if before:
            before.outbox.close(
                CloseCode.SUPERSEDED, "another connection with this token took over"
            )
        self._by_server[link.server] = link
        return before is not None

    def close(self, link: Link) -> bool:
        """Forgets a link; False if another one has taken its place."""
        if self._by_server.get(link.server) is not link:
            return False
        del self._by_server[link.server]
        return True
