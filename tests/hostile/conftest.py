"""A home for a daemon whose peers are up to no good."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..daemon.running import Daemon, Home, settings


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The fuzzer that is guided by what it reaches has no short form."""
    return (collection_path.name == "test_guided.py" and not config.getoption("--long")) or None


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
