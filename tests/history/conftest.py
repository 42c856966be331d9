"""A home for a daemon whose past will be amended, and a folder with a past already."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from plugin_bridge.arena import Arena
from plugin_bridge.store.rows import NameRow

from ..daemon.running import Home, settings
from ..store.history import make_lanes, opened, record
from .amending import past


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """One server, `survival`, and lively rules."""
    home = Home(tmp_path)
    home.save(settings())
    home.add("survival")
    return home


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    async def scenario() -> None:
        async with opened(tmp_path / "adr.sqlite3") as store:
            await make_lanes(store)
            people = {"old": "Oldie", "new": "Newt", "ann": "Ann", "bob": "Bob"}
            names = [NameRow(player, name, 1.0) for player, name in people.items()]
            await record(store, Arena(), past(), names)
            await store.load()

    asyncio.run(scenario())
    (tmp_path / "config.yml").write_text("storage: {database: adr.sqlite3}\n", encoding="utf-8")
    return tmp_path
