"""The command `adr-bridge`, run as a process, as an admin runs it."""

import asyncio
import json
import os
import time
from pathlib import Path

import pytest

from adr_core import Parameters
from plugin_bridge.config import load_config
from plugin_bridge.study.bounds import Bounds, at_bounds, cure

from .past import fights, played
from .running import run, serving

CONFIG = "listen: {port: 0}\nservers: [{name: arena}]\ncalibration: {interval: 1d}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.yml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def test_the_first_start_shows_a_token_and_later_starts_do_not(folder: Path) -> None:
    with serving(folder, terminal=True) as screen:
        pass
    assert "is ready" in screen
    assert "mod on `arena`" in screen
    assert 'token: "adr_' in screen
    assert str(folder / "data" / "adr-bridge.sqlite3") in screen
    with serving(folder, terminal=True) as screen:
        pass
    assert "adr_" not in screen
    assert "arena" in screen


def test_where_the_screen_is_a_log_no_token_is_shown_and_how_to_make_one_is(folder: Path) -> None:
    with serving(folder) as screen:
        pass
    assert "adr_" not in screen
    assert "servers    none yet; make a token: adr-bridge server add arena\n" in screen
    assert json.loads(run(folder, "server", "list", "--json").stdout) == []


def test_the_database_holds_no_token_and_is_for_its_owner_only(folder: Path) -> None:
    token = json.loads(run(folder, "server", "add", "arena", "--json").stdout)["token"]
    database = folder / "data" / "adr-bridge.sqlite3"
    assert token.encode() not in database.read_bytes()
    if os.name == "posix":
        assert database.stat().st_mode & 0o077 == 0


def test_status_tells_whether_the_daemon_runs(folder: Path) -> None:
    run(folder, "server", "add", "arena")
    stopped = run(folder, "status")
    assert stopped.returncode == 1
    assert "not running" in stopped.stdout
    with serving(folder):
        deadline = time.monotonic() + 15
        while (running := run(folder, "status")).returncode and time.monotonic() < deadline:
            pass
        assert running.returncode == 0
        assert "running for" in running.stdout
        assert "arena\tmissing\tnot watched" in running.stdout
        report = json.loads(run(folder, "status", "--json").stdout)
        assert report["daemon"]["events"] == 1
        assert report["servers"][0]["server"] == "arena"


def test_status_shows_every_server_with_a_token_and_which_of_all_are_watched(folder: Path) -> None:
    servers = "[{name: arena}, {name: duels, address: '127.0.0.1:1'}]"
    config = CONFIG.replace("[{name: arena}]", servers)
    (folder / "config.yml").write_text(config, encoding="utf-8")
    run(folder, "server", "add", "spare")
    with serving(folder):
        deadline = time.monotonic() + 15
        while "\tdown" not in (shown := run(folder, "status").stdout):
            assert time.monotonic() < deadline, shown
            assert "duels\tmissing\tnot watched" not in shown
    assert "arena\tmissing\tnot watched" in shown
    assert "duels\tmissing\tdown" in shown
    assert "spare\tmissing\tnot watched" in shown


def test_init_writes_a_config_that_is_well_and_never_overwrites(tmp_path: Path) -> None:
    assert run(tmp_path, "init").returncode == 0
    assert "all is well" in run(tmp_path, "check-config").stdout
    (tmp_path / "config.yml").write_text("language: en\n", encoding="utf-8")
    again = run(tmp_path, "init")
    assert again.returncode == 1
    assert "nothing was changed" in again.stderr
    assert (tmp_path / "config.yml").read_text(encoding="utf-8") == "language: en\n"


def test_check_config_names_every_mistake_with_its_place(folder: Path) -> None:
    (folder / "config.yml").write_text("raiting: {}\nlanguage: xx\n", encoding="utf-8")
    result = run(folder, "check-config")
    assert result.returncode == 1
    assert "config.yml:1:1" in result.stderr
    assert "did you mean `rating`?" in result.stderr
    assert "config.yml:2:11" in result.stderr


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("language: en\n", "all is well"),
        ("ladders: {a: {servers: [x]}}\n", "usable, with 1 warning\n"),
        ("ladders: {a: {servers: [x, y]}}\n", "usable, with 2 warnings\n"),
        ("", "everything is at its defaults"),
        ("\n# nothing yet\n", "everything is at its defaults"),
    ],
)
def test_check_config_ends_with_what_it_comes_to(folder: Path, text: str, verdict: str) -> None:
    (folder / "config.yml").write_text(text, encoding="utf-8")
    result = run(folder, "check-config")
    assert result.returncode == 0
    assert verdict in result.stdout
    assert ("all is well" in result.stdout) == (verdict == "all is well")


def test_check_config_misses_certificate_files_that_are_not_there(folder: Path) -> None:
    tls = "listen: {tls: {certificate: a.pem, key: b.pem}}\n"
    (folder / "config.yml").write_text(tls, encoding="utf-8")
    (folder / "a.pem").write_text("", encoding="utf-8")
    result = run(folder, "check-config")
    assert result.returncode == 1
    assert f"there is no file {folder / 'b.pem'}" in result.stderr
    assert "a.pem" not in result.stderr
    assert "all is well" not in result.stdout
    (folder / "b.pem").write_text("", encoding="utf-8")
    assert run(folder, "check-config").returncode == 0


def test_a_daemon_does_not_start_with_a_broken_config(folder: Path) -> None:
    (folder / "config.yml").write_text("listen: {port: many}\n", encoding="utf-8")
    result = run(folder, "serve")
    assert result.returncode == 1
    assert "config.yml:1:16" in result.stderr
    assert "Traceback" not in result.stderr


def test_reading_commands_say_what_to_do_before_there_is_a_database(folder: Path) -> None:
    for words in (["top"], ["player", "Ann"], ["status"], ["server", "list"]):
        result = run(folder, *words)
        assert result.returncode == 1
        assert "start the daemon once" in result.stderr


def test_servers_can_be_added_listed_and_removed(folder: Path) -> None:
    added = run(folder, "server", "add", "duels")
    assert 'token: "adr_' in added.stdout
    assert "duels" in run(folder, "server", "list").stdout
    assert run(folder, "server", "remove", "duels").returncode == 0
    missing = run(folder, "server", "remove", "duels")
    assert missing.returncode == 1
    assert "there is no server 'duels'" in missing.stderr
    wrong = run(folder, "server", "add", "Two Words")
    assert wrong.returncode == 1
    assert "no server id" in wrong.stderr


def test_unknown_players_and_ladders_are_named(folder: Path) -> None:
    with serving(folder):
        pass
    assert "nobody called 'Ann'" in run(folder, "player", "Ann").stderr
    assert "known: main" in run(folder, "top", "--ladder", "duels").stderr


def test_help_and_version_answer() -> None:
    assert run(Path.cwd(), "--version").stdout.startswith("adr-bridge ")
    text = run(Path.cwd(), "--help").stdout
    for word in (
        "serve",
        "status",
        "tune",
        "top",
        "player",
        "check-config",
        "server",
        "install-mod",
    ):
        assert word in text


def test_status_warns_when_ratings_pile_up_at_a_bound_and_names_the_cure(tmp_path: Path) -> None:
    config = "listen: {port: 0}\nrating: {parameters: {mu_min: 990, mu_max: 1400}}\n"
    asyncio.run(played(tmp_path, fights(400, players=20), config=config))
    shown = run(tmp_path, "status").stdout
    report = json.loads(run(tmp_path, "status", "--json").stdout)["bounds"]
    (main,) = (one for one in report if one["ladder"] == "main")
    there = main["bottom"] + main["top"]
    assert main["active"] == 20
    assert there > 2
    assert f"WARNING: {there} of the 20 active players on main" in shown
    assert shown.rstrip().endswith("preset: calibrated")


def test_status_says_nothing_of_bounds_where_all_is_well(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, fights(400, players=20)))
    assert "WARNING" not in run(tmp_path, "status").stdout
    (main,) = json.loads(run(tmp_path, "status", "--json").stdout)["bounds"]
    assert main == {"ladder": "main", "active": 20, "bottom": 0, "top": 0, "cure": None}


def test_the_lines_that_status_advises_are_understood(tmp_path: Path) -> None:
    for given in (
        {},
        {"victim_loss": "prediction_error"},
        {"victim_loss": "prediction_error", "c_loss": 1.0},
    ):
        advised = cure(Parameters(**given))
        path = tmp_path / "config.yml"
        path.write_text(f"rating: {{{advised}}}\n", encoding="utf-8")
        changed = load_config(path).ladder("main").parameters
        assert changed.c_loss == 1.0 or changed.mu_max - changed.mu_min == 8_000.0


def test_players_who_stay_away_do_not_count_as_sitting_at_a_bound() -> None:
    p = Parameters()
    week = p.t_active * 86_400.0
    here, gone, new = (0.0, (week + 1.0,) * 5), (0.0, (week,) * 5), (4000.0, (week + 1.0,) * 4)
    assert at_bounds([here, gone, new], 2.0 * week, p) == Bounds(1, 1, 0)
    edge = [(mu, (week + 1.0,) * 5) for mu in (50.0, 51.0, 3949.0, 3950.0)]
    assert at_bounds(edge, 2.0 * week, p) == Bounds(4, 1, 1)
