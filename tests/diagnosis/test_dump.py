"""`adr-bridge dump`: what helps others to help, and nothing that harms."""

from __future__ import annotations

import gzip
import json
import os
import time
import zipfile
from pathlib import Path

import pytest

from plugin_bridge.diagnosis.excerpts import MOST_BYTES, end_of_log
from plugin_bridge.diagnosis.masking import Masking

from ..cli.calling import call
from ..daemon.conftest import home
from ..daemon.running import Home, settings

__all__ = ["home"]

LEAKS = """
[10:00:00] [Server thread/INFO]: Ann issued server command: /login NEEDLE
[10:00:00] [Server thread/INFO]: Ann issued server command: /register NEEDLE NEEDLE
[10:00:00] [Server thread/INFO]: Ann issued server command: /changepassword old-NEEDLE new-NEEDLE
[10:00:00] [Server thread/INFO]: Ann issued server command: /authme:l NEEDLE
[10:00:00] [Server thread/INFO]: Ann issued server command: /msg Bob it is NEEDLE, really
[10:00:00 INFO]: [connected player] Ann executed command: login NEEDLE
[10:00:00] [Async Chat Thread - #0/INFO]: <Ann> login NEEDLE
[10:00:00] [Async Chat Thread - #0/INFO]: <Ann> call me at NEEDLE
[10:00:00] [Async Chat Thread - #0/INFO]: [VIP] Ann: .login NEEDLE
[10:00:00 INFO]: [Not Secure] [Ann] NEEDLE
[10:00:00 INFO]: Ann » NEEDLE
[10:00:00 INFO]: [Ann -> Bob] NEEDLE
[10:00:00 INFO]: Ann whispers to Bob: NEEDLE
[10:00:00 INFO]: Ann tried to log in with password NEEDLE
discord.com/api/webhooks/123456789012345678/NEEDLE
"GET /hook/NEEDLE?x=1 HTTP/1.1" 200
java -Dpw=NEEDLE -jar paper.jar
<password>NEEDLE</password>
using credentials root/NEEDLE
session id: NEEDLE
with token 4NEEDLE
java.net.UnknownHostException: NEEDLE: Name or service not known
\\\\NEEDLE\\share\\world
jdbc:mysql://root:NEEDLE@db.NEEDLE.test:3306/NEEDLE?password=NEEDLE
redis://:NEEDLE@127.0.0.1:6379/0
connecting to root:NEEDLE@127.0.0.1
https://discord.com/api/webhooks/123456789012345678/NEEDLE-abc_def
http://127.0.0.1:8080/hook/NEEDLE
Authorization: Basic NEEDLE
authorization: Bearer NEEDLE, more NEEDLE
> proxy-authorization: Digest username="a", response="NEEDLE"
Cookie: a=NEEDLE; b=NEEDLE
started with --rcon-password NEEDLE --port 5
started with --token=NEEDLE NEEDLE
mysql -uroot -pNEEDLE
pwd: NEEDLE
pass: NEEDLE NEEDLE
Passwort: NEEDLE mit Leerzeichen NEEDLE
secretkey: NEEDLE
api_key = NEEDLE, NEEDLE # NEEDLE
rcon.password=NEEDLE with spaces NEEDLE
{"level": "info", "db_password":"NEEDLE","user":"NEEDLE"}
the password is NEEDLE
The token of survival is: NEEDLE
Your PIN: NEEDLE
password:
  NEEDLE
mail of ann.NEEDLE@example.org, and NEEDLE@localhost
connection from dsl-84-112.NEEDLE.example.at
/home/NEEDLE/server and C:\\Users\\NEEDLE\\server
密码：NEEDLE
密码: NEEDLE
-----BEGIN PRIVATE KEY-----
NEEDLE
-----END PRIVATE KEY-----
eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9NEEDLE
pass\x1b[31mword: NEEDLE
pa\u200bssword: NEEDLE
"""
NEEDLE = "hunTer2zz"
HELPFUL = """\
[10:00:00] [Server thread/INFO]: Ann was slain by Bob
[10:00:00] [User Authenticator #1/INFO]: UUID of player Ann is 00000000-0000-4000-8000-000000000001
java.lang.IllegalStateException: oops
\tat me.somebody.plugin.Thing.run(Thing.java:12) ~[thing-1.2.3-SNAPSHOT.jar:git-Paper-1]
[10:00:00] [Server thread/INFO]: This server is running Paper version 1.21.4-R0.1-SNAPSHOT
2026-11-30 10:00:00,000 ERROR   the daemon does not accept the token (HTTP 401)
2026-11-30 10:00:00,000 INFO    survival connected from 127.0.0.1
"""


def dumped(home: Home, *logs: str) -> dict[str, str]:
    """The files of a new dump with these logs in it."""
    target = home.folder / "help.zip"
    target.unlink(missing_ok=True)
    done = call(home.folder, "dump", "help.zip", *(f"--log={log}" for log in logs))
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(target) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gzip"])
def test_no_secret_in_a_log_survives_and_what_helps_does(home: Home, encoding: str) -> None:
    text = LEAKS.replace("NEEDLE", NEEDLE) + HELPFUL
    packed = encoding == "gzip"
    data = gzip.compress(text.encode()) if packed else text.encode(encoding)
    (home.folder / "server.log").write_bytes(data)
    files = dumped(home, "server.log")
    left = [line for line in files["log-1.txt"].split("\n") if NEEDLE in line]
    assert left == []
    assert not [name for name, content in files.items() if NEEDLE in content]
    assert files["log-1.txt"].endswith(HELPFUL)
    assert "Ann issued server command: /login <secret>" in files["log-1.txt"]


def test_a_broken_config_hides_its_hosts_all_the_same(home: Home) -> None:
    config = (
        "servers: [{name: survival, address: 'bridgehost:25565'}]\n"
        "# was: old.example.org\nlisten: {port: many, host: inner.invalid}\n"
    )
    home.save(config)
    (home.folder / "daemon.log").write_text("dialled bridgehost and inner.invalid\n", "utf-8")
    files = dumped(home, "daemon.log")
    for hidden in ("bridgehost", "inner.invalid", "old.example.org"):
        assert not [name for name, content in files.items() if hidden in content]
    assert "config.yml" in json.loads(files["findings.json"])[1]["words"]


@pytest.mark.parametrize(
    "data",
    [
        "password: hunTer2zz\n".encode("utf-16-le"),
        "password: hunTer2zz\n".encode("utf-32"),
        b"\xff\x00\x81 password",
        "pässword: hunTer2zz".encode("latin-1"),
        gzip.compress(b"password: hunTer2zz\n" * 999, mtime=0)[:40],
        b"PK\x03\x04\x00\x00",
    ],
)
def test_a_log_that_is_no_text_is_left_out(home: Home, data: bytes) -> None:
    (home.folder / "server.log").write_bytes(data)
    done = call(home.folder, "dump", "help.zip", "--log", "server.log")
    assert done.returncode == 1
    assert "save it as UTF-8" in done.stderr or "damaged" in done.stderr
    assert not (home.folder / "help.zip").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gzip"])
def test_of_a_long_log_the_last_whole_lines_are_taken(tmp_path: Path, encoding: str) -> None:
    text = "".join(f"line äöü {number}\n" for number in range(200_000))
    path = tmp_path / "long.log"
    packed = encoding == "gzip"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode(encoding))
    end = end_of_log(path)
    assert text.endswith("\n" + end)
    plain = "utf-16-le" if encoding == "utf-16" else "utf-8"
    assert MOST_BYTES - 100 < len(end.encode(plain)) <= MOST_BYTES


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
        ('password = "two words" # x', "password = <secret>"),
        ("address: play.example.org:25565", "address: <address>"),
        ("{name: a, address: '10.0.0.5:25565'}", "{name: a, address: <address>}"),
        ("host: 127.0.0.1", "host: 127.0.0.1"),
        ("host: 0.0.0.0", "host: 0.0.0.0"),
        ("from 203.0.113.9:4455 at 12:34:56", "from <address>:4455 at 12:34:56"),
        (
            "ws://bridge.lan:8787/ and ws://127.0.0.1:8787/",
            "ws://<address> and ws://127.0.0.1:8787/",
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
