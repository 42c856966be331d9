"""Other ratings take the place of those in force while the daemon runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin_bridge.ledger import Ledger
from plugin_bridge.store import Store

from ..daemon.mod import awaited


@awaited
async def test_no_command_is_turned_away_while_other_ratings_are_put_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(tmp_path / "adr.sqlite3")
    try:
        ledger, troubled = Ledger(store), list[bool]()
        await ledger.load()
        load = ledger.load

        async def watched() -> None:
            troubled.append(ledger.troubled)
            await load()

        async def swap() -> None:
            troubled.append(ledger.troubled)

        monkeypatch.setattr(ledger, "load", watched)
        await ledger.exchange(swap)
        assert troubled == [False, False]
    finally:
        await store.close()
