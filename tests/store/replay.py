"""The log, rated again from its first entry, against the tables that the daemon left beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from plugin_bridge.arena import Arena
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry

from .history import opened, record

LIVE = (
    "players",
    "ladders",
    "outcomes",
    "pairs",
    "contests",
    "contest_standings",
    "contest_ratings",
)
"""What the daemon writes entry by entry."""
PROJECTIONS = (*LIVE, "seasons", "season_places")


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every projection, row by row, without the order of their writing."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
            for table in PROJECTIONS
        }


def rebatched(entries: Iterable[LogEntry], size: int) -> Iterator[list[LogEntry]]:
    """The log in batches of another size; new parameters stay on their own, as in the daemon."""
    batch: list[LogEntry] = []
    for entry in entries:
        alone = "parameters" in {entry.kind, *(other.kind for other in batch[:1])}
        if batch and (len(batch) == size or alone):
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch


async def replay(source: Path, target: Path, *, size: int = 1_000) -> None:
    """Fills a new database from nothing but the lanes and the log of another."""
    with closing(sqlite3.connect(source)) as connection:
        lanes = connection.execute("SELECT server, spool FROM lanes ORDER BY lane").fetchall()
    async with opened(source) as store:
        await store.load()  # lets go of the pairs that the ladders have forgotten
        entries = [entry async for entry in store.log.read()]
    async with opened(target) as store:
        await _make_lanes(store, lanes)
        await record(store, Arena(), rebatched(entries, size))
        await store.load()
        assert [entry async for entry in store.log.read()] == entries


async def _make_lanes(store: Store, lanes: list[tuple[str, str]]) -> None:
    for number, (server, spool) in enumerate(lanes, start=1):
        assert await store.log.lane(server, spool) == number
