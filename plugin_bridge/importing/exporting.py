"""Whole tables as files: for spreadsheets and notebooks, and to be imported again elsewhere."""

import gzip
import json
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO

from plugin_bridge.errors import UsageError
from plugin_bridge.files import replacing
from plugin_bridge.spreadsheets import csv_writer
from plugin_bridge.store import Store
from plugin_bridge.store.transfer import EVENT, LANES, OUTCOME

Format = Literal["csv", "jsonl"]
EVENTS = (*EVENT, *LANES, *OUTCOME)
NAMES = ("player", "name", "seen")
PLAYERS = (
    "ladder",
    "rank",
    "player",
    "name",
    "rating",
    "uncertainty",
    "tier",
    "fights",
    "kills",
    "deaths",
    "streak",
    "best_streak",
    "last_event",
)
SEASONS = (
    "season",
    "ladder",
    "ended",
    "rank",
    "player",
    "name",
    "rating",
    "uncertainty",
    "tier",
    "tier_name",
    "kills",
    "deaths",
)
Rows = AsyncGenerator[tuple[Any, ...], None]

TABLES: dict[str, tuple[tuple[str, ...], Callable[[Store], Rows]]] = {
    "players": (PLAYERS, lambda store: store.transfer.players()),
    "events": (EVENTS, lambda store: store.transfer.events()),
    "names": (NAMES, lambda store: store.transfer.names()),
    "seasons": (SEASONS, lambda store: store.transfer.seasons()),
}
"""What can be exported: columns and rows. `events` and `names` together are the whole database
but for the tokens: everything else follows from them."""


def format_of(path: Path | None, wanted: Format | None) -> Format:
    """By the ending of the file's name, unless told. Raises UsageError."""
    if wanted:
        return wanted
    if path is None:
        return "csv"
    endings = [ending.lower() for ending in path.suffixes if ending.lower() != ".gz"]
    match endings[-1:]:
        case [".csv"]:
            return "csv"
        case [".jsonl"] | [".ndjson"]:
            return "jsonl"
    raise UsageError(f"{path}: name a file that ends in .csv or .jsonl, with .gz to have it packed")


async def export(store: Store, table: str, target: Path | None, form: Format) -> int:
    """Writes a table, of one moment; how many rows. `None`: to the standard output.

    A file appears only when it is complete, and is its owner's alone: it holds names. Raises
    UsageError when it exists. Numbers are written so that they come back to the last bit.
    """
    columns, rows = TABLES[table]
    count = 0
    async with aclosing(rows(store)) as stream:
        with _output(target) as file:
            write = _csv(file, columns) if form == "csv" else _jsonl(file, columns)
            async for row in stream:
                write(row)
                count += 1
    return count


def _csv(file: TextIO, columns: tuple[str, ...]) -> Callable[[tuple[Any, ...]], object]:
    write = csv_writer(file)
    write(columns)
    return write


def _jsonl(file: TextIO, columns: tuple[str, ...]) -> Callable[[tuple[Any, ...]], object]:
    def write(row: tuple[Any, ...]) -> None:
        values = dict(zip(columns, row, strict=True))
        file.write(json.dumps(values, ensure_ascii=False) + "\n")

    return write


@contextmanager
def _output(target: Path | None) -> Iterator[TextIO]:
    if target is None:
        yield sys.stdout
        return
    if target.exists():
        raise UsageError(f"{target} is there already; nothing was changed")
    make = gzip.open if target.suffix.lower() == ".gz" else open
    with (
        replacing(target, mode=0o600) as partial,
        make(partial, "wt", encoding="utf-8", newline="") as file,
    ):
        yield file
