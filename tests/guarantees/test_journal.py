"""SQLite's journal is taken away from under a running daemon: nothing more is acknowledged into it,
what it held is saved where it still can be, and the daemon goes on by itself.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ..daemon.mod import awaited
from ..daemon.running import PATIENCE, Daemon, Home, eventually, settings
from .soundness import assert_sound
from .survivor import Survivor

AGAIN = "starting anew with what is stored"


def beside(home: Home, *endings: str) -> list[Path]:
    return [Path(f"{home.database}{ending}") for ending in endings]


@pytest.fixture
def home(home: Home) -> Home:
    """One whose daemon comes back at the same port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        home.save(settings().replace("port: 0", f"port: {free.getsockname()[1]}"))
    return home


async def ready_again(daemon: Daemon) -> None:
    """Once the daemon has noticed and listens anew."""
    await asyncio.to_thread(daemon.logged, AGAIN)
    screen = daemon.home.folder / "screen.txt"
    await asyncio.to_thread(
        eventually, lambda: screen.read_text().count("is ready") == 2, "it is ready again"
    )


async def killed(daemon: Daemon) -> None:
    daemon.process.kill()
    assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == -signal.SIGKILL


def delete(home: Home) -> None:
    for path in beside(home, "-wal", "-shm"):
        path.unlink()


def delete_index(home: Home) -> None:
    for path in beside(home, "-shm"):
        path.unlink()


def move_away(home: Home) -> None:
    for path in beside(home, "-wal"):
        path.rename(f"{path}.old")


@pytest.mark.parametrize("take_away", [delete, delete_index, move_away])
@awaited
async def test_kills_acknowledged_before_and_after_the_journal_is_taken_away_are_kept(
    home: Home, take_away: Callable[[Home], None]
) -> None:
    mod = Survivor()
    daemon = Daemon(home)
    try:
        await asyncio.to_thread(daemon.wait_until_ready)
        assert await mod.play(daemon, fights=60)
        take_away(home)
        await mod.play(daemon, fights=20)
        await ready_again(daemon)
        assert "was deleted, moved or replaced while it was in use" in daemon.log
        assert "has lost" not in daemon.log
        assert await mod.play(daemon, fights=20)
    finally:
        await killed(daemon)
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=5)
        assert "lost" not in daemon.log
    await assert_sound(home, {"survival": mod.recorded})


@awaited
async def test_nobody_has_to_play_for_it_to_be_noticed_and_tokens_are_kept_too(home: Home) -> None:
    daemon = Daemon(home)
    try:
        await asyncio.to_thread(daemon.wait_until_ready)
        await asyncio.to_thread(home.add, "duels")
        delete(home)
        await ready_again(daemon)
    finally:
        await killed(daemon)
    with home.serving() as daemon:
        assert await Survivor("duels").play(daemon, fights=5)


@awaited
async def test_a_journal_cut_short_is_noticed_and_what_is_lost_is_said(home: Home) -> None:
    mod = Survivor()
    daemon = Daemon(home)
    try:
        await asyncio.to_thread(daemon.wait_until_ready)
        assert await mod.play(daemon, fights=60)
        ((stored,),) = home.rows("SELECT max(position) FROM events")
        os.truncate(beside(home, "-wal")[0], 0)
        await ready_again(daemon)
        assert "cut short by another program" in daemon.log
        assert f"has lost its last {stored} log entries" in daemon.log
        assert await mod.play(daemon, fights=5)
        assert "survival: events 1 to 60 are lost: the mod no longer has them, or" in daemon.log
    finally:
        await killed(daemon)
    assert home.rows("SELECT seq FROM events WHERE kind = 'kill'") == [(n,) for n in range(61, 66)]
    assert home.rows("PRAGMA integrity_check") == [("ok",)]
    await home.replays()


@awaited
async def test_another_program_may_empty_the_journal_into_the_file(home: Home) -> None:
    mod = Survivor()
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=60)
        with closing(sqlite3.connect(home.database)) as other:
            assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        await ready_again(daemon)
        assert "has lost" not in daemon.log
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})
