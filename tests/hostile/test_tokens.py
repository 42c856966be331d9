"""Who gets in: tokens at rest, in logs, guessed, replaced, and where the daemon listens at all."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from plugin_bridge.config import parse_config
from plugin_bridge.gate import ADDRESSES_REMEMBERED, PAUSES, Gate

from ..daemon.mod import Mod, awaited, dialled
from ..daemon.running import Daemon, Home, run_cli
from .raw import UPGRADE, opened, place
from .watching import LAUNCHER

STRANGERS = (LAUNCHER, "strangers", "clock", "--")


async def status(url: str, token: str, *, origin: str = "127.0.0.1") -> int:
    """What a handshake is answered with; `origin`: the address it seems to come from."""
    async with opened(url) as raw:
        return await raw.upgrade(token, f"X-From: {origin}")


@pytest.fixture
def home(home: Home) -> Home:
    (home.folder / "clock").write_text("0", encoding="utf-8")
    return home


@awaited
async def test_an_address_that_guesses_waits_longer_each_time_and_no_other_does(
    home: Home,
) -> None:
    token = home.tokens["survival"]
    with home.serving(*STRANGERS) as daemon:
        guesser, other = "203.0.113.7", "203.0.113.8"
        for pause in PAUSES[1:4]:
            assert await status(daemon.url, "adr_guess", origin=guesser) == 401
            if pause:
                for one in ("adr_guess", token):
                    assert await status(daemon.url, one, origin=guesser) == 429
            assert await status(daemon.url, token, origin=other) == 101
            assert await status(daemon.url, token) == 101
            await asyncio.sleep(pause)
        assert await status(daemon.url, token, origin=guesser) == 101
        assert await status(daemon.url, "adr_guess", origin=guesser) == 401
        assert await status(daemon.url, token, origin=guesser) == 101
        for _ in range(50):  # servers of this machine share one address
            assert await status(daemon.url, "adr_guess") == 401
        assert await status(daemon.url, token) == 101


@awaited
async def test_no_address_is_kept_waiting_by_a_clock_that_was_set_back(home: Home) -> None:
    with home.serving(*STRANGERS) as daemon:
        for _ in range(2):
            assert await status(daemon.url, "adr_guess", origin="203.0.113.7") == 401
        (home.folder / "clock").write_text("-1000000", encoding="utf-8")
        await asyncio.sleep(PAUSES[2] + 0.1)
        token = home.tokens["survival"]
        assert await status(daemon.url, token, origin="203.0.113.7") == 101


def test_whoever_has_many_addresses_of_one_household_is_one_guesser() -> None:
    gate = Gate()
    for number in range(5):
        gate.wrong(f"2001:db8:1:2::{number:x}", now=100.0)
    assert gate.shut_until("2001:db8:1:2:ffff::9") == 100.0 + PAUSES[5]
    assert gate.shut_until("2001:db8:1:3::1") == 0
    gate.right("2001:db8:1:2::abcd")
    assert gate.shut_until("2001:db8:1:2::1") == 0
    gate.wrong("::ffff:203.0.113.7", now=100.0)
    gate.wrong("203.0.113.7", now=100.0)
    assert gate.shut_until("::ffff:203.0.113.7") == 100.0 + PAUSES[2]
    for _ in range(5):
        gate.wrong("::ffff:127.0.0.1", now=100.0)
    assert gate.shut_until("::ffff:127.0.0.1") == 0


def test_many_guessers_do_not_make_each_other_forgotten_at_once() -> None:
    gate = Gate()
    for number in range(ADDRESSES_REMEMBERED + 10):
        for _ in range(3):
            gate.wrong(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", now=100.0)
    assert gate.shut_until("10.0.0.5") == 0
    assert gate.shut_until("10.0.0.200") == 100.0 + PAUSES[3]


def everything_written(home: Home) -> Iterator[tuple[Path, bytes]]:
    for path in home.folder.rglob("*"):
        if path.is_file():
            yield path, path.read_bytes()


@awaited
async def test_no_token_is_ever_written_anywhere_however_it_is_misused(home: Home) -> None:
    await asyncio.to_thread(home.add, "duels", "arena")
    tokens, wrong = dict(home.tokens), "adr_" + "wrong" * 8
    mine = tokens["survival"]
    with home.serving(*STRANGERS) as daemon:
        for header in (wrong, mine[:-1], f"{mine}x", f"{mine} {mine}", f"{mine}\tx", "adr_\x80"):
            async with opened(daemon.url) as raw:
                lines = f"{UPGRADE}Authorization: Bearer {header}\r\nX-From: 203.0.113.9\r\n\r\n"
                raw.writer.write(lines.encode("latin-1"))
                raw.writer.write_eof()
                answer = await asyncio.wait_for(raw.reader.read(), 5)
                assert b"adr_" not in answer
        for target in (f"/?token={mine}", f"/{mine}", f"//user:{mine}@x/"):
            async with opened(daemon.url) as raw:
                raw.writer.write(UPGRADE.replace("GET /", f"GET {target}").encode() + b"\r\n")
                raw.writer.write_eof()
                assert b" 101 " not in (await asyncio.wait_for(raw.reader.read(), 5))[:20]
        for first in (
            {"type": "auth", "token": mine},
            {"type": mine},
            [Mod().hello(), Mod().hello()],
            Mod().hello() | {"platform": mine, "mod_version": mine, "protocol": 9},
        ):
            async with dialled(daemon.url, mine) as bare:
                await bare.send(json.dumps(first))
                await bare.wait_closed()
        mod = Mod()
        async with mod.connected(daemon.url, mine):
            await mod.send(
                mod.spooled({"type": "auth", "token": mine}),
                mod.spooled({"type": mine}),
                {"type": "join", "token": mine},
            )
            await mod.kill("ann", "bob", token=mine)
            await mod.ask(f"rank {mine}")
            await mod.ask("rankadmin status", by=None)
            for path, written in everything_written(home):
                for token in (*tokens.values(), wrong):
                    assert token.encode() not in written, path
            await asyncio.to_thread(home.add, "arena")
            await asyncio.to_thread(home.remove, "duels")
            assert (await asyncio.to_thread(run_cli, home.folder, "backup", "copy")).returncode == 0
    (home.folder / "config.yml").write_text("listen: {port: 1e9}\n", encoding="utf-8")
    refused = run_cli(home.folder, "serve")
    outputs = [refused.stdout, refused.stderr]
    outputs += [run_cli(home.folder, *words).stdout for words in (("status",), ("server", "list"))]
    names = {path.name for path, _ in everything_written(home)}
    assert {"adr.sqlite3", "copy", "daemon.log", "screen.txt"} <= names
    for token in (*tokens.values(), *home.tokens.values(), wrong):
        for path, written in everything_written(home):
            assert token.encode() not in written, path
            assert token.removeprefix("adr_").encode() not in written, path
        assert not any(token in output for output in outputs)


@awaited
async def test_of_a_new_and_an_old_token_only_the_new_one_opens_the_door(home: Home) -> None:
    old = home.tokens["survival"]
    with home.serving() as daemon:
        async with Mod().connected(daemon.url, old):
            pass
        for _ in range(3):
            old, _ = home.tokens["survival"], await asyncio.to_thread(home.add, "survival")
            with pytest.raises(InvalidStatus):
                async with dialled(daemon.url, old):
                    pass
            async with Mod().connected(daemon.url, home.tokens["survival"]):
                pass
        await asyncio.to_thread(home.remove, "survival")
        for token in (old, home.tokens["survival"]):
            assert await status(daemon.url, token) == 401
        await asyncio.to_thread(home.add, "survival")
        async with Mod().connected(daemon.url, home.tokens["survival"]) as welcome:
            assert welcome["server"] == "survival"


@awaited
async def test_every_file_with_names_in_it_is_for_its_owner_only(home: Home) -> None:
    for path in home.folder.glob("adr.sqlite3*"):
        path.unlink()
    before = os.umask(0)
    try:
        await asyncio.to_thread(home.add, "survival")
        with home.serving(LAUNCHER, "open", "--") as daemon:
            mod = Mod()
            async with mod.connected(daemon.url, home.tokens["survival"]):
                await mod.kill("ann", "bob")
                ends = ("", "-wal", "-shm", ".lock")
                assert {f"adr.sqlite3{end}" for end in ends} == private(home)
                for words in (("backup", "copy"), ("top",), ("server", "add", "duels")):
                    done = await asyncio.to_thread(run_cli, home.folder, *words)
                    assert done.returncode == 0
        assert run_cli(home.folder, "restore", "copy").returncode == 0
        assert run_cli(home.folder, "top").returncode == 0
    finally:
        os.umask(before)
    kept = private(home)
    assert {"adr.sqlite3", "copy"} < kept
    assert any(name.startswith("adr.sqlite3.before-") for name in kept)


def private(home: Home) -> set[str]:
    """The files of databases, each found to be nobody else's business."""
    found = {path for pattern in ("adr.*", "copy*") for path in home.folder.glob(pattern)}
    for path in found:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    return {path.name for path in found}


def other_addresses() -> set[str]:
    """Addresses of this machine besides 127.0.0.1; at least one more of its loopback."""
    named = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)}
    return {str(address) for address in named | {"127.0.0.2"}} - {"127.0.0.1"}


def test_unless_told_otherwise_the_daemon_listens_where_only_this_machine_is(
    daemon: Daemon,
) -> None:
    assert parse_config("").listen.host == "127.0.0.1"
    host, port = place(daemon.url)
    assert host == "127.0.0.1"
    with socket.create_connection((host, port), 5):
        pass
    for address in other_addresses():
        with pytest.raises(OSError, match=re.compile("refused|unreachable|assign|route", re.I)):
            socket.create_connection((address, port), 2)


@awaited
async def test_a_wrong_token_is_told_nothing_but_that_it_is_wrong(daemon: Daemon) -> None:
    token = daemon.home.tokens["survival"]
    answers = set()
    for wrong in ("adr_wrong", token[:-1], token[:10] + token[11:], "x" * 5_000, ""):
        async with opened(daemon.url) as raw:
            raw.writer.write(f"{UPGRADE}Authorization: Bearer {wrong}\r\n\r\n".encode())
            _, head = await raw.answer()
            answers.add(re.sub(r"Date: .*", "", head))
    assert len(answers) == 1
