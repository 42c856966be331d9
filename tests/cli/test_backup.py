"""Copies of the database, made and put back by the real command."""

import json
import sqlite3
from pathlib import Path

import pytest

from .running import run, serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.yml").write_text("listen: {port: 0}\n", encoding="utf-8")
    return tmp_path


def events(database: Path) -> int:
    with sqlite3.connect(database) as connection:
        count = connection.execute("SELECT count(*) FROM events").fetchone()[0]
    connection.close()
    return int(count)


def test_a_backup_is_whole_while_the_daemon_runs_and_can_be_put_back(folder: Path) -> None:
    database = folder / "data" / "adr-bridge.sqlite3"
    run(folder, "server", "add", "survival")
    with serving(folder):
        made = run(folder, "backup", "copy.sqlite3")
        assert made.returncode == 0, made.stderr
        refused = run(folder, "restore", "copy.sqlite3")
        assert refused.returncode == 1
        assert "stop it first" in refused.stderr
    copy = folder / "copy.sqlite3"
    assert events(copy) == events(database) == 1
    assert copy.stat().st_mode & 0o077 == 0
    run(folder, "server", "add", "later")
    # the daemon's last word in the database is seconds old; a stopped one takes it back
    restored = run(folder, "restore", "copy.sqlite3")
    assert restored.returncode == 0, restored.stderr
    servers = json.loads(run(folder, "server", "list", "--json").stdout)
    assert [row["server"] for row in servers] == ["survival"]
    assert len(list((folder / "data").glob("*.before-*"))) >= 1
    with serving(folder):
        pass


def test_a_backup_never_overwrites_a_file(folder: Path) -> None:
    run(folder, "server", "add", "arena")
    (folder / "copy").write_text("precious", encoding="utf-8")
    result = run(folder, "backup", "copy")
    assert result.returncode == 1
    assert "nothing was changed" in result.stderr
    assert (folder / "copy").read_text(encoding="utf-8") == "precious"


def test_a_damaged_copy_is_not_put_back(folder: Path) -> None:
    run(folder, "server", "add", "arena")
    run(folder, "backup", "copy")
    raw = bytearray((folder / "copy").read_bytes())
    raw[4096 * 3 : 4096 * 5] = b"\xff" * 8192
    (folder / "copy").write_bytes(raw)
    before = (folder / "data" / "adr-bridge.sqlite3").read_bytes()
    result = run(folder, "restore", "copy")
    assert result.returncode == 1
    assert "damaged" in result.stderr
    assert (folder / "data" / "adr-bridge.sqlite3").read_bytes() == before
