"""A home for a daemon that has a hard life."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ..daemon.mod import awaited
from ..daemon.running import Home, settings
from .survivor import Survivor


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """One server, `survival`, and lively rules."""
    home = Home(tmp_path)
    home.save(settings())
    home.add("survival")
    return home


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home whose daemon has stopped after some hundred kills."""
    home = Home(tmp_path_factory.mktemp("played"))
    home.save(settings())
    home.add("survival")

    @awaited
    async def play() -> None:
        with home.serving() as daemon:
            assert await Survivor().play(daemon, fights=400)

    play()
    return home


@pytest.fixture
def past(played: Home, tmp_path: Path) -> Home:
    """A copy of it, to be damaged."""
    for name in ("adr.sqlite3", "config.yml"):
        shutil.copy(played.folder / name, tmp_path / name)
    return Home(tmp_path)
