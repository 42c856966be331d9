"""Whether what happened on a game server must have been told of by now.

A contest is over when its time is. What its players did in that time may still be on the way: so
the daemon waits for SETTLE_SECONDS, and for GRACE_SECONDS where the game server is not connected.
"""

from plugin_bridge.links import Link, Links

SETTLE_SECONDS = 3.0
GRACE_SECONDS = 120.0


class Hearing:
    """`started`: when the daemon started, seconds since 1970."""

    def __init__(self, links: Links, *, started: float) -> None:
        self._links = links
        self._started = started
        self._connected: dict[str, tuple[Link, float]] = {}

    def since(self, server: str, *, now: float) -> float | None:
        """Since when the game server is connected; None if it is not. Ask often: this is taken from
        when it was first asked.
        """
        link, known = self._links.get(server), self._connected.get(server)
        if link is None:
            return None
        if known is None or known[0] is not link:
            self._connected[server] = known = (link, now)
        return known[1]

    def heard_of(self, server: str, moment: float, *, now: float) -> bool:
        """Whether all that its players did up to a moment must have been told of."""
        connected = self.since(server, now=now)
        if connected is None:
            return now - max(self._started, moment) >= GRACE_SECONDS
        return now - max(connected, moment) >= SETTLE_SECONDS
