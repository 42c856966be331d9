"""A home for a daemon whose past will be amended."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..daemon.running import Home, settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """One server, `survival`, and lively rules."""
    home = Home(tmp_path)
    home.save(settings())
    home.add("survival")
    return home
