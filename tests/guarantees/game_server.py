"""A game server with a mod, as a process of its own that may be killed at any moment.

    game_server.py FOLDER SEED

In the folder:

link.json   `url` and `token` of the daemon, which may move; read before each attempt
quota       how many kills may have happened by now; a kill is only made when it is in the spool
spool.id    the spool's name
spool       every kill, a line of JSON each; kept whole, so that a test can compare
acked       a line with each number that the daemon said is stored

It ends when the file `end` is there and everything is acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PLAYERS = 40
Packet = dict[str, Any]


def kill(seed: str, seq: int) -> tuple[str, str]:
    """Who kills whom in an event of that number."""
    killer, victim = random.Random(f"{seed}/{seq}").sample(range(PLAYERS), 2)
    return f"p{killer}", f"p{victim}"


class GameServer:
    def __init__(self, folder: Path, seed: str) -> None:
        self._folder = folder
        self._seed = seed
        self._chance = random.Random(secrets.token_bytes(8))
        self._spool_id = self._name_spool()
        self._spool = os.open(folder / "spool", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._acks = os.open(folder / "acked", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._kept = self._recover()
        """All kills so far; number n is at n - 1."""
        self._stored = self._acknowledged()
        self._sent = 0
        self._window = 0
        self._stirred = asyncio.Event()

    def _name_spool(self) -> str:
        path = self._folder / "spool.id"
        if not path.exists():
            fresh = path.with_suffix(".new")
            fresh.write_text(secrets.token_urlsafe(12), encoding="ascii")
            fresh.rename(path)
        return path.read_text(encoding="ascii")

    def _recover(self) -> list[Packet]:
        """What the spool holds, without a last line that was cut off."""
        raw = (self._folder / "spool").read_bytes()
        whole = raw[: raw.rfind(b"\n") + 1]
        os.ftruncate(self._spool, len(whole))
        return [json.loads(line) for line in whole.splitlines()]

    def _acknowledged(self) -> int:
        """What a mod would have deleted from its spool by now."""
        acked = (self._folder / "acked").read_bytes().splitlines()
        return max(map(int, acked), default=0)

    async def play(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._fight())
            tasks.create_task(self._stay_connected())

    def _over(self) -> bool:
        return (self._folder / "end").exists() and self._stored == len(self._kept) == self._quota()

    def _quota(self) -> int:
        return int((self._folder / "quota").read_text(encoding="ascii"))

    async def _fight(self) -> None:
        """Kills in bursts, as far as the quota goes."""
        while not self._over():
            quota = self._quota()
            for _ in range(self._chance.randint(1, 10)):
                if len(self._kept) < quota:
                    self._record()
            self._stirred.set()
            await asyncio.sleep(self._chance.uniform(0.001, 0.01))

    def _record(self) -> None:
        seq = len(self._kept) + 1
        killer, victim = kill(self._seed, seq)
        event = {
            "type": "kill",
            "seq": seq,
            "time": time.time(),
            "killer": {"id": killer, "name": killer},
            "victim": {"id": victim, "name": victim},
        }
        os.write(self._spool, json.dumps(event).encode() + b"\n")
        self._kept.append(event)

    # ---- the link

    async def _stay_connected(self) -> None:
        while not self._over():
            try:
                link = json.loads((self._folder / "link.json").read_text(encoding="utf-8"))
                async with connect(
                    link["url"],
                    additional_headers={"Authorization": f"Bearer {link['token']}"},
                    compression=None,
                    proxy=None,
                ) as connection:
                    await self._talk(connection)
            except (OSError, ConnectionClosed, InvalidHandshake):
                pass
            await asyncio.sleep(0.05)

    async def _talk(self, connection: ClientConnection) -> None:
        await connection.send(json.dumps(self._hello()))
        welcome = json.loads(await connection.recv())
        if isinstance(welcome, list):
            welcome = welcome[0]
        assert welcome["type"] == "welcome", welcome
        assert self._stored <= welcome["seq"] <= len(self._kept), welcome
        self._stored = self._sent = welcome["seq"]
        self._window = welcome["window"]
        self._note(self._stored)
        reading = asyncio.create_task(self._read(connection))
        try:
            while not self._over() and not reading.done():
                await self._send_what_is_due(connection)
                await self._stirred.wait()
                self._stirred.clear()
        finally:
            reading.cancel()
            with suppress(ConnectionClosed, asyncio.CancelledError):
                await reading

    def _hello(self) -> Packet:
        return {
            "type": "hello",
            "protocol": 1,
            "platform": "test",
            "mod_version": "1",
            "spool": self._spool_id,
            "first": self._stored + 1,
            "time": time.time(),
            "online": [{"id": f"p{number}", "name": f"p{number}"} for number in range(PLAYERS)],
        }

    async def _send_what_is_due(self, connection: ClientConnection) -> None:
        due = min(len(self._kept), self._stored + self._window)
        while self._sent < due:
            upto = min(due, self._sent + 100)
            await connection.send(json.dumps(self._kept[self._sent : upto]))
            self._sent = upto

    async def _read(self, connection: ClientConnection) -> None:
        try:
            async for frame in connection:
                decoded = json.loads(frame)
                for packet in decoded if isinstance(decoded, list) else [decoded]:
                    assert packet["type"] != "error", packet
                    if packet["type"] == "ack":
                        self._stored = packet["seq"]
                        self._note(self._stored)
                self._stirred.set()
        finally:
            self._stirred.set()

    def _note(self, seq: int) -> None:
        os.write(self._acks, b"%d\n" % seq)


if __name__ == "__main__":
    asyncio.run(GameServer(Path(sys.argv[1]), sys.argv[2]).play())
