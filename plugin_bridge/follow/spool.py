"""What is not acknowledged yet, and how far the log was read: both in one file, in one transaction.

So whatever dies and whenever, each line of the log is told once.
"""

import logging
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from plugin_bridge.errors import StoreError
from plugin_bridge.follow.salvage import Kept, is_damage, looked_at, seal
from plugin_bridge.follow.tail import Place
from plugin_bridge.gamelog.people import People
from plugin_bridge.importing.happenings import Happening
from plugin_bridge.importing.packets import packet_of

log = logging.getLogger(__name__)

MOST_EVENTS = 200_000
_TABLES = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, packet BLOB NOT NULL, seal TEXT);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT);
CREATE TABLE IF NOT EXISTS people (name TEXT PRIMARY KEY, id TEXT);
CREATE TABLE IF NOT EXISTS spool (id TEXT NOT NULL)
"""
"""`seal`: a checksum. The id of the spool stands in `state`, and once more in `spool`."""


class Spool:
    """One process at a time. Raises StoreError when the file cannot be used.

    lost: how many events were given up because there was no room for more. damaged: whether the
    file was found damaged, so that this one has only what could be read of it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lost = 0
        self.damaged = False
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = self._open()
            if kept.damage:
                self._begin_anew(kept)
        self.id = self._get("spool") or self._renamed()
        self._first_of_run = self.next
        self._greeted = False
        """Whether the daemon has said in this run what it has stored."""

    def _open(self) -> Kept:
        self._file = file = sqlite3.connect(self._path, isolation_level=None, timeout=1.0)
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
        """Puts the damaged file aside and what could be read of it into another one."""
        self._file.close()
        self.damaged = True
        aside = self._path.with_name(f"{self._path.name}.damaged-{time.time_ns() // 1_000_000}")
        for ending in ("-journal", ""):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{ending}").rename(f"{aside}{ending}")
        self._open()
        self._run("BEGIN IMMEDIATE")
        if kept.spool:
            self._name(kept.spool)
            self._run("INSERT INTO sqlite_sequence VALUES ('events', ?)", kept.last)
        self._put_events(kept.events if kept.spool else _renumbered(p for _, p in kept.events))
        for row in kept.people:
            self._run("INSERT OR IGNORE INTO people (name, id) VALUES (?, ?)", *row)
        if kept.place:
            self._put("place", kept.place)
        self._run("COMMIT")
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

    def _run(self, sql: str, *values: object) -> list[Any]:
        with self._told():
            return self._file.execute(sql, values).fetchall()

    def _name(self, spool: str) -> None:
        self._put("spool", spool)
        self._run("DELETE FROM spool")
        self._run("INSERT INTO spool VALUES (?)", spool)

    def _renamed(self) -> str:
        name = secrets.token_urlsafe(12)
        self._name(name)
        return name

    @property
    def next(self) -> int:
        """The number that the next event gets."""
        rows = self._run("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
        return int(rows[0][0]) + 1 if rows else 1

    @property
    def first(self) -> int:
        """The lowest number that can still be delivered."""
        ((seq,),) = self._run("SELECT min(seq) FROM events")
        return int(seq or self.next)

    @property
    def place(self) -> Place | None:
        """How far the log was read; None before the first time."""
        text = self._get("place")
        return msgspec.json.decode(text, type=Place) if text else None

    def people(self, cache: dict[str, str]) -> People:
        rows = self._run("SELECT name, id FROM people")
        return People(cache, {name: own for name, own in rows if own}, {name for name, _ in rows})

    def keep(self, happenings: Sequence[Happening], people: People, place: Place) -> None:
        """Notes what the lines up to a place told. Durable on return."""
        self._run("BEGIN IMMEDIATE")
        self._put_events(
            (seq, msgspec.json.encode(packet_of(happening, seq)))
            for seq, happening in enumerate(happenings, start=self.next)
        )
        if happenings:
            self._make_room()
        self._note(people)
        self._put("place", msgspec.json.encode(place).decode())
        self._run("COMMIT")

    def _put_events(self, events: Iterable[tuple[int, bytes]]) -> None:
        for seq, packet in events:
            self._run("INSERT INTO events VALUES (?, ?, ?)", seq, packet, seal(packet))

    def _make_room(self) -> None:
        gone = "DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ? RETURNING 1"
        self.lost += len(self._run(gone, MOST_EVENTS))

    def _note(self, people: People) -> None:
        """Names with the ids that the log told: it may be rotated away before they are needed."""
        known = dict(self._run("SELECT name, id FROM people"))
        for name in people.seen:
            own = people.told.get(name)
            if name not in known or known[name] != own:
                self._run("INSERT OR REPLACE INTO people (name, id) VALUES (?, ?)", name, own)

    def after(self, seq: int, count: int) -> list[tuple[int, bytes]]:
        """The next kept events behind a number, and none behind one that is lost."""
        sql = "SELECT seq, packet FROM events WHERE seq > ? ORDER BY seq LIMIT ?"
        rows = enumerate(self._run(sql, seq, count), start=seq + 1)
        return [event for number, event in rows if event[0] == number]

    def welcome(self, seq: int) -> bool:
        """A connection begins, and the daemon has stored everything up to a number.

        False if that is more than it can have from here, for the file is an older copy or has lost
        its end: then all that it held is stored, and what came since the start has another name.
        """
        if seq >= (self.next if self._greeted else self._first_of_run):
            self.renew()
            return False
        self._greeted = True
        self.drop(seq)
        return True

    def drop(self, seq: int) -> None:
        """Everything up to a number is stored by the daemon."""
        self._run("DELETE FROM events WHERE seq <= ?", seq)

    def renew(self) -> None:
        """Keeps only what was added in this run, under another name and numbered from 1, as
        PROTOCOL.md says of a rolled-back spool.
        """
        self._run("BEGIN IMMEDIATE")
        sql = "SELECT packet FROM events WHERE seq >= ? ORDER BY seq"
        packets = [packet for (packet,) in self._run(sql, self._first_of_run)]
        self._run("DELETE FROM events")
        self._run("DELETE FROM sqlite_sequence")
        self._put_events(_renumbered(packets))
        self.id = self._renamed()
        self._first_of_run, self._greeted = 1, False
        self._run("COMMIT")

    def close(self) -> None:
        self._file.close()

    def _get(self, name: str) -> str | None:
        rows = self._run("SELECT value FROM state WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def _put(self, name: str, value: str) -> None:
        self._run("INSERT OR REPLACE INTO state VALUES (?, ?, ?)", name, value, seal(value))


def _renumbered(packets: Iterable[bytes]) -> list[tuple[int, bytes]]:
    return [
        (seq, msgspec.json.encode(msgspec.json.decode(packet) | {"seq": seq}))
        for seq, packet in enumerate(packets, start=1)
    ]
