"""The real daemon as a process, in a folder of its own, and the sockets to it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from plugin_bridge.store import Store

PATIENCE = 120.0
SETTINGS = """
listen: {port: 0}
storage: {database: adr.sqlite3}
servers: []
calibration: {interval: 7d}
rating: {preset: consistent, parameters: {t_cooldown: 0}}
"""
"""No cooldown, so that every kill is a rated one."""


@dataclass(frozen=True, slots=True)
class Serving:
    """A daemon that takes connections. ready_after: seconds from its start until it did."""

    url: str
    tokens: dict[str, str]
    pid: int
    ready_after: float
    database: Path

    @property
    def resident(self) -> int:
        """Bytes of memory that it holds now."""
        pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def serving(home: Path, servers: list[str]) -> Iterator[Serving]:
    """Runs a daemon in this folder, with tokens for these servers; its log is beside it."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.yml").write_text(SETTINGS, encoding="utf-8")
    database = home / "adr.sqlite3"
    tokens = asyncio.run(_registered(database, servers))
    screen = home / "screen.txt"
    with screen.open("wb") as out, (home / "daemon.log").open("ab") as log:
        command = [sys.executable, "-m", "plugin_bridge", "serve", "--config", "config.yml"]
        began = time.monotonic()
        process = subprocess.Popen(command, cwd=home, stdout=out, stderr=log)
    try:
        port = _port(process, screen)
        took = time.monotonic() - began
        yield Serving(f"ws://127.0.0.1:{port}/", tokens, process.pid, took, database)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def _registered(database: Path, servers: list[str]) -> dict[str, str]:
    store = await Store.open(database)
    try:
        return {name: await store.registry.add(name, now=time.time()) for name in servers}
    finally:
        await store.close()


def _port(process: subprocess.Popen[bytes], screen: Path) -> int:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        found = re.search(r"port (\d+)(?s:.)*(?:servers|Ctrl)", screen.read_text(encoding="utf-8"))
        if found:
            return int(found[1])
        time.sleep(0.01)
    raise RuntimeError(f"the daemon did not start; see {screen.parent / 'daemon.log'}")


@asynccontextmanager
async def mod(
    where: Serving, server: str, online: list[str] | None = None
) -> AsyncIterator[ClientConnection]:
    """A connection that has been welcomed."""
    headers = {"Authorization": f"Bearer {where.tokens[server]}"}
    async with connect(
        where.url, additional_headers=headers, compression=None, proxy=None, max_size=1 << 20
    ) as socket:
        hello = {
            "type": "hello",
            "protocol": 1,
            "platform": "bench",
            "mod_version": "1",
            "spool": f"spool-{time.time_ns()}",
            "first": 1,
            "time": time.time(),
            "online": [{"id": player, "name": player.upper()} for player in online or ()],
        }
        await socket.send(json.dumps(hello))
        while not any(packet["type"] == "welcome" for packet in packets(await socket.recv())):
            pass
        yield socket


def packets(frame: str | bytes) -> list[dict[str, object]]:
    decoded = json.loads(frame)
    return decoded if isinstance(decoded, list) else [decoded]


def kill_packet(seq: int, killer: str, victim: str, time: float) -> dict[str, object]:
    return {
        "type": "kill",
        "seq": seq,
        "time": time,
        "killer": {"id": killer, "name": killer.upper()},
        "victim": {"id": victim, "name": victim.upper()},
        "cause": "attack",
        "weapon": "diamond_sword",
        "world": "arena",
    }
