"""A database that is damaged: the daemon refuses it rather than going on with half of it."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from plugin_bridge.errors import StoreRefused
from plugin_bridge.ledger import Ledger
from plugin_bridge.store import Store
from plugin_bridge.store.schema import SCHEMA_VERSION

from ..daemon.mod import Packet, awaited
from ..daemon.running import LIVELY, PATIENCE, Daemon, Home, settings
from ..store.history import Scribe
from .soundness import assert_sound, under
from .spells import cast
from .survivor import Survivor

PAGE = 4_096
TOP: Packet = {
    "type": "command",
    "id": "c",
    "sender": None,
    "words": ["rank", "top"],
    "permissions": [],
}
FIGHTS = 12
RESTORE = "move it away and restore your last backup"


# ---- found at the start


def refusal(home: Home) -> str:
    """The one line with which a daemon refuses to start; it leaves everything as it was."""

    def files() -> dict[str, bytes]:
        found = set(home.folder.glob("adr.*")) - {Path(f"{home.database}.lock")}
        return {path.name: path.read_bytes() for path in found}

    before = files()
    daemon = Daemon(home)
    assert daemon.process.wait(PATIENCE) == 1, daemon.log
    (line,) = daemon.log.splitlines()
    assert files() == before
    assert f"adr-bridge: {home.database}: " in line
    return line


def changed(home: Home, *statements: str) -> None:
    with closing(sqlite3.connect(home.database, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_the_database_of_another_program_is_refused(past: Home) -> None:
    past.database.unlink()
    changed(past, "PRAGMA journal_mode = DELETE", "CREATE TABLE plan_players (id INTEGER)")
    assert "another program's database; name another file under storage.database" in refusal(past)


def test_a_database_of_a_newer_version_is_refused(past: Home) -> None:
    changed(past, "PRAGMA journal_mode = DELETE", f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    assert "update adr-bridge or restore an older copy of the file" in refusal(past)


@pytest.mark.parametrize("table", ["players", "health"])
def test_a_database_without_one_of_its_tables_is_refused(past: Home, table: str) -> None:
    changed(past, f"DROP TABLE {table}")
    line = refusal(past)
    assert f"table {table}" in line
    assert RESTORE in line


def test_a_database_without_one_of_its_columns_is_refused(past: Home) -> None:
    changed(past, "ALTER TABLE players DROP COLUMN best_streak")
    assert f"has changed table players in it; {RESTORE}" in refusal(past)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM players WHERE player = 'p3'",
        "DELETE FROM ladders",
        "DELETE FROM outcomes WHERE position > 300",
        "DROP TRIGGER events_are_never_removed; DELETE FROM events WHERE position = 200",
    ],
)
def test_ratings_that_got_lost_are_missed_and_nobody_starts_anew(
    past: Home, statement: str
) -> None:
    triggers = past.rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
    dropped = [sql for (sql,) in triggers if sql.split()[2] in statement]
    changed(past, *statement.split(";"), *dropped)
    assert "do not follow from its log of kills, so some were lost" in refusal(past)


@pytest.mark.parametrize("share", [0.2, 0.97])
def test_a_database_that_was_cut_short_is_refused(past: Home, share: float) -> None:
    content = past.database.read_bytes()
    past.database.write_bytes(content[: int(len(content) * share)])
    assert RESTORE in refusal(past)


def test_a_page_of_rubbish_is_refused(past: Home, seed: int) -> None:
    content = bytearray(past.database.read_bytes())
    page = random.Random(seed).randrange(len(content) // PAGE)
    print(f"page {page}")
    content[page * PAGE : (page + 1) * PAGE] = random.Random(seed).randbytes(PAGE)
    past.database.write_bytes(content)
    assert RESTORE in refusal(past)


@awaited
async def test_no_damage_to_any_page_is_taken_for_anything_else(
    past: Home, long: bool, seed: int
) -> None:
    """Pages of rubbish, of nothing, of other pages; words and bits here and there."""
    whole, chance = past.database.read_bytes(), random.Random(seed)
    pages = len(whole) // PAGE
    path = past.folder / "damaged" / "adr.sqlite3"
    refused = 0
    rounds = 1_500 if long else 150
    for _ in range(rounds):
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        content, start = bytearray(whole), chance.randrange(pages) * PAGE
        other = chance.randrange(pages) * PAGE
        match chance.randrange(5):
            case 0:
                content[start : start + PAGE] = chance.randbytes(PAGE)
            case 1:
                content[start : start + PAGE] = bytes(PAGE)
            case 2:
                content[start : start + PAGE] = content[other : other + PAGE]
            case 3:
                content[start + 100 : start + 164] = chance.randbytes(64)
            case 4:
                for _ in range(5):
                    content[start + chance.randrange(PAGE)] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        try:
            players = await players_of(path)
        except StoreRefused:
            refused += 1
        else:
            assert players == 9
    assert refused > rounds / 2


async def players_of(path: Path) -> int:
    """How many the daemon would know after a start, one kill later."""
    store = await Store.open(path)
    try:
        await store.check()
        ledger = Ledger(store)
        await ledger.load()
        lane = await ledger.open_lane("survival", "spool-0001")
        scribe = Scribe(ledger.end, {lane: ledger.last(lane)})
        kill = scribe.kill("p1", "p2", time.time())
        await ledger.write(lambda: ([kill], []))
        return len(ledger.ladders["main"].players)
    finally:
        await store.close()


# ---- found while it runs


@awaited
async def test_ratings_that_cannot_be_put_back_to_what_is_stored_end_the_daemon(
    home: Home,
) -> None:
    mod = Survivor()
    with home.serving(*under("bewitched"), code=1) as daemon:
        assert await mod.play(daemon, fights=20)
        async with mod.connected(daemon.url, home.tokens["survival"]):
            cast(home, "damaged players")
            home.save(settings(rating=LIVELY.replace("spread: 10", "spread: 90")))
            assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == 1
        assert "the file is damaged" in daemon.log.splitlines()[-1]
        assert "restore your last backup" in daemon.log.splitlines()[-1]
    cast(home)
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})


@awaited
async def test_a_database_found_damaged_in_the_middle_of_a_crowd_ends_the_daemon_for_everybody(
    home: Home,
) -> None:
    names = [f"server-{number}" for number in range(8)]
    await asyncio.to_thread(home.add, *names)
    mods = [Survivor(name, f"spool-{name}") for name in names]
    everybody = asyncio.Barrier(len(mods))

    async def crowd(mod: Survivor) -> None:
        """Kills and commands mixed, so that both wait for the same batch."""
        async with mod.connected(daemon.url, home.tokens[mod.server]):
            await everybody.wait()
            for _ in range(FIGHTS):
                await mod.send(mod.fight(), TOP)
            assert await mod.closed() in (1001, 1011)

    with home.serving(*under("bewitched"), code=1) as daemon:
        await asyncio.gather(*(mod.play(daemon, fights=5) for mod in mods))
        cast(home, "damaged outcomes")
        await asyncio.gather(*map(crowd, mods))
        assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == 1
        assert "the file is damaged" in daemon.log.splitlines()[-1]
    assert all(len(mod.kept) == FIGHTS for mod in mods)
    cast(home)
    with home.serving() as daemon:
        await asyncio.gather(*(mod.play(daemon, fights=5) for mod in mods))
    await assert_sound(home, {mod.server: mod.recorded for mod in mods})
