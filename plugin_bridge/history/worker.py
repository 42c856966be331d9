"""The process that works out another past: begun, listened to, and ended."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import msgspec

from plugin_bridge.errors import StoreUnavailable
from plugin_bridge.history.redo import Redone
from plugin_bridge.history.verify import Progress


class Worker:
    """One process at a time, for a database."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._child: Process | None = None
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Gives up what is being worked out, and works out nothing more."""
        self._stopping.set()
        if self._child and self._child.returncode is None:
            self._child.kill()

    async def recompute(self, progress: Progress) -> Redone | None:
        """None when it was told to stop. Raises StoreUnavailable when it did not succeed."""
        if self._stopping.is_set():
            return None
        command = ("-m", "plugin_bridge.history", str(self._database.absolute()))
        self._child = child = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=PIPE, stderr=PIPE
        )
        assert child.stdout is not None and child.stderr is not None
        said = asyncio.create_task(child.stderr.read())
        last = b""
        async for line in child.stdout:
            last = line
            if not line.startswith(b"{"):
                progress(*map(int, line.split()))
        code, words = await child.wait(), (await said).decode(errors="replace").strip()
        self._child = None
        if self._stopping.is_set():
            return None
        if code:
            raise StoreUnavailable(f"the past could not be rated again (exit code {code}): {words}")
        return msgspec.json.decode(last, type=Redone)
