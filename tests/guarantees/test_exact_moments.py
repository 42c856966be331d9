"""The daemon dies at the very points where a promise could break."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from plugin_bridge.store.opening import statements
from plugin_bridge.store.schema import MIGRATIONS

from ..daemon.mod import awaited
from ..daemon.running import PATIENCE, Daemon, Home, run_cli, settings
from ..store.replay import tables
from .launcher import NEXT_VERSION
from .soundness import assert_sound, rows_of_dead, stored, under
from .survivor import Survivor

STORE = "plugin_bridge.store"
ROLLED_BACK = {
    "a batch is about to be written": f"before:{STORE}.store:Store.commit",
    "the log is written and nothing else": f"before:{STORE}.writing:written_outcomes",
    "the ratings are written as well": f"before:{STORE}.writing:written_ladders",
    "all is written and not committed": f"after:{STORE}.store:_write",
}
STORED = {
    "it is committed and not acknowledged": f"after:{STORE}.store:Store.commit",
    "it is acknowledged and nobody told": "before:plugin_bridge.herald:Herald.tell",
    "everybody is told but nothing sent": "after:plugin_bridge.herald:Herald.tell",
}
FIGHTS = 60


async def dies(home: Home, mod: Survivor, point: str, *, turn: int) -> None:
    """Lets a daemon live until it comes to that point for the nth time."""
    daemon = Daemon(home, *under(f"die:{point}:{turn}"))
    try:
        await asyncio.to_thread(daemon.wait_until_ready)
        assert not await mod.play(daemon, fights=FIGHTS)
        assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == -signal.SIGKILL
    finally:
        daemon.process.kill()
        daemon.process.wait()


async def lives(home: Home, mod: Survivor) -> None:
    """Lets a daemon without a misfortune take what is left."""
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=FIGHTS)


def assert_whole(home: Home) -> None:
    """The log and what follows from it are of the same moment."""
    (counts,) = rows_of_dead(
        home,
        "SELECT (SELECT count(*) FROM events WHERE kind = 'kill'), (SELECT count(*) FROM outcomes),"
        " (SELECT coalesce(sum(kills), 0) FROM players)",
    )
    assert len(set(counts)) == 1


@pytest.mark.parametrize("when", [*ROLLED_BACK, *STORED])
@awaited
async def test_a_daemon_may_die_when(home: Home, when: str, long: bool) -> None:
    mod = Survivor()
    for turn in range(2, 12) if long else (3,):
        await dies(home, mod, (ROLLED_BACK | STORED)[when], turn=turn)
        assert_whole(home)
        acknowledged, there = mod.next - 1 - len(mod.kept), stored(home).get("survival", 0)
        assert there > acknowledged if when in STORED else there >= acknowledged
    await lives(home, mod)
    await assert_sound(home, {"survival": mod.recorded})


@awaited
async def test_a_daemon_may_die_when_some_frame_is_sent(home: Home, long: bool) -> None:
    mod = Survivor()
    for turn in range(1, 12 if long else 4):
        await dies(home, mod, "after:websockets.asyncio.connection:Connection.send", turn=turn)
        assert_whole(home)
        assert stored(home).get("survival", 0) >= mod.next - 1 - len(mod.kept)
    await lives(home, mod)
    await assert_sound(home, {"survival": mod.recorded})


# ---- migrations

STATEMENT = "before:plugin_bridge.store.database:Database.run"


def dies_at_start(home: Home, *misfortunes: str) -> bool:
    """False if the daemon did not come to the point, and is ready (it is killed all the same)."""
    daemon = Daemon(home, *under(*misfortunes))
    try:
        with suppress(AssertionError):  # the daemon is dead
            daemon.wait_until_ready()
            return False
        assert daemon.process.wait(PATIENCE) == -signal.SIGKILL, daemon.log
        return True
    finally:
        daemon.process.kill()
        daemon.process.wait()


def some_of(count: int, *, long: bool, seed: int) -> list[int]:
    """Which statements to die at: all in the long form, else a few with the first and the last."""
    some = {1, count, random.Random(seed).randint(1, count)}
    return list(range(1, count + 1)) if long else sorted(some)


def statements_of(migration: str) -> int:
    return len(list(statements(migration)))


def schema(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        version = connection.execute("PRAGMA user_version").fetchall()
        shape = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
        return version + connection.execute(shape).fetchall()


def test_a_daemon_may_die_while_it_makes_its_database(
    home: Home, tmp_path: Path, long: bool, seed: int
) -> None:
    whole = schema(home.database)
    count = sum(statements_of(one) + 2 for one in MIGRATIONS) + 2  # with the pragmas around
    for point in some_of(count, long=long, seed=seed):
        fresh = Home(tmp_path / str(point))
        fresh.folder.mkdir()
        fresh.save(settings())
        assert dies_at_start(fresh, f"die:{STATEMENT}:{point}")
        with fresh.serving():
            pass
        assert schema(fresh.database) == whole


def test_a_daemon_may_die_while_it_migrates_a_database_with_a_history(
    home: Home, long: bool, seed: int
) -> None:
    mod = Survivor()

    @awaited
    async def past() -> None:
        with home.serving() as daemon:
            assert await mod.play(daemon, fights=FIGHTS)
        await assert_sound(home, {"survival": mod.recorded})

    past()
    old_schema, kept = schema(home.database), tables(home.database)
    log = home.rows("SELECT * FROM events")
    count = statements_of(NEXT_VERSION) + 4
    for point in some_of(count, long=long, seed=seed):
        assert dies_at_start(home, "ageing", f"die:{STATEMENT}:{point}")
        with home.serving():  # the old version still knows the file
            assert schema(home.database) == old_schema
    assert not dies_at_start(home, "ageing")
    assert home.rows("PRAGMA integrity_check") == [("ok",)]
    assert home.rows("PRAGMA user_version") == [(len(MIGRATIONS) + 1,)]
    assert home.rows("SELECT * FROM chapters") == [(1, "first")]
    assert set(home.rows("SELECT locale FROM people")) == {("en",)}
    assert home.rows("SELECT * FROM events") == log
    assert tables(home.database) == kept
    assert "written by a newer adr-bridge" in run_cli(home.folder, "serve").stderr
