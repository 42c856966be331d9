"""The file of a spool: every row with a checksum, and what is left of it when it is damaged."""

import logging
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from plugin_bridge.errors import StoreError
from plugin_bridge.follow.salvage import Kept, looked_at, seal
from plugin_bridge.store.faults import is_damage

log = logging.getLogger(__name__)

_TABLES = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, packet BLOB NOT NULL, seal TEXT);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT);
CREATE TABLE IF NOT EXISTS people (name TEXT PRIMARY KEY, id TEXT);
CREATE TABLE IF NOT EXISTS spool (id TEXT NOT NULL)
"""
"""`seal`: a checksum. The id of the spool stands in `state`, and once more in `spool`."""


class SpoolFile:
    """Held by one process at a time. Raises StoreError when it cannot be used.

    damaged: whether it was found damaged; then this is another one, with what could be read of it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            if self._fresh.exists() and not path.exists():
                self._fresh.rename(path)
            _make_private(path)
            kept = self._open(path)
            self.damaged = bool(kept.damage)
            if kept.damage:
                self._begin_anew(kept)

    @property
    def _fresh(self) -> Path:
        """What will take the place of a damaged file: whole as soon as that is gone."""
        return Path(f"{self._path}.new")

    def _open(self, path: Path) -> Kept:
        self._file = file = sqlite3.connect(path, isolation_level=None, timeout=1.0)
        file.text_factory = lambda text: text.decode(errors="replace")
        try:
            file.execute("PRAGMA locking_mode = EXCLUSIVE")
            file.execute("PRAGMA synchronous = FULL")
            file.execute("BEGIN IMMEDIATE")
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            return Kept(damage=str(error))
        kept = looked_at(file)
        if not kept.damage:
            for statement in _TABLES.split(";"):
                file.execute(statement)
            file.execute("COMMIT")
        return kept

    def _begin_anew(self, kept: Kept) -> None:
        """Puts what could be read into another file, and that in the place of the damaged one."""
        self._file.close()
        self._fresh.unlink(missing_ok=True)
        _make_private(self._fresh)
        self._open(self._fresh)
        self._fill(kept)
        self._file.close()
        aside = Path(f"{self._path}.damaged-{time.time_ns() // 1_000_000}")
        for ending in ("-journal", ""):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{ending}").rename(f"{aside}{ending}")
        self._fresh.rename(self._path)
        self._open(self._path)
        log.error(
            "the spool is damaged: %s. %d kills that the daemon may not have yet could be read, "
            "and are sent. %s Check the disk. The damaged file is kept, and can be deleted: %s",
            kept.damage,
            len(kept.events),
            "None is rated twice."
            if kept.spool or not kept.events
            else "The daemon cannot know them any more, so some may be rated a second time.",
            aside,
        )

    def _fill(self, kept: Kept) -> None:
        self.run("BEGIN IMMEDIATE")
        if kept.spool:
            self.name(kept.spool)
            self.run("INSERT INTO sqlite_sequence VALUES ('events', ?)", kept.last)
        self.put_events(kept.events if kept.spool else renumbered(p for _, p in kept.events))
        for row in kept.people:
            self.run("INSERT OR IGNORE INTO people (name, id) VALUES (?, ?)", *row)
        if kept.place:
            self.put("place", kept.place)
        self.run("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """In words for an admin, whatever goes wrong."""
        try:
            yield
        except sqlite3.Error as error:
            if is_damage(error):
                words = "start this again: what can be read of it is kept"
            else:
                words = "is the disk full, or another `adr-bridge follow` running with it?"
            raise StoreError(f"{self._path}: {error}; {words}") from error
        except OSError as error:
            raise StoreError(f"{self._path}: {error.strerror or error}") from error

    def run(self, sql: str, *values: object) -> list[Any]:
        with self._told():
            return self._file.execute(sql, values).fetchall()

    def name(self, spool: str) -> None:
        self.put("spool", spool)
        self.run("DELETE FROM spool")
        self.run("INSERT INTO spool VALUES (?)", spool)

    def put_events(self, events: Iterable[tuple[int, bytes]]) -> None:
        for seq, packet in events:
            self.run("INSERT INTO events VALUES (?, ?, ?)", seq, packet, seal(packet))

    def close(self) -> None:
        self._file.close()

    def get(self, name: str) -> str | None:
        rows = self.run("SELECT value FROM state WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def put(self, name: str, value: str) -> None:
        self.run("INSERT OR REPLACE INTO state VALUES (?, ?, ?)", name, value, seal(value))


def _make_private(path: Path) -> None:
    """A file for its owner only: it holds names."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with suppress(PermissionError):  # of somebody else, who lets us write
        path.chmod(0o600)


def renumbered(packets: Iterable[bytes]) -> list[tuple[int, bytes]]:
    return [
        (seq, msgspec.json.encode(msgspec.json.decode(packet) | {"seq": seq}))
        for seq, packet in enumerate(packets, start=1)
    ]
