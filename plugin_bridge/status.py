"""The picture of itself that the running daemon leaves in the database, written and read here."""

import os
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from plugin_bridge import __version__
from plugin_bridge.monitor import ServerView
from plugin_bridge.store.health import DAEMON

SILENT_SECONDS = 20.0
"""A daemon that has not reported for so long is not running."""


class DaemonStatus(Struct, frozen=True):
    """`players`: tracked players by ladder. `started`: seconds since 1970."""

    version: str
    pid: int
    address: str
    started: float
    events: int
    players: dict[str, int]


def picture(
    views: tuple[ServerView, ...],
    *,
    started: float,
    address: str,
    events: int,
    players: Mapping[str, int],
) -> dict[str, dict[str, Any]]:
    """What goes into the store, by subject."""
    daemon = DaemonStatus(__version__, os.getpid(), address, started, events, dict(players))
    return {
        DAEMON: msgspec.to_builtins(daemon),
        **{view.server: msgspec.to_builtins(view) for view in views},
    }


def read_picture(
    rows: Mapping[str, tuple[dict[str, Any], float]], *, now: float
) -> tuple[DaemonStatus | None, tuple[ServerView, ...]]:
    """The daemon, or None when it is not running, and its game servers as it last saw them."""
    detail, seen = rows.get(DAEMON, ({}, 0.0))
    running = bool(detail) and now - seen < SILENT_SECONDS
    daemon = msgspec.convert(detail, DaemonStatus) if running else None
    views = tuple(
        msgspec.convert(view, ServerView)
        for subject, (view, _) in rows.items()
        if subject != DAEMON
    )
    return daemon, views
