"""Other programs at the same database, at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from plugin_bridge.store import Store
from plugin_bridge.store.database import Database, Row

from ..daemon.running import run_cli


@pytest.mark.parametrize("question", [1, 2, 4, 7])
def test_two_programs_that_make_the_database_at_the_same_time_both_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: int
) -> None:
    """The other one makes it from nothing to all just after our nth look at it."""
    (tmp_path / "config.yml").write_text("storage: {database: adr.sqlite3}\n", encoding="utf-8")
    ask, asked = Database.rows, 0

    async def overtaken(self: Database, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        nonlocal asked
        rows, asked = await ask(self, sql, values), asked + 1
        if asked == question:
            added = await asyncio.to_thread(run_cli, tmp_path, "server", "add", "faster")
            assert added.returncode == 0, added.stderr
        return rows

    monkeypatch.setattr(Database, "rows", overtaken)

    async def scenario() -> None:
        store = await Store.open(tmp_path / "adr.sqlite3")
        try:
            await store.registry.add("slower", now=1.0)
            assert [server for server, _ in await store.registry.all()] == ["faster", "slower"]
        finally:
            await store.close()

    asyncio.run(asyncio.wait_for(scenario(), 30))
