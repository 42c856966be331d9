"""Daemon and game servers are killed again and again while kills keep coming."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ..daemon.running import Daemon, Home, eventually, settings
from .game_server import kill
from .soundness import assert_sound, stored

PROGRAM = str(Path(__file__).with_name("game_server.py"))


class GameServer:
    """The process, and what it has left in its folder."""

    def __init__(self, home: Home, name: str) -> None:
        self.name = name
        self.seed = f"{name}/"
        self._token = home.tokens[name]
        self._folder = home.folder / name
        self._folder.mkdir()
        self._write("acked", "")
        self.allow(0)
        self._process: subprocess.Popen[bytes] | None = None

    def _write(self, name: str, text: str) -> None:
        """At once, for it is read at any moment."""
        fresh = self._folder / f"{name}.new"
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self._folder / name)

    def allow(self, quota: int) -> None:
        """That many kills may have happened by now."""
        self.quota = quota
        self._write("quota", str(quota))

    def point_to(self, daemon: Daemon) -> None:
        self._write("link.json", json.dumps({"url": daemon.url, "token": self._token}))

    def start(self) -> None:
        with (self._folder / "errors").open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, PROGRAM, str(self._folder), self.seed], stderr=errors
            )

    def kill(self) -> None:
        assert self._process is not None
        assert self._process.poll() is None, (self._folder / "errors").read_text()
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Whatever it is doing."""
        if self._process and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def finish(self) -> None:
        """Lets it end when all is acknowledged; it must end well."""
        assert self._process is not None
        self._write("end", "")
        self._process.wait(60)
        assert self._process.returncode == 0, (self._folder / "errors").read_text()

    @property
    def acked(self) -> int:
        lines = (self._folder / "acked").read_bytes().splitlines(keepends=True)
        return max((int(line) for line in lines if line.endswith(b"\n")), default=0)

    @property
    def recorded(self) -> list[tuple[str, str]]:
        """Every kill in the spool, in the order of their numbers."""
        events = map(json.loads, (self._folder / "spool").read_text().splitlines())
        kills = [(event["killer"]["id"], event["victim"]["id"]) for event in events]
        assert kills == [kill(self.seed, seq) for seq in range(1, len(kills) + 1)]
        return kills


def test_whatever_is_killed_and_whenever_each_recorded_kill_is_rated_once_and_in_order(
    home: Home, long: bool, seed: int, measured: Callable[[str], None]
) -> None:
    lives, kills, names = (32, 20_000, "abcd") if long else (9, 4_000, "ab")
    chance = random.Random(seed)
    home.save(settings("calibration: {interval: 10s}"))
    home.add(*names)
    servers = [GameServer(home, name) for name in names]
    began = time.monotonic()
    moments: list[str] = []
    daemon = None
    try:
        for server in servers:
            server.start()
        for life in range(1, lives + 1):
            daemon = Daemon(home)
            daemon.wait_until_ready()
            for server in servers:
                server.point_to(daemon)
                server.allow(kills * life // lives // len(servers))
            if life == lives:
                break
            _live_for_a_while(chance, servers)
            daemon.process.kill()
            daemon.process.wait()
            there = stored(home)
            for server in servers:
                assert there.get(server.name, 0) >= server.acked
            total = sum(there.get(server.name, 0) for server in servers)
            moments.append(str(sum(server.quota for server in servers) - total))
        for server in servers:
            server.finish()
        assert daemon is not None
        assert daemon.end() == 0
    finally:
        print(f"kills that were not yet stored when the daemon was killed: {', '.join(moments)}")
        for server in servers:
            server.stop()
        if daemon:
            daemon.process.kill()
            daemon.process.wait()
    assert "Traceback" not in daemon.log
    recorded = {server.name: server.recorded for server in servers}
    assert sum(map(len, recorded.values())) == kills
    asyncio.run(assert_sound(home, recorded))
    busy = sum(moment != "0" for moment in moments)
    assert busy >= lives // 2
    measured(
        f"crash: {kills} kills of {len(servers)} game servers, {lives - 1} daemons and as many "
        f"game servers killed, in {time.monotonic() - began:.0f} s; "
        f"{busy} daemons died in the middle of work"
    )


def _live_for_a_while(chance: random.Random, servers: list[GameServer]) -> None:
    """Until a random part of the work is done; a game server dies some time before that."""
    doomed, other = chance.sample(servers, 2)
    if chance.random() < 0.5:
        time.sleep(chance.uniform(0, 0.3))
    doomed.kill()
    doomed.start()
    done = other.acked
    upto = done + chance.randrange(max(1, other.quota - done))
    eventually(lambda: other.acked >= upto, f"{upto} are acknowledged")
    time.sleep(chance.uniform(0, 0.02))
