"""`adr-bridge follow`, as a process, between a growing log and a real daemon."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from plugin_bridge.gamelog.people import offline_id

from ..cli.calling import call
from ..daemon.conftest import home
from ..daemon.mod import Mod, awaited
from ..daemon.running import PATIENCE, Daemon, Home, eventually, settings
from .console import Console, console
from .test_tail import HEAD, Log

__all__ = ["home"]
PASSWORD = "hunter2-rcon"
PAIRS = (("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann"))


class Server(Log):
    """A game server, of which there is only the log."""

    def say(self, text: str) -> None:
        self.write(f"[{datetime.now():%H:%M:%S}] [Server thread/INFO]: {text}\n")


@pytest.fixture
def game(tmp_path: Path) -> Server:
    (tmp_path / "logs").mkdir()
    game = Server(tmp_path / "logs")
    game.write(HEAD.replace("10:00:00", f"{datetime.now():%H:%M:%S}"))
    for name in ("Ann", "Bob", "Cid"):
        game.say(f"{name} joined the game")
    return game


class Follower:
    def __init__(self, home: Home, url: str, console: Console | None = None, *more: str) -> None:
        self._log = home.folder / "follow.log"
        environment = os.environ | {"ADR_BRIDGE_TOKEN": home.tokens["survival"]}
        words = ["follow", "logs/latest.log", "--server", "survival", "--url", url, *more]
        if console:
            environment["ADR_BRIDGE_RCON_PASSWORD"] = console.password
            words += ["--rcon", f"127.0.0.1:{console.port}"]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "plugin_bridge", *words],
                cwd=home.folder,
                stdout=log,
                stderr=log,
                env=environment,
            )

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def following(
    home: Home, url: str, console: Console | None = None, *more: str
) -> Iterator[Follower]:
    follower = Follower(home, url, console, *more)
    try:
        seen = follower.log.count("connected to")
        eventually(lambda: follower.log.count("connected to") > seen, "it follows")
        yield follower
    finally:
        follower.process.send_signal(signal.SIGINT)
        assert follower.process.wait(PATIENCE) == 0, follower.log
    assert "Traceback" not in follower.log, follower.log


def kills(home: Home) -> int:
    return int(home.rows("SELECT count(*) FROM events WHERE kind = 'kill'")[0][0])


def test_kills_in_the_log_are_rated_and_told_once(home: Home, game: Server) -> None:
    game.say("Ann was slain by Bob")  # before anybody followed
    before = time.time()
    with home.serving() as daemon, following(home, daemon.url) as follower:
        game.say("Ann was slain by Bob")
        game.say("<Bob> Cid was slain by Bob")
        game.say("Cid hit the ground too hard while trying to escape Ann")
        game.say("Bob was slain by Zombie")
        eventually(
            lambda: home.rows("SELECT 1 FROM events WHERE cause = 'attack' AND kind = 'death'"),
            "all came",
        )
        assert "Labels cannot be shown; nobody can be answered without RCON" in follower.log
        assert home.tokens["survival"] not in follower.log
    rows = home.rows(
        "SELECT killer, victim, cause, time FROM events WHERE kind = 'kill' ORDER BY seq"
    )
    assert [row[:3] for row in rows] == [
        (offline_id("Bob"), offline_id("Ann"), "attack"),
        (offline_id("Ann"), offline_id("Cid"), "fall"),
    ]
    assert all(before - 1.5 <= row[3] <= time.time() for row in rows)
    assert set(home.ratings()) == {offline_id(name) for name in ("Ann", "Bob", "Cid")}


def test_nothing_is_lost_or_doubled_whatever_dies_or_is_rotated(home: Home, game: Server) -> None:
    home.save(settings())
    written = 0

    def fight(count: int) -> None:
        nonlocal written
        for _ in range(count):
            victim, killer = PAIRS[written % 3]
            game.say(f"{victim} was slain by {killer}")
            written += 1

    def stored() -> bool:
        return kills(home) == written

    daemon = Daemon(home)
    daemon.wait_until_ready()
    port = int(daemon.url.rsplit(":", 1)[1].strip("/"))
    home.save(settings().replace("port: 0", f"port: {port}"))
    follower = Follower(home, daemon.url)
    try:
        eventually(lambda: "connected to" in follower.log, "it follows")
        fight(40)
        follower.kill()  # at any moment
        fight(30)
        game.rotate()
        game.write(HEAD.replace("10:00:00", f"{datetime.now():%H:%M:%S}"))
        fight(20)
        follower = Follower(home, daemon.url)
        eventually(stored, "all were told")
        daemon.end(signal.SIGKILL)
        fight(25)
        time.sleep(0.6)  # read, and kept on disk, while nobody takes them
        game.rotate()
        game.write(HEAD.replace("10:00:00", f"{datetime.now():%H:%M:%S}"))
        fight(5)
        follower.kill()
        daemon = Daemon(home)
        daemon.wait_until_ready()
        follower = Follower(home, daemon.url)
        eventually(stored, "all were told again")
    finally:
        follower.kill()
        assert daemon.end() == 0
    numbers = home.rows(
        "SELECT seq FROM events JOIN lanes USING (lane) WHERE server <> '' ORDER BY seq"
    )
    assert numbers == [(number,) for number in range(1, written + 1)]
    assert "Traceback" not in follower.log


def test_a_damaged_spool_loses_what_cannot_be_read_and_doubles_nothing(
    home: Home, game: Server
) -> None:
    spool = home.folder / "data" / "follow-survival.sqlite3"
    with home.serving() as daemon:
        with following(home, daemon.url):
            game.say("Ann was slain by Bob")
            eventually(lambda: kills(home) == 1, "it came")
        with following(home, daemon.url):
            pass  # it was told by the welcome that the first is stored, if not by the ack
    follower = Follower(home, "ws://127.0.0.1:1")
    eventually(lambda: "no link" in follower.log, "it is alone")
    for victim, killer in (*PAIRS, ("Ann", "Bob")):
        game.say(f"{victim} was slain by {killer}")
    time.sleep(1.0)
    follower.kill()
    with closing(sqlite3.connect(spool)) as file, file:
        assert file.execute("SELECT seq FROM events").fetchall() == [(2,), (3,), (4,), (5,)]
        file.execute("UPDATE events SET packet = replace(packet, 'Bob', 'Rob') WHERE seq = 3")
    with home.serving() as daemon, following(home, daemon.url) as follower:
        eventually(lambda: kills(home) == 4, "all but one came")
        game.say("Cid was slain by Bob")
        eventually(lambda: kills(home) == 5, "it goes on")
        assert (
            "3 kills that the daemon may not have yet could be read, and are sent" in follower.log
        )
        assert "None is rated twice" in follower.log
    rows = home.rows("SELECT DISTINCT spool FROM lanes WHERE server = 'survival'")
    assert len(rows) == 1
    assert home.rows("SELECT seq FROM events WHERE kind = 'kill' ORDER BY position") == [
        (1,),
        (2,),
        (4,),
        (5,),
        (6,),
    ]


def test_rank_typed_as_chat_is_answered_through_the_console(home: Home, game: Server) -> None:
    with (
        home.serving() as daemon,
        console(PASSWORD) as rcon,
        following(home, daemon.url, rcon) as follower,
    ):
        game.say("Ann was slain by Bob")
        eventually(lambda: kills(home), "the kill is stored")
        game.say("<Bob> !rank")
        eventually(lambda: any("tellraw Bob" in c for c in rcon.commands), "it is answered")
        time.sleep(0.5)  # in several lines
        answer = [c for c in rcon.commands if c.startswith("tellraw Bob ")]
        texts = [json.loads(command.split(" ", 2)[2]) for command in answer]
        assert any("1" in json.dumps(text) for text in texts)
        assert any(c.startswith("tellraw @a ") for c in rcon.commands)  # the news of the placement
        count = len(rcon.commands)
        game.say("<Bob> !rankadmin reload")
        game.say("<@a> !rank")
        game.say("<Bob> rank")
        game.say("Cid was slain by Bob")
        eventually(lambda: kills(home) == 2, "the kill is stored")
        time.sleep(0.3)
        assert not [c for c in rcon.commands[count:] if not c.startswith("tellraw @a")]
        assert "!rank is answered" in follower.log
        assert PASSWORD not in follower.log


def test_a_question_that_nobody_can_answer_is_answered_with_that(home: Home, game: Server) -> None:
    with console(PASSWORD) as rcon:
        with home.serving() as daemon:
            follower = Follower(home, daemon.url, rcon)
            eventually(lambda: "connected to" in follower.log, "it follows")
        eventually(lambda: "the link was closed" in follower.log, "the daemon is gone")
        game.say("<Bob> !rank")
        said = "tellraw Bob "
        eventually(lambda: any(c.startswith(said) for c in rcon.commands), "it is answered")
        follower.kill()
        assert "cannot be asked" in rcon.commands[-1]


def test_whoever_is_overtaken_comes_back_slowly(home: Home, game: Server) -> None:
    del game
    with home.serving() as daemon, following(home, daemon.url) as follower:
        _overtake(home, daemon.url)
        eventually(lambda: "4001" in follower.log, "it was overtaken")
        time.sleep(1.5)
        assert follower.log.count("connected to") == 1


@awaited
async def _overtake(home: Home, url: str) -> None:
    async with Mod().connected(url, home.tokens["survival"]):
        pass


def test_a_console_that_is_away_or_refuses_costs_only_the_answers(home: Home, game: Server) -> None:
    with home.serving() as daemon, console("other") as rcon:
        wrong = Console(PASSWORD, rcon.port)
        with following(home, daemon.url, wrong) as follower:
            game.say("<Bob> !rank top")
            eventually(lambda: "does not accept the RCON password" in follower.log, "it is said")
            game.say("Ann was slain by Bob")
            eventually(lambda: kills(home), "the kill is stored")
            assert rcon.commands == []


def test_what_an_admin_forgot_is_said_before_anything_begins(home: Home, game: Server) -> None:
    del game
    words = ("follow", "logs/latest.log", "--server", "survival", "--url", "ws://127.0.0.1:1/")
    assert "ADR_BRIDGE_TOKEN" in call(home.folder, *words).stderr
    secret = home.folder / "token"
    secret.write_text(home.tokens["survival"], encoding="utf-8")
    secret.chmod(0o644)
    assert "every user can read" in call(home.folder, *words, "--token-file", "token").stderr
    secret.chmod(0o600)
    lacking = call(home.folder, *words, "--token-file", "token", "--rcon", "127.0.0.1:1")
    assert "ADR_BRIDGE_RCON_PASSWORD" in lacking.stderr


def test_the_token_of_another_server_is_noticed(home: Home, game: Server) -> None:
    del game
    home.add("duels")
    home.tokens["survival"] = home.tokens["duels"]
    with home.serving() as daemon:
        follower = Follower(home, daemon.url)
        assert follower.process.wait(PATIENCE) == 1
        assert "belongs to the server `duels`, not `survival`" in follower.log


def test_kills_that_the_daemon_has_are_not_told_again_when_the_state_is_lost(
    home: Home, game: Server
) -> None:
    game.say("Ann was slain by Bob")
    with home.serving() as daemon:
        with following(home, daemon.url, None, "--from-start"):
            game.say("Bob was slain by Cid")
            eventually(lambda: kills(home) == 2, "both are stored")
        (home.folder / "data" / "follow-survival.sqlite3").unlink()
        with following(home, daemon.url, None, "--from-start") as follower:
            game.say("Cid was slain by Ann")
            eventually(lambda: kills(home) >= 3, "the new one is stored")
            time.sleep(0.5)
            assert kills(home) == 3
            assert "2 kills and deaths, 2 of them told before" in follower.log


def test_killers_of_whom_nothing_tells_are_named_once(home: Home, game: Server) -> None:
    with home.serving() as daemon:
        with following(home, daemon.url) as follower:
            for killer in ("Zed", "Zed", "Zombie", "Cave Spider", "Ann"):
                game.say(f"Bob was slain by {killer}")
            eventually(lambda: kills(home), "the last one is stored")
            assert follower.log.count("Bob was killed by Zed, of whom nothing tells") == 1
            assert "Zombie" not in follower.log and "Spider" not in follower.log
        assert home.rows("SELECT kind FROM events WHERE kind IN ('kill', 'death')") == [
            ("death",),
            ("death",),
            ("kill",),
        ]
        with following(home, daemon.url, None, "--player", "Zed"):
            game.say("Bob was slain by Zed")
            eventually(lambda: kills(home) == 2, "it is stored")


def test_a_log_of_which_no_line_is_understood_is_pointed_out(home: Home, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    Log(tmp_path / "logs").write("[11/01/2026 10:00:00] Ann was slain by Bob\n")
    with home.serving() as daemon, following(home, daemon.url) as follower:
        assert "none of its first lines begins with a time" in follower.log


def test_what_cannot_be_followed_is_said_at_once_or_waited_for(home: Home) -> None:
    words = ("--server", "survival", "--url", "ws://127.0.0.1:1/")
    (home.folder / "logs").mkdir()
    assert "is a folder; name the log in it" in call(home.folder, "follow", "logs", *words).stderr
    missing = call(home.folder, "follow", "logs/latest.log", *words).stderr
    assert "there is no such file" in missing and "--wait" in missing
    with home.serving() as daemon, following(home, daemon.url, None, "--wait"):
        game = Server(home.folder / "logs")
        for text in ("Ann joined the game", "Bob joined the game", "Ann was slain by Bob"):
            game.say(text)
        eventually(lambda: kills(home), "it is stored")
