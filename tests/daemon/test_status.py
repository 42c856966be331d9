"""Whether the daemon runs, told from the last that it said of itself."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plugin_bridge.status import SILENT_SECONDS, Picture, last_picture, picture
from plugin_bridge.store import Store
from plugin_bridge.store.lock import Lock

from .running import PATIENCE, Daemon, Home, eventually, run_cli

NOW = 1_000_000.0


def heard(folder: Path, after: float, **changes: Any) -> Picture:
    """What is read some seconds after a daemon has left word; `changes`: how it is another one."""

    async def scenario() -> Picture:
        store = await Store.open(folder / "adr.sqlite3")
        try:
            said = picture((), started=NOW, address="127.0.0.1:1", events=0, players={})
            await store.health.put({"": said[""] | changes}, now=NOW)
            return await last_picture(store.health, now=NOW + after)
        finally:
            await store.close()

    return asyncio.run(scenario())


@pytest.mark.parametrize(
    ("after", "changes", "running"),
    [
        (5, {}, True),
        (-5, {}, True),
        (SILENT_SECONDS, {}, False),
        (-3600, {}, False),
        (5, {"host": "elsewhere"}, True),
        (SILENT_SECONDS, {"host": "elsewhere"}, False),
    ],
)
def test_where_no_lock_tells_a_daemon_runs_that_spoke_a_moment_ago(
    tmp_path: Path, after: float, changes: Mapping[str, Any], running: bool
) -> None:
    found = heard(tmp_path, after, **changes)
    assert (found.daemon is not None) is running
    assert found.seen == NOW


def test_a_daemon_of_this_machine_whose_lock_is_free_is_gone_however_lately_it_spoke(
    tmp_path: Path,
) -> None:
    lock = Lock(tmp_path / "adr.sqlite3")
    assert lock.take()
    mark = lock.mark
    lock.free()
    assert heard(tmp_path, 1, lock=mark).daemon is None
    assert heard(tmp_path, 1, lock=mark, host="elsewhere").daemon is not None
    assert heard(tmp_path, 1, lock="").daemon is not None  # whose disk knows no locks
    lock.path.rename(tmp_path / "held")  # by somebody, for all that can be seen
    assert heard(tmp_path, 1, lock=mark).daemon is not None


def test_a_daemon_that_holds_its_lock_runs_however_long_it_has_been_silent(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "adr.sqlite3")
    assert lock.take()
    try:
        assert heard(tmp_path, SILENT_SECONDS - 1).trouble == ""
        found = heard(tmp_path, 40)
        assert found.daemon is not None and found.daemon.pid == os.getpid()
        assert found.trouble == "has not reported for 40 s: see its log"
        stranger = heard(tmp_path, 40, pid=os.getppid())  # who reported before, not who is here now
        assert stranger.daemon is not None and stranger.daemon.pid == os.getpid()
        assert (stranger.daemon.address, stranger.trouble) == ("nothing yet", "")
        lock.say("the disk is full", since=NOW)
        assert "cannot store since " in heard(tmp_path, 1).trouble
        assert "the disk is full" in heard(tmp_path, 1).trouble
        lock.say()
        assert heard(tmp_path, 1).trouble == ""
    finally:
        lock.free()


def test_a_command_in_the_place_of_a_daemon_is_none_with_a_lock_or_without(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "adr.sqlite3", "importing kills")
    assert lock.take()
    try:
        for found in (heard(tmp_path, 40), heard(tmp_path, 1, errand="importing kills")):
            assert found.daemon is None and found.command is not None
            assert (found.command.pid, found.command.errand) == (os.getpid(), "importing kills")
        assert heard(tmp_path, 40).seen == NOW  # the daemon that it works in the place of
        assert heard(tmp_path, 1, errand="importing kills").seen is None
    finally:
        lock.free()
    lock.path.unlink()
    told = heard(tmp_path, 1, errand="importing kills")  # by the database alone
    assert told.daemon is None and told.command is not None
    silent = heard(tmp_path, SILENT_SECONDS, errand="importing kills")
    assert (silent.daemon, silent.command, silent.seen) == (None, None, None)


def test_one_lock_is_held_by_one_only_and_by_nobody_once_its_process_is_killed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "adr.sqlite3"
    program = (
        "import sys, time; from pathlib import Path; from plugin_bridge.store.lock import Lock\n"
        f"print(Lock(Path({str(path)!r})).take(), flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        lock = Lock(path)
        assert not lock.take()
        assert (holder := lock.look().holder) is not None
        assert holder.pid == other.pid
        other.kill()
        other.wait()
    assert lock.look().holder is None
    assert lock.take()
    assert lock.path.stat().st_mode & 0o777 == 0o600
    lock.free()
    assert lock.path.exists()


@pytest.mark.parametrize("changes", [{"pid": "many"}, {"players": None}])
def test_what_cannot_be_understood_is_no_daemon(tmp_path: Path, changes: dict[str, Any]) -> None:
    assert heard(tmp_path, 1, **changes) == Picture()


def test_a_killed_daemon_is_known_to_be_gone_at_once_and_can_be_started_again(home: Home) -> None:
    daemon = Daemon(home)
    daemon.wait_until_ready()
    eventually(lambda: not run_cli(home.folder, "status").returncode, "it has reported")
    assert "last heard of" in run_cli(home.folder, "status").stdout
    daemon.process.kill()
    daemon.process.wait()
    status = run_cli(home.folder, "status")
    assert status.returncode == 1
    assert "not running. It was last heard of" in status.stdout
    run_cli(home.folder, "backup", "copy")
    assert run_cli(home.folder, "restore", "copy").returncode == 0
    with home.serving():
        pass
    assert "last heard" not in run_cli(home.folder, "status").stdout


def test_a_second_daemon_on_one_database_does_not_start_and_says_whom_to_stop(home: Home) -> None:
    with home.serving() as first:
        eventually(lambda: home.rows("SELECT 1 FROM health"), "the first has reported")
        second = Daemon(home)
        assert second.process.wait(PATIENCE) == 1
        (line,) = second.log.splitlines()
        assert f"another adr-bridge (process {first.process.pid}, on host " in line
        assert "stop it first" in line
    with home.serving():
        pass


def test_of_two_daemons_that_start_in_the_same_instant_one_serves(home: Home) -> None:
    both = [Daemon(home), Daemon(home)]
    eventually(lambda: any(daemon.process.poll() is not None for daemon in both), "one gave up")
    (lost,) = [daemon for daemon in both if daemon.process.poll() is not None]
    (other,) = [daemon for daemon in both if daemon is not lost]
    assert lost.process.returncode == 1
    assert f"another adr-bridge (process {other.process.pid}, on host " in lost.log
    other.wait_until_ready()
    assert other.end() == 0


def test_a_daemon_on_another_machine_keeps_this_one_from_starting_until_it_is_silent(
    home: Home,
) -> None:
    with home.serving():
        eventually(lambda: home.rows("SELECT 1 FROM health"), "it has reported")
        ((detail,),) = home.rows("SELECT detail FROM health WHERE subject = ''")

    def leave_word(ago: float) -> None:
        other = json.dumps(json.loads(detail) | {"host": "elsewhere"})
        with closing(sqlite3.connect(home.database)) as connection, connection:
            connection.execute(
                "INSERT OR REPLACE INTO health (subject, detail, seen) VALUES ('', ?, ?)",
                (other, time.time() - ago),
            )

    leave_word(0)
    refused = Daemon(home)
    assert refused.process.wait(PATIENCE) == 1
    assert "on host elsewhere" in refused.log
    leave_word(SILENT_SECONDS)
    with home.serving():
        pass
