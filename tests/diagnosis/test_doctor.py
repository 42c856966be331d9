"""`adr-bridge doctor` and `dump`, beside real daemons and without one."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from plugin_bridge.diagnosis.masking import Masking

from ..cli.calling import call
from ..daemon.certificates import with_certificate
from ..daemon.conftest import home
from ..daemon.mod import Mod, awaited
from ..daemon.running import Home, eventually, run_cli, settings

__all__ = ["home"]


def findings(
    home: Home, *, code: int, run: Callable[..., Any] = call
) -> dict[str, list[tuple[str, str, str]]]:
    """State, words and cure of each finding, by subject."""
    done = run(home.folder, "doctor", "--json")
    assert done.returncode == code, done.stdout + done.stderr
    found: dict[str, list[tuple[str, str, str]]] = {}
    for one in json.loads(done.stdout):
        assert one["cure"] or one["state"] == "ok"
        found.setdefault(one["subject"], []).append((one["state"], one["words"], one["cure"]))
    return found


@awaited
async def _connected_with_a_wrong_clock(home: Home, url: str) -> None:
    mod = Mod()
    mod.clock = -42.0
    async with mod.connected(url, home.tokens["survival"]):
        await mod.kill("ann", "bob")

        def skew() -> bool:
            rows = dict(home.rows("SELECT subject, detail FROM health"))
            return "survival" in rows and (json.loads(rows["survival"])["skew"] or 0) > 40

        eventually(skew, "the daemon has left word")
        found = findings(home, code=1, run=run_cli)
    assert found["mods"][0][0:2] == ("bad", "duels is not connected")
    assert "adr-bridge server add duels" in found["mods"][0][2]
    assert found["mods"][1] == ("ok", "survival is connected (test 1)", "")
    assert found["clocks"][0][0] == "warning"
    assert "the clock of survival is 42 s behind (its times are corrected)" in found["clocks"][0][1]
    assert found["daemon"][0][0] == "ok"
    assert found["database"][0][0] == "ok"
    assert found["game servers"][0][0:2] == ("bad", "survival does not answer")
    assert "enable-status" in found["game servers"][0][2]


def test_the_doctor_looks_at_daemon_mods_clocks_and_game_servers(home: Home) -> None:
    home.save(
        settings().replace("servers: []", "servers: [{name: survival, address: '127.0.0.1:1'}]")
    )
    home.add("duels")
    with home.serving() as daemon:
        _connected_with_a_wrong_clock(home, daemon.url)


def test_a_healthy_installation_is_told_so(home: Home) -> None:
    with home.serving():
        pass
    home.remove("survival")
    home.add("survival")
    done = call(home.folder, "doctor")
    assert (
        "WARNING  daemon: the daemon is not running\n          -> start it: adr-bridge serve"
        in done.stdout
    )
    assert "BAD" not in done.stdout
    assert done.returncode == 0


def test_a_mistake_in_the_settings_is_a_finding(home: Home) -> None:
    home.save("listen: {port: many}\n")
    found = findings(home, code=1)
    assert found["settings"][0][0] == "bad"
    assert "config.yml:1:16" in found["settings"][0][1]


def test_a_damaged_database_is_a_finding(home: Home) -> None:
    with closing(sqlite3.connect(home.database)) as connection:
        connection.execute("DROP TRIGGER events_are_never_changed")
    found = findings(home, code=1)
    assert found["database"][0][0] == "bad"
    assert "another program has changed" in found["database"][0][1]


def test_a_port_that_somebody_else_has_is_a_finding(home: Home) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        home.save(settings().replace("port: 0", f"port: {port}"))
        found = findings(home, code=1)
    assert found["port"][0][0] == "bad"
    assert "could not listen" in found["port"][0][1]


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_a_database_that_others_can_read_is_a_finding(home: Home) -> None:
    home.database.chmod(0o644)
    found = findings(home, code=0)
    assert any(state == "warning" and cure.startswith("chmod") for state, _, cure in found["files"])


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("since", "until", "state", "words"),
    [
        (-90, 60, "ok", "can be used, valid from "),
        (-76, 13.9, "warning", "expires soon, valid from "),
        (-4.5, 1.5, "warning", "expires soon, valid from "),
        (-2, 4, "ok", "can be used, valid from "),
        (-90, -1, "bad", "has expired, valid from "),
        (1, 90, "bad", "is not valid yet, valid from "),
        (-90, 365.25 * 60, "ok", "can be used, valid from "),
    ],
)
def test_how_long_a_certificate_is_valid_is_a_finding(
    home: Home, since: float, until: float, state: str, words: str
) -> None:
    now = datetime.now(UTC)
    with_certificate(home, since=now + since * DAY, until=now + until * DAY)
    ((found, said, cure),) = findings(home, code=1 if state == "bad" else 0)["certificate"]
    assert found == state
    assert f"chain.pem {words}{now + since * DAY:%Y-%m-%d} to {now + until * DAY:%Y-%m-%d}" in said
    assert bool(cure) is (state != "ok")


@awaited
async def test_a_renewed_certificate_that_the_daemon_does_not_show_yet_is_a_finding(
    home: Home,
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with_certificate(home, port=port)
    with home.serving():
        before = findings(home, code=1, run=run_cli)
        assert [state for state, *_ in before["certificate"]] == ["ok"]
        with_certificate(home, port=port)
        _, (state, words, cure) = findings(home, code=1, run=run_cli)["certificate"]
    assert state == "warning"
    assert "the daemon still shows the one that it was started with" in words
    assert cure.startswith("restart the daemon")


def test_a_key_with_a_pass_phrase_is_a_finding_and_nobody_is_asked_for_it(home: Home) -> None:
    with_certificate(home)
    key = serialization.load_pem_private_key((home.folder / "key.pem").read_bytes(), None)
    assert isinstance(key, EllipticCurvePrivateKey)
    locked = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )
    (home.folder / "key.pem").write_bytes(locked)
    ((state, words, _),) = findings(home, code=1)["certificate"]
    assert state == "bad" and "protected by a pass phrase" in words


def test_a_clock_that_was_set_back_is_a_finding(home: Home) -> None:
    with closing(sqlite3.connect(home.database)) as connection, connection:
        connection.execute("INSERT INTO lanes VALUES (1, '', 'daemon')")
        ahead = time.time() + 3_600
        connection.execute(
            "INSERT INTO events (position, lane, seq, kind, time, received) "
            "VALUES (1, 1, 1, 'rejected', ?, ?)",
            (ahead, ahead),
        )
    ((state, words, cure),) = findings(home, code=0)["clocks"]
    assert state == "warning" and "timedatectl" in cure
    assert "s behind what it was when the latest event came" in words


def test_a_dump_holds_what_helps_and_no_secret(home: Home) -> None:
    secret = "192.0.2.77"
    far = f"{{name: far, address: '{secret}'}}"
    near = "{name: survival, address: 'game.invalid:25565'}"
    config = settings().replace("servers: []", f"servers: [{near}, {far}]")
    home.save(config)
    log = home.folder / "daemon.log"
    log.write_text(
        f"2026 INFO {secret}:5000 knocked with {home.tokens['survival']}\n"
        "2026 INFO [2001:db8::7]:99 knocked; Authorization: Bearer abc.def\n"
        "rcon.password=hunter2\n"
        "2026 INFO survival connected from 127.0.0.1\n",
        encoding="utf-8",
    )
    done = call(home.folder, "dump", "help.zip", "--log", "daemon.log")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(home.folder / "help.zip") as bundle:
        files = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert set(files) == {
        "findings.json",
        "machine.json",
        "config.yml",
        "database.json",
        "log-1.txt",
    }
    everything = "".join(files.values())
    for hidden in (
        secret,
        "game.invalid",
        home.tokens["survival"],
        "2001:db8",
        "abc.def",
        "hunter2",
    ):
        assert hidden not in everything
    assert "survival connected from 127.0.0.1" in files["log-1.txt"]
    assert "sigma_place: 400" in files["config.yml"]
    assert json.loads(files["database.json"])["counts"]["players"] == 0
    if os.name == "posix":
        assert (home.folder / "help.zip").stat().st_mode & 0o077 == 0
    again = call(home.folder, "dump", "help.zip")
    assert again.returncode == 1
    assert "is there already" in again.stderr


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("token: adr_abcdefgh12345678", "token: <secret>"),
        ('password = "two words" # x', "password = <secret> # x"),
        ("address: play.example.org:25565", "address: <address>"),
        ("{name: a, address: '10.0.0.5:25565'}", "{name: a, address: <address>}"),
        ("host: 127.0.0.1", "host: 127.0.0.1"),
        ("host: 0.0.0.0", "host: 0.0.0.0"),
        ("from 203.0.113.9:4455 at 12:34:56", "from <address>:4455 at 12:34:56"),
        (
            "ws://bridge.lan:8787/ and ws://127.0.0.1:8787/",
            "ws://<address>/ and ws://127.0.0.1:8787/",
        ),
        ("fe80::1%eth0 and ::1 and 1.21.4", "<address> and ::1 and 1.21.4"),
        ("see MYHOST for it", "see <masked> for it"),
    ],
)
def test_secrets_and_addresses_are_masked_and_nothing_else(text: str, masked: str) -> None:
    assert Masking(["MYHOST"]).text(text) == masked


def test_masking_stays_quick_on_long_lines() -> None:
    begun = time.process_time()
    for text in (":" * 50_000, "1." * 50_000, "a:" * 50_000, "password=" * 10_000):
        Masking(["x.y.z"]).text(text)
    assert time.process_time() - begun < 5.0
