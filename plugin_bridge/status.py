"""The picture of itself that the running daemon leaves in the database, written and read here.

A command that works with the database in its place leaves one as well, with what it does.

Whether it runs is known from the lock that it holds. Only where that says nothing, of a daemon on
another machine or on a disk that knows no locks, is it taken from how lately it has reported.
"""

import os
import platform
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct, structs

from plugin_bridge import __version__
from plugin_bridge.monitor import ServerView
from plugin_bridge.store.health import DAEMON, Health, Rows
from plugin_bridge.store.lock import Holder, Lock, Sight

SILENT_SECONDS = 20.0
"""A daemon that has not reported for so long is in trouble, or, without a lock, not running."""


class DaemonStatus(Struct, frozen=True):
    """`players`: tracked players by ladder. `started`: seconds since 1970. `host`: its machine.

    `lock`: marks the file whose lock it holds; '' where the disk knows no locks.
    `rated_again`: while it rates the past again, entries of the log that are done, and all.
    `errand`: what it does, if it is no daemon but a command that ends by itself.
    """

    version: str
    pid: int
    address: str
    started: float
    events: int
    players: dict[str, int]
    host: str = ""
    lock: str = ""
    rated_again: tuple[int, int] | None = None
    errand: str = ""


def far(daemon: DaemonStatus | None) -> str:
    """How far it is with rating the past again; '' if it does not."""
    if daemon is None or daemon.rated_again is None:
        return ""
    done, total = daemon.rated_again
    return f"{100 * done // max(1, total)} % of {total} entries"


class Picture(Struct, frozen=True):
    """The daemon, if it is running, and its game servers as it last saw them.

    `seen`: when a daemon was last heard of that was not told to stop, running or not. `trouble`:
    why the running one cannot store, as far as is known; '' if all is well. `command`: what works
    with the database in the place of a daemon.
    """

    daemon: DaemonStatus | None = None
    servers: tuple[ServerView, ...] = ()
    seen: float | None = None
    trouble: str = ""
    command: DaemonStatus | None = None

    @property
    def at_work(self) -> DaemonStatus | None:
        """Whatever works with the database; nobody else may write ratings meanwhile."""
        return self.daemon or self.command


def named(command: DaemonStatus | Holder) -> str:
    """A command that is at work, and what it does, in words."""
    return f"a command (process {command.pid}, on host {command.host}) is {command.errand}"


def picture(
    views: tuple[ServerView, ...],
    *,
    started: float,
    address: str,
    events: int,
    players: Mapping[str, int],
    rated_again: tuple[int, int] | None = None,
    errand: str = "",
) -> dict[str, dict[str, Any]]:
    """What goes into the store, by subject."""
    daemon = DaemonStatus(
        __version__,
        os.getpid(),
        address,
        started,
        events,
        dict(players),
        platform.node(),
        rated_again=rated_again,
        errand=errand,
    )
    return {
        DAEMON: msgspec.to_builtins(daemon),
        **{view.server: msgspec.to_builtins(view) for view in views},
    }


async def last_picture(health: Health, *, now: float) -> Picture:
    """What the daemon last said of itself; nothing where that cannot be understood.

    Raises StoreError when the database cannot be read.
    """
    return _read(await health.all(), health.lock.look(), now=now)


async def claim(
    health: Health, mine: dict[str, dict[str, Any]], *, now: float
) -> DaemonStatus | None:
    """Leaves the picture `mine`, unless another process is at work, which is then returned.

    Until the store is closed others are told that we are running. Of two that start in the same
    instant one gets through. Raises StoreError when the database cannot be written.
    """
    if other := other_holder(health.lock, now=now):
        return other
    sight = health.lock.look()
    return await health.put_unless(lambda rows: _read(rows, sight, now=now).at_work, mine, now=now)


def other_holder(lock: Lock, *, now: float) -> DaemonStatus | None:
    """Takes the lock, unless another process has it, which is then returned."""
    return None if lock.take() else _holder(lock.look().holder or Holder(), now=now)


def _read(rows: Rows, sight: Sight, *, now: float) -> Picture:
    try:
        picture = _understood(rows)
    except msgspec.DecodeError:
        picture = Picture()
    said, seen = picture.at_work, picture.seen
    if picture.command:
        picture = structs.replace(picture, seen=None)
    if sight.holder is None:
        runs = said is not None and _may_run(said, seen, sight.free, now=now)
        return picture if runs else structs.replace(picture, daemon=None, command=None)
    holder = _holder(sight.holder, now=now)
    if holder.errand:
        return structs.replace(picture, daemon=None, command=holder)
    mine = said is not None and said.pid == holder.pid
    trouble = _trouble(sight.holder, seen if mine else None, now=now)
    return structs.replace(picture, daemon=said if mine else holder, command=None, trouble=trouble)


def _may_run(said: DaemonStatus, seen: float | None, free: str, *, now: float) -> bool:
    """One of this machine that held the lock which is now `free` is gone; others may be silent."""
    if said.host == platform.node() and said.lock and said.lock == free:
        return False
    return seen is not None and abs(now - seen) < SILENT_SECONDS


def _holder(holder: Holder, *, now: float) -> DaemonStatus:
    """A process of which only the lock is known: it has not reported yet."""
    return DaemonStatus(
        "", holder.pid, "nothing yet", now, 0, {}, holder.host, errand=holder.errand
    )


def _trouble(holder: Holder, seen: float | None, *, now: float) -> str:
    if holder.trouble:
        since = datetime.fromtimestamp(holder.since).strftime("%H:%M:%S")
        return f"cannot store since {since}: {holder.trouble}"
    if seen is not None and now - seen >= SILENT_SECONDS:
        return f"has not reported for {now - seen:.0f} s: see its log"
    return ""


def _understood(rows: Rows) -> Picture:
    views = tuple(
        msgspec.json.decode(view, type=ServerView)
        for subject, (view, _) in rows.items()
        if subject != DAEMON
    )
    if DAEMON not in rows:
        return Picture(None, views)
    detail, seen = rows[DAEMON]
    said = msgspec.json.decode(detail, type=DaemonStatus)
    if said.errand:
        return Picture(None, views, seen, command=said)
    return Picture(said, views, seen)
