"""`adr-bridge replay`: the log against what is stored, and under other parameters."""

from __future__ import annotations

import asyncio
import json
import math
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from adr_core import Ladder, Parameters
from plugin_bridge.arena import Arena
from plugin_bridge.history.comparison import Comparison
from plugin_bridge.history.verify import verify
from plugin_bridge.store import Store

from ..cli.calling import call
from ..store.history import LIVELY, Scribe, history, make_lanes, opened, record


def quiet(done: int, total: int) -> None:
    assert 0 < done <= total


def made(path: Path, *, seed: int = 0, batches: int = 80) -> None:
    """A database with a past in it."""

    async def scenario() -> None:
        async with opened(path) as store:
            await make_lanes(store)
            await record(store, Arena(), history(seed, batches=batches))

    asyncio.run(scenario())


def verified(path: Path) -> Comparison:
    async def scenario() -> Comparison:
        store = await Store.read_only(path)
        try:
            return await verify(store, quiet)
        finally:
            await store.close()

    return asyncio.run(scenario())


def tampered(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(sql, values).rowcount == 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.yml").write_text("storage: {database: adr.sqlite3}\n", encoding="utf-8")
    made(tmp_path / "adr.sqlite3")
    return tmp_path


@pytest.mark.parametrize("seed", range(1, 7))
def test_what_was_stored_follows_from_the_log_bit_for_bit(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "a.sqlite3"
    made(path, seed=seed)
    found = verified(path)
    assert (found.count, found.rounding) == (0, 0.0)
    with closing(sqlite3.connect(path)) as connection:
        assert (found.entries,) == connection.execute("SELECT count(*) FROM events").fetchone()


def test_the_command_says_that_all_is_well(folder: Path) -> None:
    result = call(folder, "replay", "--verify")
    assert (result.returncode, result.stderr) == (0, "")
    assert "bit for bit" in result.stdout


CHANGE = "steps.victim.change"


@pytest.mark.parametrize(
    ("sql", "where", "field"),
    [
        ("UPDATE players SET mu = mu + 1e-5 WHERE player = 'p1'", "player main p1", "state.mu"),
        ("UPDATE players SET tier = 3 WHERE player = 'p2'", "player main p2", "state.tier"),
        ("UPDATE players SET kills = kills + 1 WHERE player = 'p3'", "player main p3", "kills"),
        ("DELETE FROM players WHERE player = 'p4'", "player main p4", "row"),
        ("UPDATE ladders SET clock = clock + 1", "ladder main", "clock"),
        ("UPDATE outcomes SET victim_after = 0 WHERE reason IS NULL", "kill", "victim_after"),
        ("UPDATE outcomes SET reason = 'world' WHERE reason = 'cooldown'", "kill", "reason"),
        ("UPDATE outcomes SET steps = NULL WHERE reason IS NULL", "kill", "steps"),
        ("UPDATE outcomes SET steps = x'00' WHERE reason IS NULL", "kill", "steps"),
        ("UPDATE outcomes SET steps = zeroblob(56) WHERE reason IS NULL", "kill", CHANGE),
        ("UPDATE pairs SET time = 0", "pair main", "time"),
    ],
)
def test_any_change_by_another_hand_is_found(
    folder: Path, sql: str, where: str, field: str
) -> None:
    table = sql.split()[2 if sql.startswith("DELETE") else 1]
    condition = sql.partition(" WHERE ")[2] or "TRUE"
    only = f"(SELECT max(rowid) FROM {table} WHERE {condition})"
    if table in ("players", "pairs"):  # tables without a rowid
        scope = f"{condition} AND ladder = 'main'"
        if table == "pairs":
            scope += " AND position = (SELECT max(position) FROM pairs WHERE ladder = 'main')"
    elif table == "ladders":
        scope = "ladder = 'main'"
    else:
        scope = f"rowid = {only}"
    tampered(folder / "adr.sqlite3", f"{sql.partition(' WHERE ')[0]} WHERE {scope}")
    found = verified(folder / "adr.sqlite3")
    assert found.count
    assert any(d.where.startswith(where) and d.field == field for d in found.differences)


def test_the_command_says_what_differs(folder: Path) -> None:
    tampered(folder / "adr.sqlite3", "UPDATE ladders SET clock = 0 WHERE ladder = 'main'")
    result = call(folder, "replay", "--verify")
    assert result.returncode == 1
    assert "ladder main\tclock\t0.0\t" in result.stdout
    assert "1 values differ from what the log gives" in result.stdout


def test_another_maths_library_is_told_from_a_change(folder: Path) -> None:
    database = folder / "adr.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        (mu,) = connection.execute(
            "SELECT mu FROM players WHERE (ladder, player) = ('main', 'p1')"
        ).fetchone()
    nudged = math.nextafter(mu, math.inf)
    tampered(database, "UPDATE players SET mu = ? WHERE (ladder, player) = ('main', 'p1')", nudged)
    found = verified(database)
    assert found.count == 0
    assert 0 < found.rounding < 1e-15
    result = call(folder, "replay", "--verify")
    assert result.returncode == 0
    assert "not to the last bit" in result.stdout


def test_steps_in_single_precision_are_told_from_a_change_too(folder: Path) -> None:
    database = folder / "adr.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        last = "SELECT position, steps FROM outcomes WHERE steps IS NOT NULL ORDER BY 1 DESC"
        position, kept = connection.execute(last).fetchone()
    sigma, *others = struct.unpack("<14f", kept)
    for factor, count in ((1 + 2e-7, 0), (1 + 1e-5, 1)):
        other = struct.pack("<14f", sigma * factor, *others)
        tampered(database, "UPDATE outcomes SET steps = ? WHERE position = ?", other, position)
        assert other != kept
        assert verified(database).count == count


def test_kills_rated_before_steps_were_kept_may_lack_them(folder: Path) -> None:
    database = folder / "adr.sqlite3"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE outcomes SET steps = NULL WHERE position < 100")
    assert verified(database).count == 0


GUARDS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"


@pytest.mark.parametrize(
    ("sql", "where"),
    [
        ("DELETE FROM events WHERE position = 50", "entries 50 to 50 of the log"),
        ("DELETE FROM events WHERE position = 1", "entries 1 to 1 of the log"),
        ("DELETE FROM events WHERE position BETWEEN 70 AND 72", "entries 70 to 72 of the log"),
        ("DELETE FROM events WHERE position = 249", "kill 249"),
        ("UPDATE events SET seq = -50 WHERE position = 50", "entry 50 of the log"),
    ],
)
def test_a_hole_in_the_log_is_found_and_named(folder: Path, sql: str, where: str) -> None:
    with closing(sqlite3.connect(folder / "adr.sqlite3")) as connection, connection:
        guards = connection.execute(GUARDS).fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(sql)
        for _, guard in guards:
            connection.execute(guard)
    result = call(folder, "replay", "--verify")
    assert result.returncode == 1
    assert f"\n{where}\t" in f"\n{result.stdout}"


def test_other_parameters_are_shown_as_if_they_had_held_from_the_first_day(tmp_path: Path) -> None:
    scribe = Scribe()
    past = [[scribe.parameters("main", LIVELY, 0.0)]]
    past += [
        [scribe.kill(*pair, 100.0 * number)]
        for number, pair in enumerate([("a", "b"), ("a", "c"), ("c", "b"), ("b", "a")] * 9)
    ]
    past.append([scribe.entry("calibrate", 9_000.0, ladder="main")])

    async def scenario() -> None:
        async with opened(tmp_path / "adr.sqlite3") as store:
            await make_lanes(store)
            await record(store, Arena(), past)

    asyncio.run(scenario())
    other = Parameters.from_dict({"shares": LIVELY.shares}, preset="consistent")
    by_hand = Ladder(other)
    for (entry,) in past[1:-1]:
        by_hand.kill(entry.killer or "", entry.victim or "", entry.time)
    by_hand.recalibrate(9_000.0)
    (tmp_path / "config.yml").write_text("storage: {database: adr.sqlite3}\n", encoding="utf-8")
    (tmp_path / "other.yml").write_text(
        "rating: {preset: consistent}\n"
        "tiers: [{name: S, weight: 2}, {name: A, weight: 3}, {name: B, weight: 5}]\n",
        encoding="utf-8",
    )
    before = (tmp_path / "adr.sqlite3").read_bytes()
    for words in (["consistent"], ["other.yml", "--dry-run"]):
        result = call(tmp_path, "replay", "--with", *words, "--json")
        assert result.returncode == 0, result.stderr
        told = json.loads(result.stdout)
        assert told["moved"] == 3
        for row in told["players"]:
            state = by_hand.player(row["id"])
            assert (row["then"]["rating"], row["then"]["tier"]) == (state.mu, state.tier)
    assert (tmp_path / "adr.sqlite3").read_bytes() == before


def test_other_parameters_must_have_a_name(folder: Path) -> None:
    refused = call(folder, "replay", "--with", "nothing")
    assert refused.returncode == 1
    assert "neither a preset (paper, consistent, calibrated) nor a file" in refused.stderr
