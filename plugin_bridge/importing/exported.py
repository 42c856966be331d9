"""Files that `export` wrote, back into a database: the log entry by entry, and the names.

What is not in them follows from the log, and is rated again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from typing import get_args

from msgspec.structs import fields

from plugin_bridge.errors import UsageError
from plugin_bridge.history.historian import unattended
from plugin_bridge.importing.entries import Sense
from plugin_bridge.importing.exporting import EVENTS, NAMES
from plugin_bridge.importing.tables import Faults, Row, columns_of, rows_of
from plugin_bridge.importing.writing import Progress
from plugin_bridge.ledger import Ledger
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry, NameRow
from plugin_bridge.store.transfer import EVENT, LANES

CHUNK = 1_000
_TYPES = {field.name: get_args(field.type) or (field.type,) for field in fields(LogEntry)}
"""What the values of each column may be."""
_EMPTY = "an exported log goes into an empty one (storage.database in config.yml names it)"
_BEYOND = 1 << 63
"""No whole number in a database is as large."""
_NO_SCALAR = (TypeError, ValueError, OverflowError)


def is_events(columns: tuple[str, ...]) -> bool:
    return {*EVENT, *LANES} <= set(columns)


def is_names(columns: tuple[str, ...]) -> bool:
    return set(columns) == set(NAMES)


@dataclass(frozen=True, slots=True)
class _Exported:
    entry: LogEntry
    lane: tuple[int, str, str]


def read_events(path: Path) -> Iterator[_Exported]:
    """The entries of an exported log. Raises UsageError for what cannot have come out of one."""
    faults, sense = Faults(path.name, columns_of(path) or EVENTS), Sense()
    for expected, row in enumerate(rows_of(path), start=1):
        values = {name: _value(row, name, faults) for name in EVENT}
        faults.check()
        entry = LogEntry(**values)  # type: ignore[arg-type]
        if entry.position != expected:
            faults.add(row.line, "position", f"{entry.position}, but {expected} is next")
        elif fault := sense.fault(entry):
            faults.add(row.line, *fault)
        faults.check()
        yield _Exported(entry, (entry.lane, row.text("server"), row.text("spool")))


def _value(row: Row, name: str, faults: Faults) -> object:
    value, types = row.values.get(name), _TYPES[name]
    if value in ("", None):
        if type(None) not in types:
            faults.add(row.line, name, "is missing")
        return None
    try:
        return _scalar(value, types)
    except _NO_SCALAR:
        number = "number" if {int, float} & set(types) else "text"
        faults.add(row.line, name, f"{str(value)[:40]!r} is no {number}")
        return None


def _scalar(value: object, types: tuple[object, ...]) -> object:
    """Raises one of _NO_SCALAR for what is of another type, or too large."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError
    if int in types:
        if isinstance(value, float):
            raise TypeError
        whole = int(value)
        if not -_BEYOND <= whole < _BEYOND:
            raise OverflowError
        return whole
    if float in types:
        if not isfinite(float(value)):
            raise ValueError
        return float(value)
    if not isinstance(value, str):
        raise TypeError
    return value


def surveyed(path: Path) -> tuple[int, float]:
    """How many entries there are, and the time of the last. Raises as `read_events`."""
    last = None
    for one in read_events(path):
        last = one.entry
    return (last.position, last.received) if last else (0, 0.0)


def read_names(path: Path) -> list[NameRow]:
    """Raises UsageError for what are no names."""
    faults, found = Faults(path.name, columns_of(path) or NAMES), []
    for row in rows_of(path):
        for column in ("player", "name"):
            if not row.text(column):
                faults.add(row.line, column, "is missing")
        try:
            seen = _scalar(row.values.get("seen"), (float,))
        except _NO_SCALAR:
            faults.add(row.line, "seen", f"{row.text('seen')[:40]!r} is no number")
        else:
            found.append(NameRow(row.text("player"), row.text("name"), float(str(seen))))
    faults.check()
    return found


async def write_events(store: Store, path: Path, *, told: Progress) -> int:
    """Puts an exported log into an empty database, or finds that it is there already.

    What was excluded in it stays excluded. How many entries are new. Raises UsageError, with
    nothing changed, when the database has another past.
    """
    there = await _common(store, path)
    if there:
        return 0
    lanes = dict.fromkeys(one.lane for one in read_events(path))
    ledger = Ledger(store)
    ledger.stop_waiting()
    async with store.as_one():
        for lane in sorted(lanes):
            if not await store.transfer.put_lane(*lane):
                raise UsageError(
                    f"{path}: lane {lane[0]} is another one in this database; {_EMPTY}"
                )
        await ledger.load()
        for _, server, spool in lanes:
            await ledger.open_lane(server, spool)
        for chunk in _chunks(one.entry for one in read_events(path)):
            await ledger.write(partial(_as_they_are, chunk))
            told(ledger.end)
    await unattended(store, ledger).look()
    return ledger.end


async def write_names(store: Store, names: list[NameRow]) -> int:
    """Notes the names, unless later ones are known; how many are new."""
    there = {row[0]: NameRow(*row) async for row in store.transfer.names()}
    fresh = [row for row in names if _is_later(row, there.get(row.player))]
    async with store.as_one():
        await store.people.put(fresh)
    return len(fresh)


def _is_later(row: NameRow, there: NameRow | None) -> bool:
    return there is None or (row != there and row.seen >= there.seen)


async def _common(store: Store, path: Path) -> int:
    """How long the log is that is there already: 0, or all of the file."""
    end = await store.log.end()
    if not end:
        return 0
    entries = (one.entry for one in read_events(path))
    async for stored in store.log.read():
        if next(entries, None) != stored:
            break
    else:
        if next(entries, None) is None:
            return end
    raise UsageError(f"{path}: this database has another past; {_EMPTY}")


def _as_they_are(entries: list[LogEntry]) -> tuple[list[LogEntry], list[NameRow]]:
    return entries, []


def _chunks(entries: Iterator[LogEntry]) -> Iterator[list[LogEntry]]:
    """New parameters stand alone, as in the daemon."""
    chunk: list[LogEntry] = []
    for entry in entries:
        alone = "parameters" in {entry.kind, *(other.kind for other in chunk[:1])}
        if chunk and (alone or len(chunk) == CHUNK):
            yield chunk
            chunk = []
        chunk.append(entry)
    if chunk:
        yield chunk
