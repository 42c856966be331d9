"""A restore that dies at any step: the old database or the new one is there, never an empty one."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from plugin_bridge.errors import StoreRefused
from plugin_bridge.store import Store
from plugin_bridge.store.schema import APPLICATION_ID, MIGRATIONS

from ..daemon.running import COMMAND, PATIENCE, Daemon, Home, run_cli
from .soundness import under

OLD, NEW = {"survival", "later"}, {"survival"}
DIE_IN_USE = """
import asyncio, os, sys
from pathlib import Path
from plugin_bridge.store import Store

async def use() -> None:
    store = await Store.open(Path(sys.argv[1]))
    await store.registry.add("later", now=1.0)
    os._exit(0)

asyncio.run(use())
"""
WHOLE = "after:pathlib:Path.replace:1"
"""The copy of the copy has its name."""
ASIDE = "after:os:link:1"
"""The old database has its second name."""
LAST = "after:pathlib:Path.replace:2"
"""The new one has the first name."""
GONE = ("after:pathlib:Path.unlink:3", "after:pathlib:Path.unlink:4")
"""A damaged one has lost its first name, and then so has its journal."""


def ended_well(home: Home) -> None:
    home.add("later")


def killed(home: Home) -> None:
    """What was stored last is in the journal only."""
    subprocess.check_call([sys.executable, "-c", DIE_IN_USE, home.database])
    assert Path(f"{home.database}-wal").stat().st_size


def restore(home: Home, *misfortunes: str) -> int:
    program = under(*misfortunes) if misfortunes else COMMAND
    words = [sys.executable, *program, "restore", "copy", "--config", "config.yml"]
    return subprocess.run(words, cwd=home.folder, timeout=PATIENCE, check=False).returncode


def servers(database: Path) -> set[str]:
    """Opened as the daemon opens it."""

    async def ask() -> set[str]:
        store = await Store.open(database)
        try:
            await store.check()
            return {server for server, _ in await store.registry.all()}
        finally:
            await store.close()

    return asyncio.run(ask())


@pytest.fixture
def copied(home: Home) -> Home:
    assert run_cli(home.folder, "backup", "copy").returncode == 0
    return home


def asides(home: Home) -> list[Path]:
    found = home.folder.glob("adr.sqlite3.before-*")
    return [path for path in found if not path.name.endswith(("-wal", "-shm"))]


@pytest.mark.parametrize("step", [WHOLE, ASIDE, LAST])
@pytest.mark.parametrize("end", [ended_well, killed])
def test_a_restore_that_dies_leaves_the_old_database_or_the_new_one(
    copied: Home, end: Callable[[Home], None], step: str
) -> None:
    end(copied)
    assert restore(copied, f"die:{step}") == -signal.SIGKILL
    assert copied.database.exists()
    assert servers(copied.database) == (NEW if step == LAST else OLD)
    if step != WHOLE:
        (aside,) = asides(copied)
        assert servers(aside) == OLD
    assert restore(copied) == 0
    assert servers(copied.database) == NEW


@pytest.mark.parametrize("step", [ASIDE, *GONE, LAST])
def test_in_the_place_of_a_damaged_one_with_a_journal_no_start_makes_an_empty_one(
    copied: Home, step: str
) -> None:
    old = {"": b"rubbish " * 1_000, "-wal": b"more of it " * 10}
    for end, content in old.items():
        Path(f"{copied.database}{end}").write_bytes(content)
    assert restore(copied, f"die:{step}") == -signal.SIGKILL
    if step in GONE:
        daemon = Daemon(copied)
        assert daemon.process.wait(PATIENCE) == 1
        assert "a restore was broken off before its end; to finish it: " in daemon.log
        command = daemon.log.partition("to finish it: adr-bridge ")[2]
        finished = run_cli(copied.folder, *command.split())
        assert finished.returncode == 0, finished.stderr
    elif step == ASIDE:
        with pytest.raises(StoreRefused, match="damaged or no database"):
            servers(copied.database)
        assert restore(copied) == 0
    assert servers(copied.database) == NEW
    for end, content in old.items():
        kept = copied.folder.glob(f"adr.sqlite3.before-*{end}")
        assert content in [path.read_bytes() for path in kept]


def test_a_copy_in_a_read_only_folder_can_be_put_back(copied: Home) -> None:
    place = copied.folder / "archive"
    place.mkdir()
    (copied.folder / "copy").rename(place / "copy")
    place.chmod(0o500)
    words = [sys.executable, *under("powerless"), "restore", "archive/copy"]
    try:
        done = subprocess.run(words, cwd=copied.folder, timeout=PATIENCE, check=False)
        assert done.returncode == 0
        assert [path.name for path in place.iterdir()] == ["copy"]
    finally:
        place.chmod(0o700)
    assert servers(copied.database) == NEW


def make_old(path: Path) -> None:
    """A database as the first version left it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(MIGRATIONS[0])
        connection.execute(
            "INSERT INTO servers (server, token_hash, created) VALUES ('past', x'00', 1)"
        )
        connection.execute("INSERT INTO lanes VALUES (1, 'past', 'spool-001')")
        connection.execute(
            "INSERT INTO events (position, lane, seq, kind, time, received, detail)"
            " VALUES (1, 1, 1, 'calibrate', 1.0, 1.0, '{}')"
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()


def test_before_a_database_is_changed_for_a_new_version_a_copy_is_kept(
    copied: Home, caplog: pytest.LogCaptureFixture
) -> None:
    copied.database.unlink()
    make_old(copied.database)
    assert run_cli(copied.folder, "backup", "before").returncode == 0
    assert servers(copied.database) == {"past"}
    (kept,) = asides(copied)
    assert kept.name == "adr.sqlite3.before-schema1"
    assert f"adr-bridge restore {kept}" in caplog.text
    for copy in (kept, copied.folder / "before"):
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (1,)
            assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)
    caplog.clear()
    assert servers(copied.database) == {"past"}
    assert not caplog.text


def test_where_a_restore_was_broken_off_whoever_only_reads_is_told_so(copied: Home) -> None:
    copied.database.rename(f"{copied.database}.restoring")
    for words in (["status"], ["top"], ["backup", "other"]):
        assert "a restore was broken off before its end" in run_cli(copied.folder, *words).stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("PRAGMA application_id = 5", "another program's database; "),
        ("PRAGMA user_version = 99", "written by a newer adr-bridge"),
    ],
)
def test_a_copy_that_is_foreign_or_newer_is_spoken_of_as_a_copy(
    copied: Home, change: str, words: str
) -> None:
    with closing(sqlite3.connect(copied.folder / "copy")) as connection:
        connection.execute(change)
    refused = run_cli(copied.folder, "restore", "copy")
    assert words in refused.stderr
    assert "nothing was changed; name another copy" in refused.stderr
    assert "storage.database" not in refused.stderr


def test_a_copy_of_an_earlier_version_can_be_put_back(copied: Home) -> None:
    make_old(copied.folder / "old.sqlite3")
    restored = run_cli(copied.folder, "restore", "old.sqlite3")
    assert restored.returncode == 0, restored.stderr
    assert servers(copied.database) == {"past"}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("nothere", None, "there is no such file"),
        ("empty", b"", "there is nothing in it"),
        ("junk", b"no database at all " * 100, "file is not a database"),
        ("short", b"x", "this is no database"),
        (".", None, "this is no file"),
    ],
)
def test_what_is_wrong_with_a_copy_is_said_of_the_copy(
    copied: Home, name: str, content: bytes | None, words: str
) -> None:
    before = copied.database.read_bytes()
    if content is not None:
        (copied.folder / name).write_bytes(content)
    refused = run_cli(copied.folder, "restore", name)
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.startswith(f"adr-bridge: {name}: ")
    assert words in line
    assert line.endswith("nothing was changed; name another copy")
    assert copied.database.read_bytes() == before
