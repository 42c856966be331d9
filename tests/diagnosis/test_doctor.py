"""`adr-bridge doctor` and `dump`, beside real daemons and without one."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

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


@pytest.mark.parametrize("kind", ["TRUSTED CERTIFICATE", "X509 CERTIFICATE"])
def test_a_certificate_under_another_name_that_works_is_none_the_worse(
    home: Home, kind: str
) -> None:
    with_certificate(home)
    chain = home.folder / "chain.pem"
    text = chain.read_text(encoding="ascii")
    chain.write_text(text.replace(" CERTIFICATE", f" {kind}"), encoding="ascii")
    ((state, words, _),) = findings(home, code=0)["certificate"]
    assert state == "ok" and "valid from" in words


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
