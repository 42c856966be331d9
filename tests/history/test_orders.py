"""Orders to amend the past: each is carried out, or nothing is left of it and that is said."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import pty
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from plugin_bridge.history.amendments import Merge, written
from plugin_bridge.history.historian import Historian
from plugin_bridge.store.lock import Lock

from ..cli.calling import call
from ..daemon.running import Daemon, Home, eventually, settings
from ..store.history import opened
from ..store.replay import tables
from .amending import SURE, done

COMMAND = (sys.executable, "-m", "plugin_bridge")


def begun(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        (*COMMAND, *words), cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def states(folder: Path) -> list[str]:
    return [row["state"] for row in json.loads(call(folder, "history", "--json").stdout)]


def ordered(folder: Path, amendment: Merge) -> None:
    async def scenario() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            await store.history.order(written(amendment), now=60.0)

    asyncio.run(scenario())


MERGE = Merge(old="old", new="new", reason="renamed", by="admin")


def test_commands_that_are_given_at_once_are_all_carried_out(folder: Path) -> None:
    wanted = (
        ("exclude", "--player", "ann", "--as", "victim"),
        ("exclude", "--player", "bob", "--as", "killer"),
        ("merge", "oldie", "newt"),
        ("set", "newt", "--rating", "1200"),
    )
    running = [begun(folder, *words, *SURE) for words in wanted]
    said = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 4, said
    assert states(folder) == ["in force"] * 4
    assert "bit for bit" in done(folder, "replay", "--verify")


def interrupted(folder: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> str:
    """What a command says that gets Ctrl+C at a certain point of its work."""
    met = threading.Event()
    original: Callable[..., object] = getattr(Historian, where)

    async def slowly(self: Historian, *arguments: object) -> object:
        if not met.is_set():
            met.set()
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.1)
        return await original(self, *arguments)  # type: ignore[misc]

    with monkeypatch.context() as patch:
        patch.setattr(Historian, where, slowly)
        result = call(folder, "merge", "oldie", "newt", *SURE)
    assert met.is_set()
    assert result.returncode == 130
    return result.stderr


@pytest.mark.parametrize("where", ["look", "_take", "_pass_over", "_redo", "_recompute"])
def test_a_command_that_is_broken_off_leaves_nothing_that_comes_into_force_later(
    folder: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    before = tables(folder / "adr.sqlite3")
    assert "broken off; nothing was changed" in interrupted(folder, monkeypatch, where)
    assert tables(folder / "adr.sqlite3") == before
    done(folder, "exclude", "--player", "ann", *SURE)
    rows = json.loads(done(folder, "history", "--json"))
    in_force = [row["what"] for row in rows if row["state"] == "in force"]
    assert [what for what in in_force if not what.startswith("take back")] == [rows[-1]["what"]]


def test_what_could_not_be_broken_off_any_more_is_said_to_be_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = interrupted(folder, monkeypatch, "_brought_in")
    (row,) = json.loads(done(folder, "history", "--json"))
    assert row["state"] == "in force"
    assert f"it was done before that; to take it back: adr-bridge undo {row['number']}" in said


def test_an_order_that_fails_is_taken_back(folder: Path) -> None:
    scratch = folder / "adr.sqlite3.redone"
    scratch.mkdir()
    failed = call(folder, "merge", "oldie", "newt", *SURE)
    assert failed.returncode == 1
    assert "could not be rated again" in failed.stderr
    assert "broken off; nothing was changed" in failed.stderr
    scratch.rmdir()
    done(folder, "exclude", "--player", "ann", *SURE)
    assert states(folder) == ["taken back", "in force", "in force"]


def test_an_order_that_waits_is_listed_and_can_be_cancelled(folder: Path) -> None:
    ordered(folder, MERGE)
    (row,) = json.loads(call(folder, "history", "--json").stdout)
    assert (row["number"], row["state"]) == ("w1", "waits for the daemon")
    assert "number 1;" not in call(folder, "undo", "w2", *SURE).stderr
    assert "number w2; see: adr-bridge history" in call(folder, "undo", "w2", *SURE).stderr
    done(folder, "undo", "w1", *SURE)
    assert states(folder) == []
    done(folder, "exclude", "--player", "ann", *SURE)
    assert states(folder) == ["in force"]


def test_who_waits_for_an_order_is_told_when_somebody_else_withdraws_it(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "adr.sqlite3")) as beside:
        waits = "SELECT count(*) FROM orders"
        other = Lock(folder / "adr.sqlite3")
        assert other.take()
        waiting = begun(folder, "merge", "oldie", "newt", *SURE)
        eventually(lambda: beside.execute(waits).fetchone() == (1,), "it is ordered")
        assert call(folder, "undo", "w1", *SURE).returncode == 0
        _, err = waiting.communicate(timeout=60)
        other.free()
    assert waiting.returncode == 1
    assert err == "adr-bridge: somebody else has withdrawn this order; nothing was changed\n"


def test_what_was_ordered_before_is_named_and_counted_in_when_it_will_be_done_as_well(
    folder: Path,
) -> None:
    ordered(folder, MERGE)
    asked = call(folder, "exclude", "--player", "ann", "--as", "victim", "--reason", "aimbot")
    assert "as it was ordered before: merge Oldie into Newt (renamed)." in asked.stdout
    assert "Rated kills: 30 now, 12 then." in asked.stdout
    done(folder, "exclude", "--player", "ann", "--as", "victim", *SURE)
    kills = [row[15] for row in tables(folder / "adr.sqlite3")["players"]]
    assert sum(kills) == 12


def test_an_order_is_withdrawn_before_it_is_taken_or_not_at_all(folder: Path) -> None:
    ordered(folder, MERGE)
    ordered(folder, MERGE)

    async def scenario() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            assert await store.history.withdraw(1)
            assert not await store.history.withdraw(1)
            assert [order.number for order in await store.history.take()] == [2]
            assert not await store.history.withdraw(2)
            assert [order.number for order in await store.history.waiting()] == [2]
            assert not await store.history.withdraw(3)

    asyncio.run(scenario())


HELD_UP = """
import asyncio, pathlib, sys
from plugin_bridge.cli import main
from plugin_bridge.history.historian import Historian

redo = Historian._redo

async def slowly(self, progress):
    pathlib.Path("met").touch()
    while not pathlib.Path("go").exists():
        await asyncio.sleep(0.02)
    await redo(self, progress)

Historian._redo = slowly
sys.exit(main())
"""


def test_a_daemon_waits_for_a_command_that_works_with_the_database(folder: Path) -> None:
    home = Home(folder)
    home.save(settings())
    words = (sys.executable, "-c", HELD_UP, "merge", "oldie", "newt", *SURE)
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as command:
        eventually((folder / "met").exists, "the command is at work")
        told = Daemon(home)
        at_work = f"a command (process {command.pid}, on host {platform.node()}) is rating the past"
        waits = f"{at_work} again: waiting until it has ended"
        told.logged(waits)
        assert told.end() == 0
        daemon = Daemon(home)
        daemon.logged(waits)
        assert daemon.process.poll() is None
        (folder / "go").touch()
        out, _ = command.communicate(timeout=60)
        daemon.wait_until_ready()
        assert daemon.end() == 0
    assert command.returncode == 0, out
    assert states(folder) == ["in force"]
    asyncio.run(home.replays())


def test_status_and_doctor_tell_a_command_at_work_from_a_daemon(folder: Path) -> None:
    words = (sys.executable, "-c", HELD_UP, "merge", "oldie", "newt", *SURE)
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as command:
        eventually((folder / "met").exists, "the command is at work")
        at_work = f"a command (process {command.pid}, on host {platform.node()}) is rating the past"
        status = call(folder, "status")
        assert status.returncode == 1
        assert status.stdout.startswith(f"The daemon is not running: {at_work} again. ")
        told = call(folder, "status", "--json")
        picture = json.loads(told.stdout)
        assert told.returncode == 1
        assert (picture["daemon"], picture["command"]["pid"]) == (None, command.pid)
        assert f"the daemon is not running: {at_work} again" in call(folder, "doctor").stdout
        (folder / "go").touch()
        command.communicate(timeout=60)
    assert call(folder, "status").stdout.startswith("The daemon is not running. Start it with: ")


def test_the_end_of_the_input_means_no(folder: Path) -> None:
    here, there = pty.openpty()
    words = ("merge", "oldie", "newt", "--reason", "renamed")
    with subprocess.Popen(
        (*COMMAND, *words),
        cwd=folder,
        stdin=there,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(there)
        os.write(here, b"\x04")
        out, err = process.communicate(timeout=60)
    os.close(here)
    assert (process.returncode, err) == (1, "")
    assert out.endswith("Nothing was changed.\n")
    assert states(folder) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whatever_ends_a_command_ends_it_as_ctrl_c_does(
    folder: Path, number: signal.Signals
) -> None:
    slow = folder / "asyncio.py"
    slow.write_text("import os, time\nos.write(1, b'x')\ntime.sleep(30)\n", encoding="utf-8")
    with subprocess.Popen(
        (*COMMAND, "history"), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        eventually(lambda: process.stdout and process.stdout.read(1), "it is being loaded")
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")
