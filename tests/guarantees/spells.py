"""Tells a daemon that runs under `bewitched` what befalls its database."""

from __future__ import annotations

from ..daemon.running import Home

FULL = "PRAGMA max_page_count = 1"
ROOM = "PRAGMA max_page_count = 1000000"
READ_ONLY = "PRAGMA query_only = 1"
WRITABLE = "PRAGMA query_only = 0"


def cast(home: Home, *lines: str) -> None:
    """From now on; without lines the spell is over."""
    fresh = home.folder / "spell.new"
    fresh.write_text("\n".join(lines), encoding="utf-8")
    fresh.replace(home.folder / "spell")
