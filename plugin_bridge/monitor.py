"""Looks after the game servers from outside: up or down, version, players, latency.

Runs beside the path of the kills and never touches it.
"""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace

from plugin_bridge.config import GameServer
from plugin_bridge.text import clean_name

log = logging.getLogger(__name__)

MOST_PLAYERS = 1_000_000
ORPHAN_SECONDS = 60.0
"""A game server that has players while its mod is missing for so long is worth a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerView:
    """What is known of a game server. `up` is None as long as it has not been asked.

    watched: whether it has an address to ask. latency: milliseconds.
    orphaned: since when it has players but no mod connected.
    mod: what is connected, and its version. skew: seconds that its clock is behind the daemon's.
    """

    server: str
    connected: bool = False
    watched: bool = False
    up: bool | None = None
    version: str | None = None
    players: int = 0
    latency: float | None = None
    orphaned: float | None = None
    warned: bool = False
    mod: str | None = None
    skew: float | None = None


def judge(before: ServerView | None, after: ServerView, *, now: float) -> tuple[ServerView, bool]:
    """Carries the orphan clock on; the second value says whether to warn now, which is once."""
    if after.connected or not after.up or not after.players:
        return replace(after, orphaned=None, warned=False), False
    since = before.orphaned if before and before.orphaned is not None else now
    warned = before.warned if before else False
    due = not warned and now - since >= ORPHAN_SECONDS
    return replace(after, orphaned=since, warned=warned or due), due


class Monitor:
    """Keeps the latest view of every server that is configured, connected or expected."""

    def __init__(self) -> None:
        self._views: dict[str, ServerView] = {}
        self._expected: frozenset[str] = frozenset()

    def expect(self, registered: Iterable[str]) -> None:
        """Names all servers that have a token: they are in view, wherever they are."""
        self._expected = frozenset(registered)

    def views(
        self, servers: Iterable[GameServer], connected: Iterable[str]
    ) -> tuple[ServerView, ...]:
        """All servers by name, also those not asked yet, with the connection as it is now."""
        there = set(connected)
        watched = {server.name: server.address is not None for server in servers}
        return tuple(
            replace(
                self._views.get(name, ServerView(server=name)),
                connected=name in there,
                watched=watched.get(name, False),
            )
            for name in sorted(there | watched.keys() | self._expected)
        )

    async def look(
        self, servers: Iterable[GameServer], connected: Iterable[str], *, now: float
    ) -> None:
        """Asks all servers at once and waits for the slowest, a few seconds at most."""
        there = set(connected)
        fresh = await asyncio.gather(*(ask(server) for server in servers))
        views: dict[str, ServerView] = {}
        for view in fresh:
            seen = replace(view, connected=view.server in there)
            views[view.server], warn = judge(self._views.get(view.server), seen, now=now)
            if warn:
                log.warning(
                    "%s is up with %d players, but its mod has not been connected for a minute: "
                    "is it installed, and are url and token right?",
                    view.server,
                    view.players,
                )
        self._views = views


async def ask(server: GameServer) -> ServerView:
    """How a game server is, within a few seconds. Without an address it is not asked."""
    if server.address is None:
        return ServerView(server=server.name)
    from plugin_bridge import ping  # noqa: PLC0415  (takes long to load, and many ask nobody)

    try:
        answer = await ping.ask(server.address)
    except Exception as error:
        log.debug("%s does not answer: %r", server.name, error)
        return ServerView(server=server.name, up=False)
    return ServerView(
        server=server.name,
        up=True,
        version=clean_name(answer.version) or None,
        players=min(max(0, answer.players), MOST_PLAYERS),
        latency=answer.latency,
    )
