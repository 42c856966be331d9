"""How far the past is rated again is told while it goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import time

import pytest

from plugin_bridge.arena import Arena
from plugin_bridge.cli.orders import finished
from plugin_bridge.history.amendments import Exclude, Selector, written
from plugin_bridge.history.historian import Historian
from plugin_bridge.ledger import Ledger
from plugin_bridge.status import picture
from plugin_bridge.store import Store

from ..cli.calling import call
from ..daemon.mod import awaited
from ..store.history import LIVELY, Scribe, make_lanes, opened, record

KILLS = 5_000


async def at_once(work: object) -> None:
    await work()  # type: ignore[operator]


async def ordered(store: Store) -> Historian:
    """At a store with a past, and an order that is in the log and nothing else."""
    ledger = Ledger(store)
    await ledger.load()
    historian = Historian(store=store, ledger=ledger, errand=at_once, changed=lambda: None)
    exclusion = Exclude(select=Selector(players=("ann",)), reason="aimbot", by="admin")
    await store.history.order(written(exclusion), now=time())
    await historian._take()
    return historian


@awaited
async def test_the_historian_and_its_log_tell_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("plugin_bridge.history.historian.TELL_SECONDS", 0.0)
    caplog.set_level("INFO")
    scribe = Scribe()
    past = [[scribe.parameters("main", LIVELY, 0.0)]]
    past.append([scribe.kill(*"ab"[:: 1 - n % 2 * 2], 100.0 * n) for n in range(KILLS)])
    async with opened(tmp_path / "adr.sqlite3") as store:
        await make_lanes(store)
        await record(store, Arena(), past)
        historian = await ordered(store)
        told = list[tuple[int, int]]()

        def progress(done: int, total: int) -> None:
            assert historian.progress == (done, total)
            told.append((done, total))

        await historian.look(progress)
        assert historian.progress is None
    assert told == [(2_000, KILLS + 2), (4_000, KILLS + 2)]
    assert f"rating the past again: 2000 of {KILLS + 2} entries" in caplog.text


async def left_to_a_daemon(store: Store) -> None:
    """An order that a daemon works on, on another machine: no lock tells that it runs."""
    await ordered(store)
    said = picture((), started=time(), address="", events=31, players={}, rated_again=(8, 32))
    await store.health.put({"": said[""] | {"host": "elsewhere"}}, now=time())


def test_status_and_history_tell_it_of_the_running_daemon(folder: Path) -> None:
    async def scenario() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            await left_to_a_daemon(store)

    asyncio.run(scenario())
    assert "rating the past again" in call(folder, "status").stdout
    assert "25 % of 32 entries" in call(folder, "status").stdout
    assert "being worked out: 25 % of 32 entries" in call(folder, "history").stdout


def test_a_command_that_waits_for_the_daemon_shows_it(folder: Path) -> None:
    async def scenario() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            await left_to_a_daemon(store)
            told = asyncio.Queue[tuple[int, int]]()
            waiting = asyncio.create_task(
                finished(store, 1, lambda done, total: told.put_nowait((done, total)))
            )
            assert await told.get() == (8, 32)
            (position,) = [entry.position for entry in await store.history.amendments()]
            await store.history.goes_by(position)
            assert await waiting == position

    asyncio.run(scenario())
