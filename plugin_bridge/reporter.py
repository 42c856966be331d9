"""Leaves word of the running daemon for `adr-bridge status`: in the database, or beside it why not
there.
"""

import time
from collections.abc import Iterable
from dataclasses import replace

from plugin_bridge.config import Config
from plugin_bridge.errors import StoreError
from plugin_bridge.history.historian import Historian
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Link, Links
from plugin_bridge.monitor import Monitor, ServerView
from plugin_bridge.status import picture
from plugin_bridge.store import Store


class Reporter:
    """`started`: when the daemon started, seconds since 1970."""

    def __init__(
        self,
        *,
        store: Store,
        ledger: Ledger,
        links: Links,
        monitor: Monitor,
        historian: Historian,
        started: float,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._links = links
        self._monitor = monitor
        self._historian = historian
        self._started = started
        self._troubled_since: float | None = None

    async def report(self, config: Config, address: str) -> None:
        """`address`: where the daemon really listens. Raises StoreError, once the word of that is
        left in the file of the lock.
        """
        lock = self._store.lock
        try:
            await self._into_store(config, address)
        except StoreError as error:
            self._troubled_since = self._troubled_since or time.time()
            lock.say(str(error), since=self._troubled_since)
            raise
        if self._troubled_since:
            self._troubled_since = None
            lock.say()

    async def _into_store(self, config: Config, address: str) -> None:
        now = time.time()
        self._monitor.expect([server for server, _ in await self._store.registry.all()])
        views = self._monitor.views(config.servers, (link.server for link in self._links))
        await self._store.health.put(
            picture(
                _with_mods(views, self._links),
                started=self._started,
                address=address,
                events=self._ledger.end,
                players={
                    name: len(ladder.players) for name, ladder in self._ledger.ladders.items()
                },
                rated_again=self._historian.progress,
            ),
            now=now,
        )


def _with_mods(views: Iterable[ServerView], links: Iterable[Link]) -> tuple[ServerView, ...]:
    """The servers, with what is known of the mods that are connected."""
    by_server = {link.server: link for link in links}
    return tuple(
        view if (link := by_server.get(view.server)) is None else _with_mod(view, link)
        for view in views
    )


def _with_mod(view: ServerView, link: Link) -> ServerView:
    mod = f"{link.hello.platform} {link.hello.mod_version}"
    return replace(view, mod=mod, skew=round(link.skew, 3))
