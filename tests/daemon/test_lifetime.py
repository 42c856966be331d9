"""Starting, stopping, dying and coming back."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from .mod import Mod, awaited
from .running import HASTY, PATIENCE, Daemon, Home, eventually, settings

SAFE = settings("announcements: {placement: 'off', promotion: 'off', demotion: 'off'}")
RETICENT = (
    "-c",
    """
import sys
from plugin_bridge import daemon
from plugin_bridge.cli import main

daemon.REPORT_SECONDS = 3600.0
sys.exit(main())
""",
)
"""The same command, but it leaves word of itself only once, when it has started."""


def fill(mod: Mod, count: int, *, seed: int = 1) -> None:
    """Spools kills among thirty players."""
    chance = random.Random(seed)
    for _ in range(count):
        killer, victim = chance.sample(range(30), 2)
        mod.killed(f"p{killer}", f"p{victim}", time=mod.now - 60)


async def assert_sound(home: Home, *, kills: int) -> None:
    """Every kill is there once, in the order of its numbers, with its outcome."""
    assert home.rows("PRAGMA integrity_check") == [("ok",)]
    seqs = [seq for (seq,) in home.rows("SELECT seq FROM events WHERE lane > 1 ORDER BY position")]
    assert seqs == list(range(1, kills + 1))
    positions = home.rows("SELECT position FROM events WHERE kind = 'kill'")
    assert positions == home.rows("SELECT position FROM outcomes")
    assert home.rows("SELECT sum(kills), sum(deaths) FROM players") == [(kills, kills)]
    await home.replays()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@awaited
async def test_a_daemon_told_to_stop_ends_well_with_all_that_it_acknowledged(
    home: Home, number: signal.Signals
) -> None:
    mod = Mod()
    with home.serving() as daemon:
        fill(mod, 5_000)
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.acked(1)
            daemon.process.send_signal(number)
            assert await mod.closed() == 1001
        acknowledged = 5_000 - len(mod.kept)
        assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == 0
    left = sorted(path.name for path in home.folder.glob("adr.*"))
    assert left == ["adr.sqlite3", "adr.sqlite3.lock"]
    ((stored,),) = home.rows("SELECT max(seq) FROM events WHERE lane > 1")
    assert stored >= acknowledged > 0
    await assert_sound(home, kills=stored)
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]) as welcome:
            assert welcome["seq"] == stored
            await mod.acked(5_000)
    await assert_sound(home, kills=5_000)


@awaited
async def test_a_restart_keeps_every_rating_label_and_number(home: Home) -> None:
    mod = Mod()
    with home.serving() as daemon:
        fill(mod, 300)
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.acked(300)
            before = home.rows("SELECT * FROM players ORDER BY player")
            board = [await mod.ask(f"rank top {page}") for page in (1, 2, 3)]
            own = await mod.ask("rank", by="p3")
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]) as welcome:
            assert welcome["seq"] == 300
            assert home.rows("SELECT * FROM players ORDER BY player") == before
            assert [await mod.ask(f"rank top {page}") for page in (1, 2, 3)] == board
            assert await mod.ask("rank", by="p3") == own
            await mod.join("p3")
            assert str((await mod.take("label"))["rating"]) in own[0]
            assert home.rows("SELECT count(*) FROM events WHERE kind = 'parameters'") == [(1,)]
            await mod.kill("p1", "p2")
    await assert_sound(home, kills=301)


@awaited
async def test_a_daemon_killed_in_a_burst_comes_back_with_every_kill_once_and_in_order(
    home: Home,
) -> None:
    home.save(SAFE)
    mod, count = Mod(), 10_000
    fill(mod, count)
    chance = random.Random(5)
    for _ in range(5):
        if not mod.kept:
            break
        left = len(mod.kept)
        daemon = Daemon(home)
        try:
            daemon.wait_until_ready()
            async with mod.connected(daemon.url, home.tokens["survival"]):
                await mod.acked(count - left + 1 + chance.randrange(900))
                daemon.process.kill()
                await mod.closed()
        finally:
            daemon.process.kill()
            daemon.process.wait()
        assert home.rows("PRAGMA integrity_check") == [("ok",)]
        ((stored,),) = home.rows("SELECT max(seq) FROM events WHERE lane > 1")
        assert stored >= count - len(mod.kept)
    assert mod.kept  # it was always killed with work left
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.acked(count)
    await assert_sound(home, kills=count)


@awaited
async def test_while_another_program_holds_the_database_nothing_is_acknowledged_and_then_all(
    home: Home,
) -> None:
    mod = Mod()
    with home.serving(*HASTY) as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("ann", "bob")
            with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await mod.send(mod.killed("ann", "bob"), mod.killed("bob", "ann"))
                ann = {"id": "ann", "name": "Ann"}
                asked = {"type": "command", "sender": ann, "words": ["rank"]}
                asked |= {"permissions": ["adrbridge.rank"]}
                await mod.send(asked | {"id": "early"})
                await asyncio.to_thread(daemon.logged, "cannot store, nothing is acknowledged")
                await mod.take("error", code="unavailable", id="early")
                assert list(mod.kept) == [2, 3]
                await mod.send({"type": "join", "player": {"id": "cid", "name": "Cid"}})
                for mark in ("now", "again"):
                    await mod.send(asked | {"id": mark})
                    await mod.take("error", code="unavailable", id=mark)
                assert list(mod.kept) == [2, 3]
                other.execute("ROLLBACK")
            await mod.acked(3)
            await mod.take("label", player="cid")
            await mod.send(asked | {"id": "later"})
            await mod.take("reply", id="later")
    await assert_sound(home, kills=3)


@awaited
async def test_a_daemon_told_to_stop_while_the_database_is_held_gives_up_and_says_so(
    home: Home,
) -> None:
    mod = Mod()
    with home.serving(*HASTY, code=1) as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await mod.send(mod.killed("ann", "bob"))
                daemon.process.send_signal(signal.SIGTERM)
                await mod.closed()
                assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == 1
                assert "database is locked" in daemon.log.splitlines()[-1]
                other.execute("ROLLBACK")
        assert list(mod.kept) == [1]
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.acked(1)
    await assert_sound(home, kills=1)


@awaited
async def test_a_second_signal_ends_the_daemon_at_once(home: Home) -> None:
    mod = Mod()
    with home.serving(code=130) as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")  # what stopping has to wait for
                await mod.send(mod.killed("ann", "bob"))
                daemon.process.send_signal(signal.SIGINT)
                await asyncio.to_thread(daemon.logged, "stopping")
                started = time.monotonic()
                daemon.process.send_signal(signal.SIGINT)
                await asyncio.to_thread(daemon.process.wait, PATIENCE)
                assert time.monotonic() - started < 1
                other.execute("ROLLBACK")


def test_a_port_that_is_taken_is_one_clear_line(home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        home.save(settings().replace("port: 0", f"port: {port}"))
        daemon = Daemon(home)
        assert daemon.process.wait(PATIENCE) == 1
    (line,) = daemon.log.splitlines()
    assert f"cannot listen on 127.0.0.1:{port}" in line
    assert "in use" in line
    assert "`listen` in config.yml" in line


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            "listen: {host: no-such-host.invalid, port: 0}",
            "cannot listen on no-such-host.invalid:0",
        ),
        ("listen: {port: 0, tls: {certificate: a.pem, key: b.pem}}", "a.pem"),
        ("tiers: []", "config.yml:1:1"),
        ("storage: {database: config.yml}", "no database; move it away"),
    ],
)
def test_what_keeps_the_daemon_from_starting_is_said_plainly(
    home: Home, config: str, words: str
) -> None:
    home.save(config)
    daemon = Daemon(home)
    assert daemon.process.wait(PATIENCE) == 1
    assert words in daemon.log
    assert "Traceback" not in daemon.log


@contextmanager
def unnoticed(home: Home) -> Iterator[None]:
    """Removes the lock and the word of the daemon that would keep another one from starting."""
    word = "SELECT 1 FROM health WHERE detail LIKE '%127.0.0.1%'"
    eventually(lambda: home.rows(word), "the daemon has left word of where it listens")
    home.database.with_name(f"{home.database.name}.lock").unlink()
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute("DELETE FROM health")
    yield


@awaited
async def test_another_daemon_on_the_same_database_costs_no_kill(home: Home) -> None:
    await asyncio.to_thread(home.add, "duels")
    beside = Home(home.folder / "beside", home.tokens)
    beside.folder.mkdir()
    beside.save(settings().replace("adr.sqlite3", "../adr.sqlite3"))
    with home.serving(*RETICENT) as first, unnoticed(home), beside.serving() as second:
        mods = {"survival": Mod("spool-survival"), "duels": Mod("spool-duels")}
        urls = {"survival": first.url, "duels": second.url}

        async def play(server: str) -> None:
            mod = mods[server]
            async with mod.connected(urls[server], home.tokens[server]):
                for number in range(20):
                    await mod.kill(f"p{number}", f"q{number}")

        await asyncio.gather(*map(play, mods))
        assert "another process wrote to it" in first.log + second.log
    kills = "SELECT count(*), count(DISTINCT position) FROM events WHERE kind = 'kill'"
    assert home.rows(kills) == [(40, 40)]
    assert home.rows("SELECT sum(kills) FROM players") == [(40,)]
    await home.replays()
