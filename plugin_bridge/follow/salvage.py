"""What a spool's file holds, and what can still be read of it when a disk has damaged it.

Events and notes carry checksums, and the id of the spool stands in two places: under other numbers
or another id the daemon would rate again what it has.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from plugin_bridge.gamelog.people import canonical_id
from plugin_bridge.store.faults import is_damage

_ID = re.compile(r"[\w-]{8,64}", re.ASCII)
Event = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class Kept:
    """`damage`: what is wrong with the file; then the rest is what could be read, else nothing.

    spool: its id; place: how far the log was read, as it was noted; last: the highest number that
    was given out, as far as can be told; people: names and ids.
    """

    damage: str = ""
    spool: str | None = None
    place: str | None = None
    last: int = 0
    events: tuple[Event, ...] = ()
    people: tuple[tuple[str, str], ...] = ()


def seal(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:8]


def looked_at(file: sqlite3.Connection) -> Kept:
    """Raises sqlite3.Error for what is no damage. Cost: linear in the file."""
    damage = _damage(file)
    if not damage:
        return Kept()
    notes = {name: value for name, value, mark in _rows(file, "state") if mark == seal(value)}
    ids = (notes.get("spool"), *(row[0] for row in _rows(file, "spool")))
    events = _events(file)
    numbers = (int(row[1] or 0) for row in _rows(file, "sqlite_sequence"))
    return Kept(
        damage=damage,
        spool=next((one for one in ids if one and _ID.fullmatch(one)), None),
        place=notes.get("place"),
        last=max((*numbers, *(seq for seq, _ in events)), default=0),
        events=tuple(events),
        people=tuple((n, i) for n, i in _rows(file, "people") if i and canonical_id(i) == i),
    )


def _damage(file: sqlite3.Connection) -> str:
    """In words; nothing for a file that is whole or empty."""
    try:
        if not file.execute("SELECT 1 FROM sqlite_master").fetchone():
            return ""
        ((found,),) = file.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            return " ".join(str(found).split())
        bad = sum(mark != seal(packet) for packet, mark in _marked(file, "events", "packet"))
        bad += sum(mark != seal(value) for value, mark in _marked(file, "state", "value"))
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        return str(error)
    return f"{bad} of its rows are not what was written" if bad else ""


def _marked(file: sqlite3.Connection, table: str, column: str) -> Iterator[tuple[bytes, str]]:
    yield from file.execute(f"SELECT {column}, seal FROM {table}")  # noqa: S608


def _events(file: sqlite3.Connection) -> list[Event]:
    """Those that are as they were written, by number."""
    found = {}
    for seq, packet, mark in (*_rows(file, "events"), *_rows(file, "events", "DESC")):
        sound = isinstance(packet, bytes) and mark == seal(packet)
        if sound and msgspec.json.decode(packet)["seq"] == seq:
            found[int(seq)] = packet
    return sorted(found.items())


def _rows(file: sqlite3.Connection, table: str, order: str = "ASC") -> Iterator[tuple]:  # type: ignore[type-arg]
    """As many rows as can be read from that end on."""
    try:
        yield from file.execute(f"SELECT * FROM {table} ORDER BY rowid {order}")  # noqa: S608
    except sqlite3.Error as error:
        if not is_damage(error) and not isinstance(error, sqlite3.OperationalError):
            raise
