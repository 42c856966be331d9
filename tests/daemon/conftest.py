"""A home for a daemon, and a daemon in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plugin_bridge import ledger as ledger_module
from plugin_bridge.store import database

from .running import Daemon, Home, settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """One server, `survival`, and lively rules; tests may save other settings before they start."""
    home = Home(tmp_path)
    home.save(settings())
    home.add("survival")
    return home


@pytest.fixture
def daemon(home: Home) -> Iterator[Daemon]:
    """A daemon that has to end without any fault in its log."""
    with home.serving() as daemon:
        yield daemon


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is given up on, and tried again, within moments."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(ledger_module, "RETRY_SECONDS", (0.05,))
