"""Other ratings take the place of those in force while the daemon runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin_bridge.arena import Arena
from plugin_bridge.errors import StaleAppend
from plugin_bridge.ledger import Ledger

from ..daemon.mod import awaited
from ..store.history import exact, history, make_lanes, opened, record


@awaited
async def test_the_ledger_goes_on_with_the_ladders_of_the_other_past(tmp_path: Path) -> None:
    async with opened(tmp_path / "adr.sqlite3") as store:
        await make_lanes(store)
        other = Arena()
        await record(store, other, history(1, batches=20))
        ledger = Ledger(store)
        ladders, book = ledger.ladders, ledger.book
        troubled = []

        async def swap() -> Arena:
            troubled.append(ledger.troubled)
            return other

        await ledger.exchange(swap)
        assert troubled == [False]
        assert (ledger.ladders, ledger.book) == (ladders, book)
        assert ledger.ladders == other.ladders != {}
        assert ledger.book.rows() == other.book.rows()


@awaited
async def test_what_is_stored_is_loaded_when_it_fails_and_no_command_is_turned_away_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path / "adr.sqlite3") as store:
        await make_lanes(store)
        live = Arena()
        await record(store, live, history(2, batches=20))
        ledger, troubled = Ledger(store), list[bool]()
        load = ledger.load

        async def watched() -> None:
            troubled.append(ledger.troubled)
            await load()

        async def swap() -> Arena:
            troubled.append(ledger.troubled)
            raise StaleAppend("the log has gone on")

        monkeypatch.setattr(ledger, "load", watched)
        with pytest.raises(StaleAppend):
            await ledger.exchange(swap)
        assert troubled == [False, False]
        for name, ladder in live.ladders.items():
            assert exact(ledger.ladders[name]) == exact(ladder)
