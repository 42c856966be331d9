"""What the running daemon last knew of itself and its game servers, for the command line."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from plugin_bridge.store.database import Database
from plugin_bridge.store.lock import Lock

Rows = Mapping[str, tuple[str, float]]
"""For each subject what was said of it, as JSON, and when."""
Found = TypeVar("Found")
DAEMON = ""
"""The subject under which the daemon reports itself; other subjects are server ids."""


class Health:
    """`lock`: held by whoever works with the database, as long as it lives."""

    def __init__(self, writer: Database, reader: Database, lock: Lock) -> None:
        self._writer = writer
        self._reader = reader
        self.lock = lock

    async def put(self, subjects: dict[str, dict[str, Any]], *, now: float) -> None:
        """Replaces the whole picture. It may be lost with the power, so it waits for no disk."""
        await self._writer.run("PRAGMA synchronous = NORMAL")
        try:
            async with self._writer.transaction():
                await self._replace(subjects, now=now)
        finally:
            await self._writer.run("PRAGMA synchronous = FULL")

    async def put_unless(
        self,
        found: Callable[[Rows], Found | None],
        subjects: dict[str, dict[str, Any]],
        *,
        now: float,
    ) -> Found | None:
        """Replaces the picture if nothing is found in the present one, else returns that.

        Nobody else writes in between.
        """
        async with self._writer.transaction():
            there = found(await _rows(self._writer))
            if there is None:
                await self._replace(subjects, now=now)
            return there

    async def _replace(self, subjects: dict[str, dict[str, Any]], *, now: float) -> None:
        await forget(self._writer)
        if DAEMON in subjects and (mark := self.lock.mark):
            subjects = subjects | {DAEMON: subjects[DAEMON] | {"lock": mark}}
        await self._writer.run_many(
            "INSERT INTO health (subject, detail, seen) VALUES (?, ?, ?)",
            [(subject, json.dumps(detail), now) for subject, detail in subjects.items()],
        )

    async def all(self) -> Rows:
        return await _rows(self._reader)


async def forget(writer: Database) -> None:
    """Removes all that was said, of a copy for instance, in which no daemon runs."""
    await writer.run("DELETE FROM health")


async def _rows(database: Database) -> Rows:
    rows = await database.rows("SELECT subject, detail, seen FROM health ORDER BY subject")
    return {subject: (detail, seen) for subject, detail, seen in rows}
