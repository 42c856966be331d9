"""`adr-bridge export`, and an export that becomes a database again."""

from __future__ import annotations

import asyncio
import csv
import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plugin_bridge.errors import UsageError
from plugin_bridge.importing.exported import read_events
from plugin_bridge.importing.exporting import export as write
from plugin_bridge.importing.exporting import format_of
from plugin_bridge.store import Store

from ..cli.calling import call
from ..daemon.mod import PLAYER, Mod, awaited
from ..daemon.running import Home, settings
from ..store.replay import tables

RISKY = ('=HYPERLINK("http://x")', "+1", "-Dash-", "@SUM(1)", "'=1", "''@", "'quoted'")
"""Names that a server in offline mode lets people have."""


@awaited
async def _play(home: Home, url: str) -> None:
    async with (mod := Mod()).connected(url, home.tokens["survival"]):
        await mod.join("gus", name='=Gus, "the\nGreat"')
        for number, name in enumerate(RISKY):
            await mod.join(f"risky-{number}", name=name)
        for _ in range(3):
            await mod.kill("ann", "bob", weapon="sword", world="world")
            await mod.kill("bob", "cid", cause="fall")
        admin = {"by": None, "may": (*PLAYER, "adrbridge.admin")}
        await mod.ask("event start 5 Friday night", **admin)
        await mod.kill("cid", "bob")
        await mod.kill("bob", "ann")
        await mod.ask("event stop", **admin)
        await mod.kill("ann", "cid")
        bad = mod.spooled({"type": "death", "victim": 'no player,\r\n"at all"'})
        await mod.send(bad)
        await mod.acked(bad["seq"])
    async with (other := Mod("spool-0002")).connected(url, home.tokens["survival"]):
        await other.kill("cid", "ann", time=1e9 + 1 / 3)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A database with a little of everything."""
    home = Home(tmp_path_factory.mktemp("played"))
    home.save(settings())
    home.add("survival")
    with home.serving() as daemon:
        _play(home, daemon.url)
    return home


async def _export(database: Path, file: Path) -> None:
    store = await Store.read_only(database)
    try:
        await write(store, file.name.split(".")[0], file, format_of(file, None))
    finally:
        await store.close()


def export(home: Home, *words: object) -> str:
    done = call(home.folder, "export", *map(str, words))
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(database: Path, table: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr)


@pytest.mark.parametrize("names", [("events.csv", "names.jsonl"), ("events.jsonl.gz", "names.csv")])
def test_an_export_that_is_imported_is_the_same_database(
    played: Home, tmp_path: Path, names: tuple[str, str]
) -> None:
    files = [tmp_path / name for name in names]
    for file in files:
        asyncio.run(_export(played.database, file))
    again = Home(tmp_path)
    again.save(settings())
    done = call(again.folder, "import", *map(str, files), "--yes")
    assert done.returncode == 0, done.stderr
    assert "Imported " in done.stdout
    assert tables(played.database)["contests"]
    assert tables(again.database) == tables(played.database)
    for table in ("events", "lanes", "people"):
        assert rows(again.database, table) == rows(played.database, table)


def test_no_cell_of_an_export_is_run_as_a_formula(played: Home, tmp_path: Path) -> None:
    file = tmp_path / "names.csv"
    export(played, "names", file)
    with file.open(encoding="utf-8", newline="") as lines:
        cells = [cell for row in csv.reader(lines) for cell in row]
    assert {f"'{name}" for name in RISKY if name != "'quoted'"} < set(cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize("name", ["players.csv", "names.jsonl", "events.csv.gz"])
def test_an_exported_file_is_nobody_elses_business(played: Home, tmp_path: Path, name: str) -> None:
    export(played, name.split(".", maxsplit=1)[0], tmp_path / name)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_an_export_that_is_imported_twice_is_there_once(played: Home, tmp_path: Path) -> None:
    file = tmp_path / "events.csv"
    export(played, "events", file)
    done = call(played.folder, "import", str(file), "--yes")
    assert done.returncode == 0, done.stderr
    assert "Nothing new" in done.stdout


def test_an_exported_log_does_not_go_into_another_past(played: Home, tmp_path: Path) -> None:
    file = tmp_path / "events.csv"
    asyncio.run(_export(played.database, file))
    other = Home(tmp_path)
    other.save(settings())
    (tmp_path / "kills.csv").write_text("time,killer,victim\n1,Ann,Bob\n", encoding="utf-8")
    call(other.folder, "import", "kills.csv", "--server", "x", "--yes")
    before = tables(other.database)
    done = call(other.folder, "import", str(file), "--yes")
    assert done.returncode == 1
    assert "has another past" in done.stderr
    assert tables(other.database) == before


def _without_parameters(lines: list[str]) -> list[str]:
    """Renumbered, so that it can only be told by what follows."""
    kept = [line.split(",", 1)[1] for line in lines[1:] if line and ",parameters," not in line]
    return [lines[0], *(f"{number},{rest}" for number, rest in enumerate(kept, start=1))]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], "events.csv:3:1: `position`: 3, but 2 is next"),
        (lambda lines: [lines[0], lines[1].replace("1", "x", 1)], "events.csv:2:1: `position`"),
        (
            lambda lines: [line.replace(",kill,", ",kil,") for line in lines],
            r"events.csv:\d+:4: `kind`: there are no entries of the kind 'kil'",
        ),
        (lambda lines: [*lines[:4], "4,1"], "2 values in this row"),
        (
            lambda lines: [line.replace('""mu_0"": 1000.0', '""mu_0"": -1') for line in lines],
            r"events.csv:\d+:13: `detail`: makes no sense: .*mu_0",
        ),
        (
            _without_parameters,
            "`ladder`: no parameters of 'main' stand before",
        ),
        (
            lambda lines: [line.replace(",ann,bob,", ",,bob,") for line in lines],
            "`killer`: is miss",
        ),
        (
            lambda lines: [line.replace(",contest_start,", ",contest_join,") for line in lines],
            "`killer`: is missing in an entry of the kind 'contest_join'",
        ),
        (lambda lines: [*lines[:3], "3" + lines[2][1:]], "`seq`: .* comes again, or too late"),
        (
            lambda lines: [line.replace(",contest_end,", ",undo,") for line in lines],
            "`detail`: makes no sense",
        ),
    ],
)
def test_a_damaged_export_is_refused_with_its_place(
    played: Home, tmp_path: Path, damage: Any, said: str
) -> None:
    file = tmp_path / "events.csv"
    asyncio.run(_export(played.database, file))
    lines = file.read_text(encoding="utf-8").split("\n")
    file.write_text("\n".join(damage(lines)), encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        list(read_events(file))


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("kind", ["x"], "`kind`: \"\\['x'\\]\" is no text"),
        ("kind", {"a": 1}, "is no text"),
        ("kind", 1, "is no text"),
        ("position", 1.0, "`position`: '1.0' is no number"),
        ("position", True, "is no number"),
        ("time", float("nan"), "`time`: 'nan' is no number"),
        ("time", None, "`time`: is missing"),
        ("seq", 1 << 63, "`seq`: .9223372036854775808. is no number"),
    ],
)
def test_a_value_of_another_type_is_refused_with_its_place(
    played: Home, tmp_path: Path, column: str, value: object, said: str
) -> None:
    file = tmp_path / "events.jsonl"
    asyncio.run(_export(played.database, file))
    first, *rest = file.read_text(encoding="utf-8").splitlines()
    changed = json.dumps(json.loads(first) | {column: value})
    file.write_text("\n".join([changed, *rest]), encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        list(read_events(file))


def test_an_export_that_is_refused_changes_nothing_and_a_cut_one_says_where_it_ends(
    played: Home, tmp_path: Path
) -> None:
    file = tmp_path / "events.jsonl"
    asyncio.run(_export(played.database, file))
    lines = file.read_text(encoding="utf-8").splitlines()
    again = Home(tmp_path)
    again.save(settings())
    file.write_text("\n".join(lines).replace('"kind": "kill"', '"kind": "kil"'), encoding="utf-8")
    done = call(tmp_path, "import", str(file), "--yes")
    assert done.returncode == 1 and "there are no entries of the kind 'kil'" in done.stderr
    assert not again.database.exists()
    file.write_text("\n".join(lines[:6]), encoding="utf-8")
    done = call(tmp_path, "import", str(file), "--dry-run")
    assert "events.jsonl: 6 log entries, the last of 20" in done.stdout
    assert not again.database.exists()


def test_names_alone_are_told_of_when_they_are_new(played: Home, tmp_path: Path) -> None:
    file = tmp_path / "names.csv"
    asyncio.run(_export(played.database, file))
    again = Home(tmp_path)
    again.save(settings())
    count = len(rows(played.database, "people"))
    assert f"Imported {count} names." in call(tmp_path, "import", str(file), "--yes").stdout
    assert rows(again.database, "people") == rows(played.database, "people")
    assert "Nothing new" in call(tmp_path, "import", str(file), "--yes").stdout
    file.write_text("player,name,seen\nann,,soon\n", encoding="utf-8")
    said = call(tmp_path, "import", str(file), "--yes").stderr
    assert "names.csv:2:2: `name`: is missing" in said
    assert "names.csv:2:3: `seen`: 'soon' is no number" in said
    file = tmp_path / "names.jsonl"
    file.write_text(f'{{"player": "ann", "name": "Ann", "seen": {10**400}}}\n', encoding="utf-8")
    said = call(tmp_path, "import", str(file), "--yes").stderr
    assert "names.jsonl:1:3: `seen`: '1000" in said and " is no number" in said


def test_an_export_says_how_many_rows_of_what_it_wrote(played: Home, tmp_path: Path) -> None:
    done = call(played.folder, "export", "players", str(tmp_path / "players.csv"))
    assert "players.csv: players, 3 rows." in done.stderr


def test_players_come_out_ranked(played: Home) -> None:
    table = list(csv.DictReader(export(played, "players").splitlines()))
    ratings = played.ratings()
    assert [row["player"] for row in table] == sorted(ratings, key=lambda p: -ratings[p])
    assert [int(row["rank"]) for row in table] == [1, 2, 3]
    assert {row["player"]: float(row["rating"]) for row in table} == ratings
    ann = next(row for row in table if row["player"] == "ann")
    assert (ann["name"], ann["kills"], ann["deaths"]) == ("Ann", "4", "2")
    lines = export(played, "players", "--format", "jsonl").splitlines()
    assert json.loads(lines[0])["player"] == table[0]["player"]


def test_a_file_that_is_there_is_not_written_over(played: Home, tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text("mine", encoding="utf-8")
    done = call(played.folder, "export", "players", str(file))
    assert done.returncode == 1
    assert "is there already" in done.stderr
    assert file.read_text(encoding="utf-8") == "mine"
    wrong = call(played.folder, "export", "players", str(tmp_path / "players.xlsx"))
    assert "ends in .csv or .jsonl" in wrong.stderr


def test_what_was_excluded_stays_excluded_and_more_can_be(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.save(settings())
    kills = [f"{1.7e9 + 61 * n},{'Ann,Bob' if n % 3 else 'Bob,Cid'}" for n in range(40)]
    table = "\n".join(["time,killer,victim", *kills])
    (tmp_path / "kills.csv").write_text(table, encoding="utf-8")
    for words in (
        "import kills.csv --server survival --yes",
        "exclude --pair Bob Cid --reason test --yes",
        "export events events.csv",
        "export names names.csv",
    ):
        assert call(tmp_path, *words.split()).returncode == 0
    (tmp_path / "other").mkdir()
    again = Home(tmp_path / "other")
    again.save(settings())
    done = call(again.folder, "import", "../events.csv", "../names.csv", "--yes")
    assert done.returncode == 0, done.stderr
    assert again.rows("SELECT DISTINCT reason FROM outcomes ORDER BY 1") == [(None,), ("excluded",)]
    for one in ("players", "outcomes", "pairs"):
        assert tables(again.database)[one] == tables(home.database)[one]
    more = call(again.folder, "exclude", "--player", "Ann", "--reason", "test", "--yes")
    assert more.returncode == 0, more.stderr
    assert again.rows("SELECT count(*) FROM outcomes WHERE reason IS NULL") == [(0,)]
