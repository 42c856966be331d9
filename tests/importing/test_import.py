"""`adr-bridge import`: old kills into a real database, all of them or none, and none twice."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adr_core import Ladder, Parameters
from plugin_bridge.errors import UsageError
from plugin_bridge.gamelog.people import offline_id
from plugin_bridge.importing.kills_csv import read_kills
from plugin_bridge.importing.logs import read_logs

from ..cli.calling import call
from ..daemon.mod import Mod, awaited
from ..daemon.running import Home, eventually, run_cli, settings

DAY = datetime(2024, 5, 1, tzinfo=UTC).timestamp()
PLAIN = "calibration: {interval: 30d}\n"
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.save(settings(PLAIN, rating=""))
    return home


def line(clock: str, text: str) -> str:
    return f"[{clock}] [Server thread/INFO]: {text}\n"


def write_log(path: Path, kills: Iterable[tuple[str, str, str]]) -> Path:
    text = "".join(line("00:00:00", f"{name} joined the game") for name in NAMES)
    text += "".join(
        line(clock, f"{victim} was slain by {killer}") for clock, killer, victim in kills
    )
    packed = path.suffix == ".gz"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


def imported(home: Home, *words: object, server: str = "survival") -> str:
    """What a successful import says."""
    done = call(home.folder, "import", "--server", server, "--zone", "UTC", *map(str, words))
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(home: Home, *words: object) -> str:
    """What an import that is not done says; nothing may have changed by it."""
    before = counted(home) if home.database.exists() else 0
    done = call(home.folder, "import", "--server", "survival", *map(str, words))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert (counted(home) if home.database.exists() else 0) == before
    return done.stderr


def fact(said: str, name: str) -> str:
    """What the preview says of something."""
    return next(row[len(name) :].strip() for row in said.splitlines() if row.startswith(name))


def counted(home: Home) -> int:
    return int(home.rows("SELECT count(*) FROM events WHERE kind IN ('kill', 'death')")[0][0])


THREE = (("10:00:00", "Ann", "Bob"), ("10:02:00", "Cid", "Ann"), ("23:59:59", "Bob", "Cid"))


def test_a_log_gives_the_ratings_that_its_kills_give(home: Home) -> None:
    log = write_log(home.folder / "2024-05-01-1.log.gz", THREE)
    words = ("import", "--server", "survival", "--zone", "UTC", log.name, "--yes")
    done = run_cli(home.folder, *words)
    assert done.returncode == 0, done.stderr
    assert "Kills that count: 3." in done.stdout
    ladder = Ladder(Parameters(shares=(1 / 3, 1 / 3, 1 / 3)))
    for seconds, killer, victim in (
        (36_000, "Ann", "Bob"),
        (36_120, "Cid", "Ann"),
        (86_399, "Bob", "Cid"),
    ):
        ladder.kill(offline_id(killer), offline_id(victim), DAY + seconds)
    assert home.ratings() == {
        offline_id(name): ladder.player(offline_id(name)).mu for name in ("Ann", "Bob", "Cid")
    }
    assert home.rows("SELECT server FROM lanes WHERE server <> ''") == [("survival",)]
    assert dict(home.rows("SELECT name, seen FROM people"))["Ann"] == DAY + 36_120


def test_many_logs_are_rated_in_the_order_of_time(home: Home, tmp_path: Path) -> None:
    second = write_log(tmp_path / "2024-05-01-2.log", [("11:00:00", "Bob", "Ann")])
    first = write_log(tmp_path / "2024-05-01-1.log.gz", [("10:00:00", "Ann", "Bob")])
    later = write_log(tmp_path / "2024-05-02-1.log.gz", [("01:00:00", "Cid", "Bob")])
    imported(home, later, second, first, "--yes")
    times = [
        row[0] - DAY
        for row in home.rows("SELECT time FROM events WHERE kind = 'kill' ORDER BY position")
    ]
    assert times == [36_000, 39_600, 90_000]


def test_the_same_log_again_changes_nothing_also_under_another_name_or_grown(home: Home) -> None:
    log = write_log(home.folder / "2024-05-01-1.log", THREE)
    write_log(home.folder / "2024-05-01-7.log.gz", THREE)
    imported(home, home.folder / "2024-05-01-7.log.gz", log, "--yes")
    assert counted(home) == 3
    assert "imported before" in imported(home, log, "--yes")
    assert counted(home) == 3
    write_log(log, (*THREE, ("23:59:59", "Bob", "Cid"), ("23:59:59", "Dan", "Eve")))
    imported(home, log, "--yes")
    assert counted(home) == 5


def test_nothing_is_imported_before_somebody_said_yes(home: Home) -> None:
    log = write_log(home.folder / "2024-05-01-1.log", THREE)
    assert "add --yes" in refused(home, log)
    imported(home, log, "--dry-run")
    assert not home.database.exists()
    imported(home, log, "--yes")
    imported(home, write_log(log, (*THREE, ("23:59:59", "Eve", "Dan"))), "--dry-run")
    assert counted(home) == 3


def test_the_preview_tells_what_is_understood_and_what_is_not(home: Home) -> None:
    log = home.folder / "2024-05-01-1.log"
    write_log(log, THREE)
    extra = [
        line("23:59:50", "Ann wurde von Bob erschlagen"),
        line("23:59:51", "Bob wurde von Ann erschlagen"),
        line("23:59:52", "Saved the game in 35 ms"),
        line("23:59:53", "Saved the game in 36 ms"),
        "java.lang.IllegalStateException: oops\n\tat net.minecraft.server\n",
        line("23:59:59", "Ann was slain by Zombie"),
    ]
    log.write_text(log.read_text() + "".join(extra), encoding="utf-8")
    said = imported(home, log, "--dry-run")
    assert "2024-05-01-1.log\t15\t3\t1\t2024-05-01 10:00 UTC\t2024-05-01 23:59 UTC" in said
    assert "3: Ann, Bob, Cid" in said
    assert "2 lines of 2 kinds" in said
    assert "PLAYER wurde von Bob erschlagen" in said
    assert "       2  Saved the game in # ms" in said
    report = json.loads(imported(home, log, "--dry-run", "--json"))
    assert report["new"] == 4
    assert report["noise"] == {"Saved the game in # ms": 2}
    assert report["without_a_time"] == {
        "java.lang.IllegalStateException: oops": 1,
        "at net.minecraft.server": 1,
    }


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_log_that_powershell_has_written_is_read(
    tmp_path: Path, encoding: str, packed: bool
) -> None:
    text = "\ufeff" * (encoding != "utf-8-sig") + "".join(
        line("10:00:00", words) + "\r\n"
        for words in ("Zoë joined the game", "Ann joined the game", "Zoë was slain by Ann")
    )
    path = tmp_path / "2024-05-01-1.log"
    data = text.encode(encoding)
    path.write_bytes(gzip.compress(data) if packed else data)
    ((kill,),) = read_logs([path]).happenings
    assert kill.victim.name == "Zoë"


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "1969-12-31", "yesterday"])
def test_a_day_on_which_there_was_no_server_is_refused(home: Home, day: str) -> None:
    log = write_log(home.folder / "latest.log", THREE)
    assert f"'{day}' is no date of a log" in refused(home, log, "--date", day)
    write_log(home.folder / f"{day}-1.log", THREE)
    assert "new" in imported(home, home.folder / f"{day}-1.log", "--dry-run")


def test_kills_of_unknown_worlds_are_pointed_out_and_can_be_given_one(home: Home) -> None:
    home.save(settings(PLAIN, "filters: {worlds: {only: [arena]}}", rating=""))
    log = write_log(home.folder / "2024-05-01-1.log", THREE)
    words = ("import", str(log), "--server", "survival")
    assert "--world NAME" in call(home.folder, *words, "--dry-run").stderr
    given = call(home.folder, *words, "--world", "arena", "--yes")
    assert given.stderr == ""
    assert "Kills that count: 3." in given.stdout


def test_what_was_not_understood_can_be_told_in_a_pattern(home: Home) -> None:
    log = write_log(home.folder / "2024-05-01-1.log", ())
    log.write_text(log.read_text() + line("12:00:00", "☠ Ann wurde von Bob mit [X] erschlagen"))
    words = ("import", log.name, "--server", "survival", "--yes")
    wrong = call(home.folder, *words, "--pattern", "wurde erschlagen")
    assert "KILLER and VICTIM, each once" in wrong.stderr
    pattern = "☠ VICTIM wurde von KILLER mit ITEM erschlagen"
    assert "Kills that count: 1." in call(home.folder, *words, "--pattern", pattern).stdout
    assert home.rows("SELECT killer FROM events WHERE kind = 'kill'") == [(offline_id("Bob"),)]


def test_ids_come_from_the_log_then_from_usercache_and_else_from_the_name(home: Home) -> None:
    ids = {name: f"00000000-0000-4000-8000-00000000000{n}" for n, name in enumerate(NAMES)}
    (home.folder / "logs").mkdir()
    cache = [{"name": name, "uuid": ids[name], "expiresOn": "x"} for name in ("Ann", "Bob")]
    (home.folder / "usercache.json").write_text(json.dumps(cache), encoding="utf-8")
    log = write_log(home.folder / "logs" / "2024-05-01-1.log", THREE)
    other = ids["Ann"].replace("4000", "4111")
    log.write_text(line("00:00:00", f"UUID of player Ann is {other}") + log.read_text())
    imported(home, log, "--yes")
    assert set(home.ratings()) == {other, ids["Bob"], offline_id("Cid")}


def test_killers_whom_nothing_tells_of_are_listed_and_can_be_told_of(home: Home) -> None:
    log = write_log(home.folder / "2024-05-01-1.log", [("10:00:00", "Ann", "Bob")])
    for clock, killer in (
        ("11:00:00", "Zed"),
        ("11:05:00", "Zed using [Zed's Blade]"),
        ("11:10:00", "Grumm"),
        ("11:15:00", "Zombie"),
        ("11:20:00", "Cave Spider"),
    ):
        log.write_text(log.read_text() + line(clock, f"Ann was slain by {killer}"), "utf-8")
    said = imported(home, log, "--dry-run")
    assert fact(said, "killed by unknown names") == "3, left out: Zed 2, Grumm 1"
    assert "--usercache FILE" in said
    assert "\t1\t2\t" in said  # kills, and deaths by the zombie and the spider
    imported(home, log, "--yes", "--player", "Zed")
    assert home.rows("SELECT count(*) FROM events WHERE killer = ?", offline_id("Zed")) == [(2,)]
    assert counted(home) == 5
    said = imported(home, log, "--dry-run")  # Zed is known by now
    assert fact(said, "killed by unknown names") == "1, left out: Grumm 1"
    report = json.loads(imported(home, log, "--dry-run", "--json"))
    assert report["unknown_killers"] == {"Grumm": 1}


def test_names_that_the_database_knows_have_the_ids_it_knows(home: Home) -> None:
    ids = {name: f"00000000-0000-4000-8000-00000000000{n}" for n, name in enumerate(NAMES)}
    table = home.folder / "kills.csv"
    table.write_text("time,killer,victim\n1700000000,Ann,Bob\n", encoding="utf-8")
    cache = home.folder / "cache.json"
    cache.write_text(json.dumps([{"name": n, "uuid": ids[n]} for n in ("Ann", "Bob")]), "utf-8")
    imported(home, table, "--usercache", cache, "--yes")
    log = home.folder / "2024-05-01-1.log"
    log.write_text(line("10:00:00", "Bob was slain by Ann"), "utf-8")
    assert "ids of who has the name in the database" in imported(home, log, "--yes")
    assert set(home.ratings()) == {ids["Ann"], ids["Bob"]}


def test_kills_are_known_again_when_their_ids_were_found_in_another_way(home: Home) -> None:
    log = write_log(home.folder / "2024-05-01-1.log", THREE)
    imported(home, log, "--yes")
    known = home.ratings()
    cache = home.folder / "cache.json"
    real = "00000000-0000-4000-8000-000000000001"
    cache.write_text(json.dumps([{"name": "Ann", "uuid": real}]), encoding="utf-8")
    write_log(log, (*THREE, ("23:59:59", "Ann", "Eve")))
    said = imported(home, log, "--usercache", cache, "--dry-run")
    assert fact(said, "imported before") == "3, left out"
    assert f"Ann is {real} here, but {offline_id('Ann')} in the database" in said
    assert f"adr-bridge merge {offline_id('Ann')} {real}" in said
    imported(home, log, "--usercache", cache, "--yes")
    assert counted(home) == 4
    assert set(home.ratings()) == {*known, real, offline_id("Eve")}


def test_kills_of_the_mod_are_known_again_by_name(home: Home) -> None:
    home.add("survival")
    now = int(time.time()) - 600
    with home.serving() as daemon:
        _named_kill_over_the_link(home, daemon.url, now)
    (home.folder / "logs").mkdir()
    cache = [{"name": "Ann", "uuid": "00000000-0000-4000-8000-000000000009"}]
    (home.folder / "usercache.json").write_text(json.dumps(cache), encoding="utf-8")
    table = home.folder / "kills.csv"
    table.write_text(f"time,killer,victim\n{now + 1},Ann,Bob\n{now + 90},Ann,Bob\n", "utf-8")
    said = imported(home, table, "--yes")
    assert fact(said, "recorded by the mod already") == "1, left out"
    assert counted(home) == 2


@awaited
async def _named_kill_over_the_link(home: Home, url: str, now: int) -> None:
    async with (mod := Mod()).connected(url, home.tokens["survival"]):
        await mod.kill("ann", "bob", time=now + 0.7)


def test_a_server_that_is_perhaps_mistyped_is_pointed_out(home: Home) -> None:
    log = write_log(home.folder / "2024-05-01-1.log", THREE)
    words = ("import", str(log), "--dry-run", "--server")
    assert call(home.folder, *words, "anything").stderr == ""
    imported(home, log, "--yes")
    assert call(home.folder, *words, "survival").stderr == ""
    assert "no server `survivl` yet; known: survival" in call(home.folder, *words, "survivl").stderr


@pytest.mark.parametrize("odd", ['{"name": "Cid"}', '"x"', "null", '{"name": 1, "uuid": "2"}'])
def test_an_odd_entry_of_usercache_is_passed_over(home: Home, odd: str) -> None:
    real = "00000000-0000-4000-8000-000000000001"
    cache = home.folder / "usercache.json"
    cache.write_text(f'[{odd}, {{"name": "Ann", "uuid": "{real}"}}]', encoding="utf-8")
    imported(home, write_log(home.folder / "2024-05-01-1.log", THREE), "--yes")
    assert real in home.ratings()


@pytest.mark.parametrize("text", ["", "{}", '[{"name": "Ann"}]', "[1]"])
def test_what_is_no_usercache_is_named(home: Home, text: str) -> None:
    log = write_log(home.folder / "2024-05-01-1.log", THREE)
    (home.folder / "usercache.json").write_text(text, encoding="utf-8")
    assert "usercache.json: this is no usercache.json (" in refused(home, log, "--yes")


def test_a_table_of_kills_is_imported_with_any_way_to_write_time(home: Home) -> None:
    table = home.folder / "kills.csv"
    table.write_text(
        "\ufeffTime;Killer;Victim;world\n"
        "1714557600;Ann;Bob;\n"
        "2024-05-01T10:05:00Z;Ann;Cid;arena\n"
        "2024-05-01 10:10:00;00000000000040008000000000000001;Cid;\n",
        encoding="utf-8",
    )
    imported(home, table, "--yes")
    rows = home.rows("SELECT time, killer, world FROM events WHERE kind = 'kill' ORDER BY position")
    assert rows == [
        (DAY + 36_000, offline_id("Ann"), None),
        (DAY + 36_300, offline_id("Ann"), "arena"),
        (DAY + 36_600, "00000000-0000-4000-8000-000000000001", None),
    ]


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("yesterday,Ann,Bob", "kills.csv:3:1: `time`: 'yesterday' is no time"),
        ("nan,Ann,Bob", "kills.csv:3:1: `time`"),
        ("0001-01-01T00:00:00,Ann,Bob", "kills.csv:3:1: `time`"),
        ("0001-01-01T00:00:00+14:00,Ann,Bob", "kills.csv:3:1: `time`"),
        ("9000000000,Ann,Bob", "kills.csv:3:1: `time`"),
        ("4000000000,Ann,Bob", "kills.csv:3:1: `time`: this lies in the future"),
        ("1714557600,,Bob", "kills.csv:3:2: `killer`"),
        ("1714557600,Ann,Ann", "kills.csv:3:3: `victim`: killer and victim are the same"),
        ("1714557600,Ann", "kills.csv:3:3: 2 values in this row, but 3 columns"),
        ('1714557600,"Ann,Bob', "kills.csv:3"),
    ],
)
def test_a_bad_row_is_named_by_line_and_column(tmp_path: Path, row: str, place: str) -> None:
    table = tmp_path / "kills.csv"
    table.write_text(f"time,killer,victim\n1714557600,Ann,Bob\n{row}\n", encoding="utf-8")
    with pytest.raises(UsageError) as error:
        read_kills(table, cache={}, zone=None, now=time.time())
    assert place in str(error.value)
    assert "nothing was imported" in str(error.value)


def test_one_bad_row_keeps_all_others_out(home: Home) -> None:
    table = home.folder / "kills.csv"
    rows = ["time,killer,victim", "1714557600,Ann,Bob", "soon,Ann,", "1714557700,Bob,Ann"]
    table.write_text("\n".join(rows), encoding="utf-8")
    said = refused(home, table, "--yes")
    assert "kills.csv:3:1: `time`" in said
    assert "kills.csv:3:3: `victim`" in said
    assert not home.database.exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "2024-05-01-1.log.gz",
            gzip.compress(b"[10:00:00 INFO]: x\n" * 9, mtime=0)[:30],
            "damaged",
        ),
        ("missing.log", None, "No such file"),
        ("2024-05-01-1.log", b"[11/01/2026 10:00:00] x\n", "no line of it begins with a time"),
        ("2024-05-01-1.log", b"[0001-01-01 10:00:00] [x/INFO]: x\n", "no line of it begins"),
        ("kills.csv", b"time,killer,victim\n1714557600,\xff,Bob\n", "not UTF-8"),
    ],
    ids=["damaged", "missing", "slashes", "year 1", "latin"],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read_kills(path, cache={}, zone=None, now=0.0) if path.suffix == ".csv" else read_logs(
            [path]
        )


def test_a_table_of_something_else_is_refused(home: Home) -> None:
    (home.folder / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    said = refused(home, home.folder / "other.csv", "--yes")
    assert "the first line must be `time,killer,victim`" in said


@awaited
async def _two_kills_over_the_link(home: Home, url: str, now: int) -> None:
    async with (mod := Mod()).connected(url, home.tokens["survival"]):
        await mod.kill(offline_id("Ann"), offline_id("Bob"), time=now + 0.7)
        await mod.kill(offline_id("Cid"), offline_id("Bob"), time=now + 5.2)


def test_a_log_of_days_the_mod_was_there_adds_only_what_the_mod_missed(home: Home) -> None:
    home.add("survival")
    now = int(time.time()) - 600
    with home.serving() as daemon:
        _two_kills_over_the_link(home, daemon.url, now)
        table = home.folder / "kills.csv"
        rows = [
            f"{now + late},{killer},Bob" for late, killer in ((1, "Ann"), (5, "Cid"), (90, "Ann"))
        ]
        table.write_text("\n".join(["time,killer,victim", *rows]), encoding="utf-8")
        assert "is using this database; stop it first" in refused(home, table, "--yes")
    said = imported(home, table, "--yes")
    assert "recorded by the mod already  2" in said
    assert counted(home) == 3
    asyncio.run(home.replays())


def test_imported_history_is_calibrated_on_its_way_and_replays(home: Home) -> None:
    home.save(settings("calibration: {interval: 1h}\n"))
    chance = random.Random(5)
    kills = sorted(chance.uniform(0, 5 * 3_600) for _ in range(400))
    rows = [f"{DAY + at},{','.join(chance.sample(NAMES, 2))}" for at in kills]
    table = home.folder / "kills.csv"
    table.write_text("\n".join(["time,killer,victim", *rows]), encoding="utf-8")
    said = imported(home, table, "--yes")
    assert "Calibrations on the way: 4" in said
    with home.serving():
        pass
    assert home.rows("SELECT count(*) FROM players WHERE tier IS NOT NULL") == [(5,)]


def test_a_whole_import_survives_a_crash_or_leaves_no_trace(home: Home) -> None:
    chance = random.Random(1)
    rows = [f"{DAY + 3 * n},{','.join(chance.sample(NAMES, 2))}" for n in range(12_000)]
    table = home.folder / "kills.csv"
    table.write_text("\n".join(["time,killer,victim", *rows]), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "plugin_bridge",
        "import",
        str(table),
        "--server",
        "x",
        "--yes",
    ]
    journal = home.database.with_name("adr.sqlite3-wal")
    running = subprocess.Popen(command, cwd=home.folder, stdout=subprocess.DEVNULL)
    eventually(
        lambda: running.poll() is None and journal.exists() and journal.stat().st_size > 200_000,
        "much is written",
    )
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert counted(home) == 0
    said = imported(home, table, "--yes", server="x")
    assert "Imported." in said
    assert counted(home) == 12_000
    asyncio.run(home.replays())
