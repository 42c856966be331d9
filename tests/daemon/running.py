"""The real daemon, as a process of its own, in a folder of its own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plugin_bridge.history.verify import verify
from plugin_bridge.store import Store

PATIENCE = 20.0
"""Seconds that anything may take on a busy machine."""
COMMAND = ("-m", "plugin_bridge")
HASTY = (
    "-c",
    """
import sys
from plugin_bridge import daemon
from plugin_bridge.cli import main
from plugin_bridge.store import database

database.BUSY_SECONDS = daemon.REPORT_SECONDS = 0.3
sys.exit(main())
""",
)
"""The same command, but a held database is given up on, and revoked tokens seen, in a moment."""

TIERS = """
tiers:
  - {name: High, label: "&6[High]"}
  - {name: Middle, label: "&b[Middle]"}
  - {name: Low, label: "&7[Low]"}
"""
LIVELY = "rating: {parameters: {n_min: 1, sigma_place: 400, spread: 10, h_req: 1, t_cooldown: 0}}\n"
"""Rules under which the first kill places both players, and the next one may move them."""


def settings(*sections: str, tiers: str = TIERS, rating: str = LIVELY) -> str:
    """A config.yml for a test: any free port, and `sections` beside what is lively."""
    common = "listen: {port: 0}\nstorage: {database: adr.sqlite3}\nservers: []\n"
    return "\n".join((common, tiers, rating, *sections))


def eventually(happened: Callable[[], Any], what: str) -> Any:
    """Waits until something is so, and returns it."""
    until = time.monotonic() + PATIENCE
    while not (result := happened()):
        assert time.monotonic() < until, f"never happened: {what}"
        time.sleep(0.02)
    return result


@dataclass
class Home:
    """Where a daemon lives: its config.yml, its database, and the tokens of its servers."""

    folder: Path
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        return self.folder / "adr.sqlite3"

    def save(self, text: str) -> None:
        """Saves config.yml as editors do it."""
        fresh = self.folder / "config.yml.tmp"
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self.folder / "config.yml")

    def add(self, *servers: str) -> None:
        """Makes a token for each, a fresh one for those that had one."""

        async def register() -> None:
            store = await Store.open(self.database)
            try:
                for server in servers:
                    self.tokens[server] = await store.registry.add(server, now=time.time())
            finally:
                await store.close()

        asyncio.run(register())

    def remove(self, server: str) -> None:
        run_cli(self.folder, "server", "remove", server)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database says, read beside the daemon."""
        with closing(sqlite3.connect(self.database, timeout=PATIENCE)) as connection:
            return connection.execute(sql, values).fetchall()

    def ratings(self, ladder: str = "main") -> dict[str, float]:
        return dict(self.rows("SELECT player, mu FROM players WHERE ladder = ?", ladder))

    async def replays(self) -> None:
        """The log alone gives the very ratings that the daemon left; it must have ended."""
        store = await Store.read_only(self.database)
        try:
            found = await verify(store, lambda done, total: None)
        finally:
            await store.close()
        assert (found.count, found.rounding) == (0, 0.0), found.differences

    @contextmanager
    def serving(self, *program: str, code: int = 0, faults: bool = False) -> Iterator[Daemon]:
        """Runs the daemon for a while; it must end well and, but for `faults`, without a trace."""
        daemon = Daemon(self, *program)
        try:
            daemon.wait_until_ready()
            yield daemon
        finally:
            ended = daemon.end()
        assert ended == code, daemon.log
        assert faults or "Traceback" not in daemon.log, daemon.log


def run_cli(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "plugin_bridge", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


class Daemon:
    """A started process. `url` is known once it is ready. `program`: what stands for the command"""

    url = ""

    def __init__(self, home: Home, *program: str) -> None:
        self.home = home
        self._log = home.folder / "daemon.log"
        self._screen = home.folder / "screen.txt"
        self._began = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log, self._screen.open("wb") as screen:
            self.process = subprocess.Popen(
                [sys.executable, *(program or COMMAND), "serve", "--config", "config.yml"],
                cwd=home.folder,
                stdout=screen,
                stderr=log,
                env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            )

    @property
    def log(self) -> str:
        """What this process has logged so far."""
        return self._log.read_bytes()[self._began :].decode()

    def wait_until_ready(self) -> None:
        def port() -> str | None:
            assert self.process.poll() is None, self.log
            screen = self._screen.read_text(encoding="utf-8")
            found = re.search(r"listening +(\S+), port (\d+)(?s:.)*(?:servers|Ctrl\+C).*\n", screen)
            return found and f"ws://{found[1]}:{found[2]}/"

        self.url = eventually(port, "the daemon is ready")

    def logged(self, words: str) -> str:
        """Waits for a line with these words."""
        return eventually(
            lambda: next((line for line in self.log.splitlines() if words in line), None),
            f"the log says {words!r}:\n{self.log}",
        )

    def apply(self, text: str) -> None:
        """Saves other settings and waits until they are in force."""

        def times() -> int:
            return self.log.count("config.yml was read again and is in force")

        before = times()
        self.home.save(text)
        eventually(lambda: times() > before, f"the settings are in force:\n{self.log}")

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Asks the process to end, unless it has, and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the daemon did not end:\n{self.log}") from None
