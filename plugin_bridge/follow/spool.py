"""What is not acknowledged yet, and how far the log was read: both in one file, in one transaction.

So whatever dies and whenever, each line of the log is told once.
"""

import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from plugin_bridge.follow.places import Place
from plugin_bridge.follow.spool_file import SpoolFile, renumbered
from plugin_bridge.gamelog.people import People
from plugin_bridge.importing.happenings import Happening
from plugin_bridge.importing.packets import packet_of

MOST_EVENTS = 200_000


class Spool:
    """One process at a time. Raises StoreError when the file cannot be used.

    lost: how many events were given up because there was no room for more. damaged: whether the
    file was found damaged, so that this one has only what could be read of it.
    """

    def __init__(self, path: Path) -> None:
        self.lost = 0
        self._file = SpoolFile(path)
        self.damaged = self._file.damaged
        self.id = self._file.get("spool") or self._renamed()
        self._first_of_run = self.next
        self._greeted = False
        """Whether the daemon has said in this run what it has stored."""

    def _renamed(self) -> str:
        name = secrets.token_urlsafe(12)
        self._file.name(name)
        return name

    @property
    def next(self) -> int:
        """The number that the next event gets."""
        rows = self._file.run("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
        return int(rows[0][0]) + 1 if rows else 1

    @property
    def first(self) -> int:
        """The lowest number that can still be delivered."""
        ((seq,),) = self._file.run("SELECT min(seq) FROM events")
        return int(seq or self.next)

    @property
    def place(self) -> Place | None:
        """How far the log was read; None before the first time."""
        text = self._file.get("place")
        return msgspec.json.decode(text, type=Place) if text else None

    def people(self, cache: dict[str, str], players: Iterable[str] = ()) -> People:
        """Whom earlier logs told of; `players`: who else is one."""
        rows = self._file.run("SELECT name, id FROM people")
        seen = {name for name, _ in rows}.union(players)
        return People(cache, {name: own for name, own in rows if own}, seen)

    def keep(self, happenings: Sequence[Happening], people: People, place: Place) -> None:
        """Notes what the lines up to a place told. Durable on return."""
        self._file.run("BEGIN IMMEDIATE")
        self._file.put_events(
            (seq, msgspec.json.encode(packet_of(happening, seq)))
            for seq, happening in enumerate(happenings, start=self.next)
        )
        if happenings:
            self._make_room()
        self._note(people)
        self._file.put("place", msgspec.json.encode(place).decode())
        self._file.run("COMMIT")

    def _make_room(self) -> None:
        gone = "DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ? RETURNING 1"
        self.lost += len(self._file.run(gone, MOST_EVENTS))

    def _note(self, people: People) -> None:
        """Names with the ids that the log told: it may be rotated away before they are needed."""
        known = dict(self._file.run("SELECT name, id FROM people"))
        for name in people.seen:
            own = people.told.get(name)
            if name not in known or known[name] != own:
                self._file.run("INSERT OR REPLACE INTO people (name, id) VALUES (?, ?)", name, own)

    def after(self, seq: int, count: int) -> list[tuple[int, bytes]]:
        """The next kept events behind a number, and none behind one that is lost."""
        sql = "SELECT seq, packet FROM events WHERE seq > ? ORDER BY seq LIMIT ?"
        rows = enumerate(self._file.run(sql, seq, count), start=seq + 1)
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
        self._file.run("DELETE FROM events WHERE seq <= ?", seq)

    def renew(self) -> None:
        """Keeps only what was added in this run, under another name and numbered from 1, as
        PROTOCOL.md says of a rolled-back spool.
        """
        self._file.run("BEGIN IMMEDIATE")
        sql = "SELECT packet FROM events WHERE seq >= ? ORDER BY seq"
        packets = [packet for (packet,) in self._file.run(sql, self._first_of_run)]
        self._file.run("DELETE FROM events")
        self._file.run("DELETE FROM sqlite_sequence")
        self._file.put_events(renumbered(packets))
        self.id = self._renamed()
        self._first_of_run, self._greeted = 1, False
        self._file.run("COMMIT")

    def close(self) -> None:
        self._file.close()
