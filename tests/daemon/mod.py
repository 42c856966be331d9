"""A small well-behaved mod: it keeps every event until the daemon has stored it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from .running import PATIENCE

Packet = dict[str, Any]
PLAYER = ("adrbridge.rank", "adrbridge.rank.others", "adrbridge.top")


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs a test that is a coroutine, for as long as patience lasts."""

    @wraps(test)
    def run(*args: Any, **fixtures: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **fixtures), 3 * PATIENCE))

    return run


def words(text: Packet) -> str:
    """The words of a chat text without its styles."""
    return text["text"] + "".join(words(part) for part in text.get("extra", []))


class Mod:
    """One game server's side of the link. Its spool outlives its connections."""

    def __init__(self, spool: str = "spool-0001") -> None:
        self.spool = spool
        self.kept: dict[int, Packet] = {}
        self.next = 1
        self.online: dict[str, Packet] = {}
        self.inbox: list[Packet] = []
        self.clock = 0.0
        """Seconds that this server's clock is ahead."""
        self._stirred = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._asked = 0

    # ---- connecting

    @asynccontextmanager
    async def connected(self, url: str, token: str) -> AsyncIterator[Packet]:
        """From `hello` to the end of the connection; what the welcome said."""
        async with dialled(url, token) as socket:
            self._socket = socket
            self.inbox.clear()
            reading = asyncio.create_task(self._read(socket))
            try:
                await self.send(self.hello())
                welcome = await self.take("welcome")
                self.kept = {seq: p for seq, p in self.kept.items() if seq > welcome["seq"]}
                if self.kept:
                    await self.send(*self.kept.values())
                yield welcome
            finally:
                await socket.close()
                await reading

    def hello(self) -> Packet:
        return {
            "type": "hello",
            "protocol": 1,
            "platform": "test",
            "mod_version": "1",
            "spool": self.spool,
            "first": min(self.kept, default=self.next),
            "time": self.now,
            "online": list(self.online.values()),
        }

    @property
    def now(self) -> float:
        return time.time() + self.clock

    async def send(self, *packets: Packet) -> None:
        """In as few frames as there may be."""
        assert self._socket is not None
        for start in range(0, len(packets), 1_000):
            some = packets[start : start + 1_000]
            with suppress(ConnectionClosed):
                await self._socket.send(json.dumps(some[0] if len(some) == 1 else some))

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for frame in socket:
                decoded = json.loads(frame)
                for packet in decoded if isinstance(decoded, list) else [decoded]:
                    if packet["type"] == "ack":
                        self.kept = {s: p for s, p in self.kept.items() if s > packet["seq"]}
                    self.inbox.append(packet)
                self._stirred.set()
        self._stirred.set()

    # ---- listening

    async def take(self, kind: str, **fields: Any) -> Packet:
        """The first such packet that has come or comes, out of the inbox."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for packet in self.inbox:
                    if packet["type"] == kind and fields.items() <= packet.items():
                        self.inbox.remove(packet)
                        return packet
                self._stirred.clear()
                await self._stirred.wait()

    def seen(self, kind: str, **fields: Any) -> list[Packet]:
        """All such packets that wait in the inbox."""
        return [p for p in self.inbox if p["type"] == kind and fields.items() <= p.items()]

    async def closed(self) -> int | None:
        """Waits until the daemon closes the connection; the code it gave."""
        assert self._socket is not None
        async with asyncio.timeout(PATIENCE):
            await self._socket.wait_closed()
        return self._socket.close_code

    async def acked(self, seq: int) -> None:
        """Waits until everything up to that number is stored."""
        async with asyncio.timeout(PATIENCE):
            while any(number <= seq for number in self.kept):
                self._stirred.clear()
                await self._stirred.wait()

    # ---- playing

    def spooled(self, packet: Packet) -> Packet:
        """Gives an event its number, and keeps it."""
        event = {"seq": self.next, "time": self.now} | packet
        self.kept[self.next] = event
        self.next += 1
        return event

    def killed(self, killer: str, victim: str, /, **fields: Any) -> Packet:
        """A kill, kept but not sent."""
        return self.spooled(
            {
                "type": "kill",
                "killer": {"id": killer, "name": killer.capitalize()},
                "victim": {"id": victim, "name": victim.capitalize()},
            }
            | fields
        )

    async def kill(self, killer: str, victim: str, /, **fields: Any) -> None:
        """A kill that is stored on return."""
        event = self.killed(killer, victim, **fields)
        await self.send(event)
        await self.acked(event["seq"])

    async def join(self, player: str, world: str | None = None, **fields: Any) -> None:
        self.online[player] = {"id": player, "name": player.capitalize(), "world": world} | fields
        await self.send({"type": "join", "player": self.online[player]})

    async def quit(self, player: str) -> None:
        self.online.pop(player, None)
        await self.send({"type": "quit", "player": player})

    async def ask(
        self,
        line: str,
        *,
        by: str | None = "ann",
        may: tuple[str, ...] = PLAYER,
        world: str | None = None,
    ) -> list[str]:
        """The answer to a command, line by line; None is the console."""
        self._asked += 1
        mark = f"c{self._asked}"
        command = {
            "type": "command",
            "id": mark,
            "sender": by and {"id": by, "name": by.capitalize()},
            "words": line.split(" "),
            "permissions": list(may),
            "world": world,
        }
        await self.send(command)
        return [words(text) for text in (await self.take("reply", id=mark))["lines"]]

    async def settled(self) -> None:
        """Everything that what was sent so far leads to has come back."""
        await self.ask("rank help")


@asynccontextmanager
async def dialled(url: str, token: str | None, **options: Any) -> AsyncIterator[ClientConnection]:
    """A bare connection."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with connect(
        url,
        additional_headers=headers,
        compression=None,
        proxy=None,
        max_size=1 << 20,
        close_timeout=PATIENCE,
        **options,
    ) as socket:
        yield socket
