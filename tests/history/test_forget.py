"""A forgotten name stands nowhere in the database, and the ratings are what they were."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plugin_bridge.arena import Arena
from plugin_bridge.history.amendments import Exclude, Selector, written
from plugin_bridge.store.rows import LogEntry, NameRow

from ..cli.calling import call
from ..daemon.mod import Mod, awaited
from ..daemon.running import Home, eventually
from ..store.history import make_lanes, opened, record
from ..store.replay import tables
from .amending import FIGHTS, SURE, done, past

RAW = '{"type":"death","seq":%d,"time":1.5,"victim":"Oldie"}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A database of an earlier version, which kept packets that it could not take as they came."""

    async def scenario() -> None:
        async with opened(tmp_path / "adr.sqlite3") as store:
            await make_lanes(store)
            entries = past()
            last = entries[-1][-1]
            rejected = [
                LogEntry(
                    position=last.position + number,
                    lane=2,
                    seq=last.seq + number,
                    kind="rejected",
                    time=1.0,
                    received=1.0,
                    cause="bad_packet",
                    detail=RAW % number,
                )
                for number in (1, 2)
            ]
            people = {"old": "Oldie", "new": "Newt", "ann": "Ann", "bob": "Bob"}
            names = [NameRow(player, name, 1.0) for player, name in people.items()]
            await record(store, Arena(), [*entries, rejected], names)
            reason = "Oldie and oldie2 are friends of OLDIE"
            wanted = Exclude(select=Selector(players=("old",)), reason=reason, by="admin")
            await store.history.order(written(wanted), now=60.0)

    asyncio.run(scenario())
    (tmp_path / "config.yml").write_text("storage: {database: adr.sqlite3}\n", encoding="utf-8")
    return tmp_path


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "adr.sqlite3")) as connection:
        return connection.execute(sql).fetchall()


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("adr.sqlite3*"))


def test_a_name_goes_from_all_that_no_rating_follows_from(folder: Path) -> None:
    done(folder, "exclude", "--player", "ann", "--until", "1970-01-02", *SURE)  # takes both orders
    before, log = tables(folder / "adr.sqlite3"), rows(folder, "SELECT * FROM events")
    assert b"Oldie" in everything(folder)
    done(folder, "forget", "oldie", *SURE)
    assert b"Oldie" not in everything(folder)
    assert b"OLDIE" not in everything(folder)
    assert tables(folder / "adr.sqlite3") == before
    details = [json.loads(row[0]) for row in rows(folder, REJECTED)]
    assert [detail["victim"] for detail in details] == ["…", "…"]
    for sql in ("SELECT detail FROM events WHERE kind = 'exclude'", "SELECT detail FROM orders"):
        reason = json.loads(rows(folder, sql)[0][0])["reason"]
        assert reason == "old and oldie2 are friends of old"
    changed = [row for row in rows(folder, "SELECT * FROM events") if row not in log]
    assert [row[3] for row in changed] == ["rejected", "rejected", "exclude", "forget"]


REJECTED = "SELECT detail FROM events WHERE kind = 'rejected'"


def test_who_forgot_whom_and_why_is_kept_without_the_name(folder: Path) -> None:
    done(folder, "forget", "oldie", "--reason", "Oldie has asked for it", "--yes")
    assert b"Oldie" not in everything(folder)
    row = json.loads(done(folder, "history", "--json"))[-1]
    assert (row["what"], row["reason"]) == ("erase the name of old", "old has asked for it")
    assert row["state"] == "in force"


def test_the_log_can_be_changed_by_nobody_afterwards(folder: Path) -> None:
    done(folder, "forget", "oldie", *SURE)
    with (
        closing(sqlite3.connect(folder / "adr.sqlite3")) as connection,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
    ):
        connection.execute("UPDATE events SET detail = NULL")


def test_it_is_said_where_else_the_name_may_stand(folder: Path) -> None:
    (folder / "adr.sqlite3.before-schema5").write_bytes(b"Oldie")
    told = done(folder, "forget", "oldie", *SURE)
    assert "Older copies beside the database hold the name" in told
    assert "adr.sqlite3.before-schema5\n" in told
    assert "Backups that you made hold it as well" in told
    assert "-wal" not in told and ".lock" not in told


IN_FORCE = "SELECT 1 FROM events, revision WHERE kind = 'forget' AND position = revised"


@awaited
async def test_a_name_can_be_forgotten_while_the_daemon_runs(home: Home) -> None:
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("eve", "bob")
            bad = mod.spooled({"type": "death", "victim": "Eve"})
            await mod.send(bad)
            await mod.acked(bad["seq"])
            words = ("forget", "eve", "--reason", "asked for", "--yes")
            told = await asyncio.to_thread(call, home.folder, *words)
            assert told.returncode == 0, told.stderr
            assert "Restart the daemon while the player is not online" in told.stdout
            await asyncio.to_thread(eventually, lambda: home.rows(IN_FORCE), "it is in the log")
            await mod.kill("bob", "cat")
        assert "the past was rated again" not in daemon.log, "there was no need"
    assert b"Eve" not in everything(home.folder)
    await home.replays()


def test_what_was_ordered_besides_is_done_all_the_same(folder: Path) -> None:
    done(folder, "forget", "newt", *SURE)  # behind the exclusion that waits, before another one
    done(folder, "exclude", "--player", "bob", "--until", "1970-01-02", *SURE)
    excluded = "SELECT DISTINCT killer, victim FROM events JOIN outcomes USING (position) "
    assert set(rows(folder, excluded + "WHERE reason = 'excluded'")) == {
        fight for fight in FIGHTS if {"old", "bob"} & set(fight)
    }


def test_fights_under_the_id_stay(folder: Path) -> None:
    done(folder, "forget", "oldie", *SURE)
    kills = rows(folder, "SELECT count(*) FROM events WHERE 'old' IN (killer, victim)")
    assert kills == [(sum("old" in fight for fight in FIGHTS),)]


def test_a_player_without_a_name_is_still_found_by_the_id(folder: Path) -> None:
    done(folder, "forget", "oldie", *SURE)
    assert "nobody called" in call(folder, "player", "oldie").stderr
    assert "nobody called 'zed'" in call(folder, "player", "zed").stderr
    assert done(folder, "player", "OLD").split()[:4] == ["player", "old", "id", "old"]
    assert "Newt" in done(folder, "explain", "old")
    for words in (
        ("include", "--player", "old", *SURE),  # the exclusion that had waited
        ("set", "old", "--rating", "1200", *SURE),
        ("reset", "old", *SURE),
        ("forget", "old", *SURE),
        ("merge", "old", "newt", *SURE),
        ("player", "old"),
        ("exclude", "--player", "old", *SURE),
    ):
        done(folder, *words)


@awaited
async def test_rank_takes_the_id_of_a_player_without_a_name(home: Home) -> None:
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("eve", "bob")
            await mod.kill("cat", "bob")
            words = ("forget", "eve", "--reason", "asked for", "--yes")
            assert (await asyncio.to_thread(call, home.folder, *words)).returncode == 0
            assert " eve: rating " in (await mod.ask("rank eve"))[0]
            assert "Nobody called zed" in (await mod.ask("rank zed"))[0]
            words = ("merge", "cat", "eve", "--reason", "renamed", "--yes")
            assert (await asyncio.to_thread(call, home.folder, *words)).returncode == 0
            words = ("forget", "cat", "--reason", "asked for", "--yes")
            assert (await asyncio.to_thread(call, home.folder, *words)).returncode == 0
            assert " cat: rating " in (await mod.ask("rank cat"))[0]


@awaited
async def test_who_is_seen_after_the_next_start_of_the_daemon_has_the_name_again(
    home: Home,
) -> None:
    known = "SELECT name FROM people WHERE player = 'eve'"
    mod = Mod()
    for run in range(2):
        with home.serving() as daemon:
            async with mod.connected(daemon.url, home.tokens["survival"]):
                await mod.kill("eve", "bob")
                assert home.rows(known) == [("Eve",)]
                if run == 0:
                    words = ("forget", "eve", "--reason", "asked for", "--yes")
                    assert (await asyncio.to_thread(call, home.folder, *words)).returncode == 0
                    await mod.kill("bob", "eve")
                    assert home.rows(known) == []


KILLED_IN = """
import os, signal, sys
from plugin_bridge.cli import main
from plugin_bridge.store import erasure
from plugin_bridge.store.history import History

def killed(*arguments, **more):
    os.kill(os.getpid(), signal.SIGKILL)

{where} = killed
sys.exit(main())
"""


@pytest.mark.parametrize("where", ["erasure._erase_in_reasons", "History.order"])
def test_history_never_says_that_a_name_is_erased_while_it_is_there(
    folder: Path, where: str
) -> None:
    words = ("forget", "oldie", "--reason", "Oldie asked", "--yes")
    program = (sys.executable, "-c", KILLED_IN.format(where=where), *words)
    ended = subprocess.run(program, cwd=folder, capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    there = bool(rows(folder, "SELECT 1 FROM people WHERE name = 'Oldie'"))
    assert there == (where != "History.order")
    done(folder, "merge", "ann", "bob", *SURE)  # carries out whatever was ordered
    told = done(folder, "history", "--json")
    assert "erase the name" not in told
    assert ("Oldie" in told) == there
    done(folder, "forget", "old", "--reason", "Oldie asked" if there else "asked", "--yes")
    assert b"Oldie" not in everything(folder)
    assert json.loads(done(folder, "history", "--json"))[-1]["what"] == "erase the name of old"


def test_the_names_of_all_merged_ids_are_erased(folder: Path) -> None:
    done(folder, "merge", "oldie", "newt", *SURE)
    told = done(folder, "forget", "oldie", "--reason", "Oldie is Newt", "--yes")
    assert "The name of old will be erased, also under new." in told
    assert b"Oldie" not in everything(folder)
    assert b"Newt" not in everything(folder)
    assert json.loads(done(folder, "history", "--json"))[-1]["reason"] == "old is new"
    assert "names of seasons and events" in told
