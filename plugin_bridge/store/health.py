"""What the running daemon last knew of itself and its game servers, for the command line."""

import json
from typing import Any

from plugin_bridge.store.database import Database

DAEMON = ""
"""The subject under which the daemon reports itself; other subjects are server ids."""


class Health:
    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    async def put(self, subjects: dict[str, dict[str, Any]], *, now: float) -> None:
        """Replaces the whole picture. It may be lost with the power, so it waits for no disk."""
        await self._writer.run("PRAGMA synchronous = NORMAL")
        try:
            await self._replace(subjects, now=now)
        finally:
            await self._writer.run("PRAGMA synchronous = FULL")

    async def _replace(self, subjects: dict[str, dict[str, Any]], *, now: float) -> None:
        async with self._writer.transaction():
            await self._writer.run("DELETE FROM health")
            await self._writer.run_many(
                "INSERT INTO health (subject, detail, seen) VALUES (?, ?, ?)",
                [(subject, json.dumps(detail), now) for subject, detail in subjects.items()],
            )

    async def all(self) -> dict[str, tuple[dict[str, Any], float]]:
        """For each subject what was said of it, and when."""
        rows = await self._reader.rows("SELECT subject, detail, seen FROM health ORDER BY subject")
        return {subject: (json.loads(detail), seen) for subject, detail, seen in rows}
