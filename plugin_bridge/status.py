"""The picture of itself that the running daemon leaves in the database, written and read here."""

import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from plugin_bridge import __version__
from plugin_bridge.links import Link
from plugin_bridge.monitor import ServerView
from plugin_bridge.store.health import DAEMON, Health, Rows

SILENT_SECONDS = 20.0
"""A daemon that has not reported for so long is not running."""


class DaemonStatus(Struct, frozen=True):
    """`players`: tracked players by ladder. `started`: seconds since 1970. `host`: its machine."""

    version: str
    pid: int
    address: str
    started: float
    events: int
    players: dict[str, int]
    host: str = ""


class Picture(Struct, frozen=True):
    """The daemon, if it is running, and its game servers as it last saw them.

    `seen`: when a daemon was last heard of that was not told to stop, running or not.
    """

    daemon: DaemonStatus | None = None
    servers: tuple[ServerView, ...] = ()
    seen: float | None = None


def picture(
    views: tuple[ServerView, ...],
    *,
    started: float,
    address: str,
    events: int,
    players: Mapping[str, int],
) -> dict[str, dict[str, Any]]:
    """What goes into the store, by subject."""
    daemon = DaemonStatus(
        __version__, os.getpid(), address, started, events, dict(players), platform.node()
    )
    return {
        DAEMON: msgspec.to_builtins(daemon),
        **{view.server: msgspec.to_builtins(view) for view in views},
    }


def with_mods(views: Iterable[ServerView], links: Iterable[Link]) -> tuple[ServerView, ...]:
    """The servers, with what is known of the mods that are connected."""
    by_server = {link.server: link for link in links}
    return tuple(
        view if (link := by_server.get(view.server)) is None else _with_mod(view, link)
        for view in views
    )


def _with_mod(view: ServerView, link: Link) -> ServerView:
    mod = f"{link.hello.platform} {link.hello.mod_version}"
    return replace(view, mod=mod, skew=round(link.skew, 3))


async def last_picture(health: Health, *, now: float) -> Picture:
    """What the daemon last said of itself; nothing where that cannot be understood.

    Raises StoreError when the database cannot be read.
    """
    return _read(await health.all(), now=now)


async def claim(
    health: Health, mine: dict[str, dict[str, Any]], *, now: float
) -> DaemonStatus | None:
    """Leaves the picture `mine`, unless another daemon is running, which is then returned.

    Of two that start in the same instant one gets through. Raises StoreError when the database
    cannot be written.
    """
    return await health.put_unless(lambda rows: _read(rows, now=now).daemon, mine, now=now)


def _read(rows: Rows, *, now: float) -> Picture:
    try:
        return _understood(rows, now=now)
    except msgspec.DecodeError:
        return Picture()


def _understood(rows: Rows, *, now: float) -> Picture:
    views = tuple(
        msgspec.json.decode(view, type=ServerView)
        for subject, (view, _) in rows.items()
        if subject != DAEMON
    )
    if DAEMON not in rows:
        return Picture(None, views)
    detail, seen = rows[DAEMON]
    daemon = msgspec.json.decode(detail, type=DaemonStatus)
    running = abs(now - seen) < SILENT_SECONDS and not _is_dead(daemon)
    return Picture(daemon if running else None, views, seen)


def _is_dead(daemon: DaemonStatus) -> bool:
    """Whether it is certain that the process is gone; of another machine that cannot be known.

    Whoever asks is not the daemon that reported: a process with our own number has ended.
    """
    if os.name != "posix" or daemon.host != platform.node():
        return False
    if daemon.pid == os.getpid():
        return True
    try:
        os.kill(daemon.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:  # it lives, but is somebody else's
        return False
    return False
