"""What an attack costs the others: memory, open files, and how long they wait."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ..daemon.mod import Mod
from ..daemon.running import PATIENCE, Daemon

LAUNCHER = str(Path(__file__).with_name("launcher.py"))


def in_a_hurry(**seconds: float) -> tuple[str, ...]:
    """How to start a daemon whose socket has less patience than usual."""
    constants = (f"set:plugin_bridge.server.pace:{name}:{value}" for name, value in seconds.items())
    return (LAUNCHER, *constants, "--")


def megabytes(daemon: Daemon) -> float:
    """Memory that the daemon holds now."""
    status = Path(f"/proc/{daemon.process.pid}/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def open_files(daemon: Daemon) -> int:
    return len(list(Path(f"/proc/{daemon.process.pid}/fd").iterdir()))


class Bystander:
    """An honest server that plays on; `longest`: the most seconds a kill waited for its ack."""

    def __init__(self, mod: Mod) -> None:
        self.mod = mod
        self.kills = 0
        self.longest = 0.0
        self.enough: float = math.inf

    async def play(self) -> None:
        while self.kills < self.enough:
            started = time.monotonic()
            await self.mod.kill(f"by{self.kills % 5}", f"stander{self.kills % 7}")
            self.longest = max(self.longest, time.monotonic() - started)
            self.kills += 1
            await asyncio.sleep(0.02)


@asynccontextmanager
async def bystander(daemon: Daemon, server: str = "bystander") -> AsyncIterator[Bystander]:
    """Plays for as long as the block lasts, and must not have been disturbed."""
    mod = Mod(f"spool-{server}")
    async with mod.connected(daemon.url, daemon.home.tokens[server]):
        other = Bystander(mod)
        playing = asyncio.create_task(other.play())
        try:
            yield other
            other.enough = other.kills + 5
            await asyncio.wait([playing], timeout=PATIENCE)
        finally:
            playing.cancel()
            await asyncio.wait([playing])
        assert not playing.cancelled(), "it waited in vain"
        playing.result()
