"""A home for a daemon whose peers are up to no good."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..daemon.running import Daemon, Home, settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """One server, `survival`, and lively rules."""
    home = Home(tmp_path)
    home.save(settings())
    home.add("survival")
    return home


@pytest.fixture
def daemon(home: Home) -> Iterator[Daemon]:
    """A daemon that has to end without any fault in its log."""
    with home.serving() as daemon:
        yield daemon
