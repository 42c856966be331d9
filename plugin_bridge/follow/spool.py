"""What is not acknowledged yet, and how far the log was read: both in one file, in one transaction.

So whatever dies and whenever, each line of the log is told once.
"""

import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from plugin_bridge.errors import StoreError
from plugin_bridge.follow.tail import Place
from plugin_bridge.gamelog.people import People
from plugin_bridge.importing.happenings import Happening
from plugin_bridge.importing.packets import packet_of

MOST_EVENTS = 200_000
_TABLES = """
CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY AUTOINCREMENT, packet BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS people (name TEXT PRIMARY KEY, id TEXT);
"""


class Spool:
    """One process at a time. Raises StoreError when the file cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lost = 0
        """How many events were given up because there was no room for more."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, isolation_level=None, timeout=1.0)
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute("BEGIN IMMEDIATE")
            for statement in _TABLES.strip().split("\n"):
                self._file.execute(statement)
            self._file.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{path}: {error}; is another `adr-bridge follow` running with it?"
            ) from None
        self.id = self._get("spool") or self._renamed()
        self._first_of_run = self.next

    def _renamed(self) -> str:
        name = secrets.token_urlsafe(12)
        self._put("spool", name)
        return name

    @property
    def next(self) -> int:
        """The number that the next event gets."""
        row = self._file.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
        return int(row[0]) + 1 if row else 1

    @property
    def first(self) -> int:
        """The lowest number that can still be delivered."""
        row = self._file.execute("SELECT min(seq) FROM events").fetchone()
        return int(row[0] or self.next)

    @property
    def place(self) -> Place | None:
        """How far the log was read; None before the first time."""
        text = self._get("place")
        return msgspec.json.decode(text, type=Place) if text else None

    def people(self, cache: dict[str, str]) -> People:
        rows = self._file.execute("SELECT name, id FROM people").fetchall()
        return People(cache, {name: own for name, own in rows if own}, {name for name, _ in rows})

    def keep(self, happenings: Sequence[Happening], people: People, place: Place) -> None:
        """Notes what the lines up to a place told. Durable on return."""
        self._file.execute("BEGIN IMMEDIATE")
        number = self.next
        self._file.executemany(
            "INSERT INTO events (seq, packet) VALUES (?, ?)",
            [
                (seq, msgspec.json.encode(packet_of(happening, seq)))
                for seq, happening in enumerate(happenings, start=number)
            ],
        )
        if happenings:
            self._make_room()
        self._note(people)
        self._put("place", msgspec.json.encode(place).decode())
        self._file.execute("COMMIT")

    def _make_room(self) -> None:
        gone = self._file.execute(
            "DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?", (MOST_EVENTS,)
        ).rowcount
        self.lost += gone

    def _note(self, people: People) -> None:
        """Names with the ids that the log told: it may be rotated away before they are needed."""
        known = dict(self._file.execute("SELECT name, id FROM people").fetchall())
        fresh = [
            (name, people.told.get(name))
            for name in people.seen
            if name not in known or known[name] != people.told.get(name)
        ]
        self._file.executemany("INSERT OR REPLACE INTO people (name, id) VALUES (?, ?)", fresh)

    def after(self, seq: int, count: int) -> list[tuple[int, bytes]]:
        """The next kept events behind a number."""
        return self._file.execute(
            "SELECT seq, packet FROM events WHERE seq > ? ORDER BY seq LIMIT ?", (seq, count)
        ).fetchall()

    def drop(self, seq: int) -> None:
        """Everything up to a number is stored by the daemon."""
        self._file.execute("DELETE FROM events WHERE seq <= ?", (seq,))

    def renew(self) -> None:
        """This file is older than what the daemon knows: keeps only what was added in this run,
        under another name and numbered from 1, as PROTOCOL.md says of a rolled-back spool.
        """
        self._file.execute("BEGIN IMMEDIATE")
        rows = self.after(self._first_of_run - 1, MOST_EVENTS)
        self._file.execute("DELETE FROM events")
        self._file.execute("DELETE FROM sqlite_sequence")
        self._file.executemany(
            "INSERT INTO events (seq, packet) VALUES (?, ?)",
            _renumbered(packet for _, packet in rows),
        )
        self.id = self._renamed()
        self._first_of_run = 1
        self._file.execute("COMMIT")

    def close(self) -> None:
        self._file.close()

    def _get(self, name: str) -> str | None:
        row = self._file.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return row and str(row[0])

    def _put(self, name: str, value: str) -> None:
        self._file.execute(
            "INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", (name, value)
        )


def _renumbered(packets: Iterable[bytes]) -> list[tuple[int, bytes]]:
    return [
        (seq, msgspec.json.encode(msgspec.json.decode(packet) | {"seq": seq}))
        for seq, packet in enumerate(packets, start=1)
    ]
