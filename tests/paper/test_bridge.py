"""The plugin's bridge in a real JVM against the real daemon over a real socket."""

import random
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Daemon, Process, Wire, tool, until

Bridge = Callable[..., Process]


def kills(first: int, count: int) -> list[str]:
    """Lines for the bridge; every kill has a weapon of its own, by which it is known again."""
    dice = random.Random(first)
    lines = []
    for number in range(first, first + count):
        killer, victim = dice.sample(range(200), 2)
        lines.append(f"kill p{killer} p{victim} w{number}")
    return lines


def weapons(first: int, count: int) -> set[str]:
    return {f"w{number}" for number in range(first, first + count)}


def seen(daemon: Daemon) -> list[str]:
    """As far as the database can be read at the moment."""
    try:
        return daemon.weapons()
    except sqlite3.OperationalError:
        return []


def test_each_of_10000_kills_is_rated_once_whatever_dies_meanwhile(
    daemon: Daemon, wire: Wire, bridge: Bridge
) -> None:
    token = daemon.token("alpha")
    daemon.start()
    url = f"ws://127.0.0.1:{wire.port}/"
    mod = bridge(url, token)
    promised: set[str] = set()
    sent = 0
    for batch in range(40):
        mod.tell(*kills(sent, 250), f"kept b{batch}")
        if batch in (9, 23):
            # What was not confirmed yet may be lost with the server, but never counted twice.
            mod.kill()
            mod = bridge(url, token)
        else:
            mod.wait_for(f"kept b{batch}")
            promised |= weapons(sent, 250)
        sent += 250
        if batch in (13, 30):
            daemon.kill()
        elif batch in (15, 32):
            daemon.start()
        elif daemon.process is not None and batch % 4 == 2:
            wire.cut()
    more = 10_000 - len(promised)
    mod.tell(*kills(sent, more), "kept last")
    mod.wait_for("kept last")
    promised |= weapons(sent, more)

    until(lambda: promised <= set(seen(daemon)), patience=60)
    counted = Counter(daemon.weapons())
    assert set(counted.values()) == {1}
    assert set(counted) <= weapons(0, sent + more)
    assert wire.cuts >= 8
    mod.end_of_input()
    assert not mod.heard("SEVERE")


def test_a_wrong_token_gives_one_clear_line_and_slow_retries(
    daemon: Daemon, bridge: Bridge
) -> None:
    daemon.token("alpha")
    log = daemon.start()
    mod = bridge(f"ws://127.0.0.1:{daemon.port}/", "adr_nonsense")
    line = mod.wait_for("does not accept the token")
    assert "adr-bridge server add" in line
    time.sleep(4)
    assert mod.heard("WARNING") == 1
    assert not mod.heard("adr_nonsense")
    assert not log.heard("adr_nonsense")


def test_a_revoked_and_renewed_token_loses_no_kill(daemon: Daemon, bridge: Bridge) -> None:
    old = daemon.token("alpha")
    daemon.start()
    mod = bridge(f"ws://127.0.0.1:{daemon.port}/", old)
    mod.wait_for("Connected")
    new = daemon.token("alpha")
    daemon.stop()
    daemon.start()
    mod.tell(*kills(0, 5), "kept x")
    mod.wait_for("kept x")
    mod.wait_for("token")
    mod.end_of_input()
    bridge(f"ws://127.0.0.1:{daemon.port}/", new)
    until(lambda: sorted(seen(daemon)) == sorted(weapons(0, 5)))


def test_the_last_label_survives_an_outage_and_a_restart(daemon: Daemon, bridge: Bridge) -> None:
    token = daemon.token("alpha")
    daemon.start()
    url = f"ws://127.0.0.1:{daemon.port}/"
    mod = bridge(url, token)
    mod.wait_for("Connected")
    mod.tell("join a", "join b", *(f"kill a b w{n}" for n in range(3)))
    until(lambda: mod.tell("label a") or mod.heard("label 1"))
    mod.tell("ask a rank")
    mod.wait_for("answer ")
    daemon.stop()
    mod.wait_for("stopped; it is tried again")
    mod.tell("ask a rank")
    polite = mod.wait_for("Ranks cannot be looked up right now")
    assert "Last known: " in polite
    assert "Name-a, rating 1" in polite
    mod.end_of_input()
    mod = bridge(url, token)
    mod.tell("label a", "ask - rank top")
    assert mod.wait_for("label ") != "label none"
    mod.wait_for("Ranks cannot be looked up right now")
    assert "Last known" not in mod.lines[-1]


def test_five_reloads_leave_one_connection_and_one_set_of_threads(
    daemon: Daemon, bridge: Bridge
) -> None:
    token = daemon.token("alpha")
    log = daemon.start()
    mod = bridge(f"ws://127.0.0.1:{daemon.port}/", token)
    for round_ in range(5):
        mod.wait_for("Connected", times=round_ + 1)
        mod.tell("reload")
    mod.wait_for("Connected", times=6)
    mod.tell("kill a b once", "threads")
    assert mod.wait_for("threads ", patience=40).startswith("threads 2 ")
    until(lambda: seen(daemon) == ["once"])
    until(lambda: log.heard(" disconnected") == 5)
    assert log.heard(" connected") == 6
    mod.end_of_input()
    assert mod.heard("stopped")


def test_a_wire_gone_silent_is_noticed(daemon: Daemon, wire: Wire, bridge: Bridge) -> None:
    token = daemon.token("alpha")
    daemon.start()
    mod = bridge(f"ws://127.0.0.1:{wire.port}/", token)
    mod.wait_for("Connected")
    wire.silent = True
    mod.tell("kill a b quiet")
    mod.wait_for("Nothing was heard of the daemon")
    wire.silent = False
    mod.wait_for("Connected", times=2)
    until(lambda: seen(daemon) == ["quiet"])


def kept(mod: Process, first: int, count: int) -> None:
    """Reports kills and waits until they are safe on disk."""
    mod.tell(*kills(first, count), f"kept k{first}")
    mod.wait_for(f"kept k{first}")


def test_a_full_spool_gives_up_the_oldest_kills_and_delivers_the_rest(
    daemon: Daemon, bridge: Bridge
) -> None:
    token = daemon.token("alpha")
    mod = bridge(f"ws://127.0.0.1:{daemon.port}/", token, spool=200_000)
    kept(mod, 0, 2000)
    assert mod.heard("The spool is full")
    daemon.start()
    until(lambda: "w1999" in seen(daemon))
    counted = Counter(daemon.weapons())
    assert set(counted.values()) == {1}
    assert set(counted) == weapons(2000 - len(counted), len(counted))
    assert 500 < len(counted) < 1500


def test_a_damaged_line_costs_its_own_kill_only(
    daemon: Daemon, bridge: Bridge, tmp_path: Path
) -> None:
    token = daemon.token("alpha")
    url = f"ws://127.0.0.1:{daemon.port}/"
    mod = bridge(url, token)
    kept(mod, 0, 10)
    mod.kill()
    spool = tmp_path / "plugins" / "AdrBridge" / "spool.log"
    spool.write_bytes(spool.read_bytes().replace(b'"w4"', b'"!!"').replace(b'"w9"', b'"!!"'))
    daemon.start()
    mod = bridge(url, token)
    mod.wait_for("damaged line(s)")
    kept(mod, 10, 5)
    rest = weapons(0, 15) - {"w4", "w9"}
    until(lambda: set(seen(daemon)) == rest)
    assert len(daemon.weapons()) == len(rest)


@pytest.mark.parametrize("byte", [2, 8, 12, 22, 30])
def test_a_damaged_head_of_the_spool_loses_and_repeats_nothing(
    daemon: Daemon, bridge: Bridge, tmp_path: Path, byte: int
) -> None:
    token = daemon.token("alpha")
    log = daemon.start()
    url = f"ws://127.0.0.1:{daemon.port}/"
    mod = bridge(url, token)
    kept(mod, 0, 5)
    until(lambda: len(seen(daemon)) == 5)
    mod.kill()
    log.wait_for("disconnected")
    spool = tmp_path / "plugins" / "AdrBridge" / "spool.log"
    whole = bytearray(spool.read_bytes())
    whole[byte] ^= 1
    spool.write_bytes(whole)
    mod = bridge(url, token)
    kept(mod, 5, 3)
    until(lambda: weapons(5, 3) <= set(seen(daemon)))
    assert sorted(daemon.weapons()) == sorted(weapons(0, 8))


@pytest.mark.parametrize("more", [3, 8])
def test_a_spool_restored_from_a_backup_loses_and_repeats_nothing(
    daemon: Daemon, bridge: Bridge, tmp_path: Path, more: int
) -> None:
    token = daemon.token("alpha")
    log = daemon.start()
    url = f"ws://127.0.0.1:{daemon.port}/"
    mod = bridge(url, token)
    kept(mod, 0, 5)
    spool = tmp_path / "plugins" / "AdrBridge" / "spool.log"
    backup = spool.read_bytes()
    kept(mod, 5, 5)
    until(lambda: len(seen(daemon)) == 10)
    mod.kill()
    log.wait_for("disconnected")
    spool.write_bytes(backup)
    daemon.stop()
    mod = bridge(url, token)
    kept(mod, 10, more)
    daemon.start()
    mod.wait_for("older copy")
    until(lambda: set(seen(daemon)) == weapons(0, 10 + more))
    assert len(daemon.weapons()) == 10 + more


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate authority of one's own and a certificate for localhost, made on the spot."""
    folder = tmp_path_factory.mktemp("tls")
    openssl = tool("openssl")

    def run(*arguments: str) -> None:
        subprocess.run([openssl, *arguments], cwd=folder, check=True, capture_output=True)

    run(
        *("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Own CA"),
        *("-keyout", "ca.key", "-out", "ca.pem", "-addext", "keyUsage=critical,keyCertSign"),
    )
    run(
        *("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"),
        *("-keyout", "key.pem", "-out", "request.pem"),
    )
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n", encoding="utf-8")
    run(
        *("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key"),
        *("-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "certificate.pem"),
    )
    return folder


def test_tls_is_trusted_with_the_given_authority_only(
    daemon: Daemon, bridge: Bridge, certificates: Path
) -> None:
    files = f"certificate: {certificates}/certificate.pem, key: {certificates}/key.pem"
    daemon.configure("127.0.0.1", f"  tls: {{{files}}}\n")
    token = daemon.token("alpha")
    daemon.start()
    url = f"wss://localhost:{daemon.port}/"
    stranger = bridge(url, token)
    stranger.tell("kill a b secret", "kept x")
    stranger.wait_for("cannot be reached (")
    assert not stranger.heard("Connected")
    stranger.end_of_input()
    mod = bridge(url, token, certificates / "ca.pem")
    mod.wait_for("Connected")
    until(lambda: seen(daemon) == ["secret"])


def test_a_certificate_file_that_is_none_is_named(daemon: Daemon, bridge: Bridge) -> None:
    wrong = daemon.folder / "config.yml"
    mod = bridge(f"wss://localhost:{daemon.port}/", "adr_x", wrong)
    assert str(wrong) in mod.wait_for("cannot be used")
