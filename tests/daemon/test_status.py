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

from .running import PATIENCE, Daemon, Home, eventually, run_cli

NOW = 1_000_000.0
LIVING = os.getppid()


def ended() -> int:
    """The number of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


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
        (5, {"pid": LIVING}, True),
        (5, {"pid": 1}, True),
        (-5, {"pid": LIVING}, True),
        (SILENT_SECONDS, {"pid": LIVING}, False),
        (-3600, {"pid": LIVING}, False),
        (5, {"pid": ended()}, False),
        (5, {"pid": os.getpid()}, False),
        (5, {"pid": ended(), "host": "elsewhere"}, True),
        (SILENT_SECONDS, {"pid": ended(), "host": "elsewhere"}, False),
    ],
)
def test_a_daemon_runs_that_spoke_a_moment_ago_and_whose_process_is_not_known_to_be_gone(
    tmp_path: Path, after: float, changes: Mapping[str, Any], running: bool
) -> None:
    found = heard(tmp_path, after, **changes)
    assert (found.daemon is not None) is running
    assert found.seen == NOW


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
