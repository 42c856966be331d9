"""Many game servers at once, in a process of their own, so that nobody's measuring is in the way.

    crowd.py < plan.json > result.json

Each server sends its kills one by one as they happen, and notes how long each waits for its ack.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import deque
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

PLAYERS = 20
PATIENCE = 30.0


@dataclass(frozen=True)
class Plan:
    """`rate`: kills a second, of all servers together."""

    url: str
    tokens: dict[str, str]
    rate: float
    seconds: float


@dataclass
class Result:
    """waits: seconds from sending to ack, by when it was sent, in seconds from the start.

    late: how far this process was behind its plan at worst, in seconds.
    packets: how many came from the daemon.
    """

    kills: dict[str, int] = field(default_factory=dict)
    waits: list[tuple[float, float]] = field(default_factory=list)
    late: float = 0.0
    packets: int = 0


def kill(server: str, seq: int) -> tuple[str, str]:
    """Who kills whom in an event of that number."""
    killer, victim = random.Random(f"{server}/{seq}").sample(range(PLAYERS), 2)
    return f"{server}-{killer}", f"{server}-{victim}"


class Server:
    """`phase`: when, within the time between two kills, this server has its own."""

    def __init__(self, name: str, plan: Plan, result: Result, *, phase: float) -> None:
        self._name = name
        self._plan = plan
        self._result = result
        self._pause = len(plan.tokens) / plan.rate
        self._phase = phase * self._pause
        self._under_way: deque[tuple[int, float]] = deque()
        self._stirred = asyncio.Event()

    async def play(self, everybody: asyncio.Barrier) -> None:
        async with connect(
            self._plan.url,
            additional_headers={"Authorization": f"Bearer {self._plan.tokens[self._name]}"},
            compression=None,
            proxy=None,
        ) as connection:
            await connection.send(json.dumps(self._hello()))
            reading = asyncio.create_task(self._read(connection))
            await everybody.wait()
            await self._fight(connection, time.monotonic() + self._phase)
            async with asyncio.timeout(PATIENCE):
                while self._under_way and not reading.done():
                    self._stirred.clear()
                    await self._stirred.wait()
            assert not reading.done(), "the daemon closed the connection"
            reading.cancel()

    async def _fight(self, connection: ClientConnection, start: float) -> None:
        count = int(self._plan.seconds / self._pause)
        for seq in range(1, count + 1):
            due = start + seq * self._pause
            if (ahead := due - time.monotonic()) > 0:
                await asyncio.sleep(ahead)
            now = time.monotonic()
            self._result.late = max(self._result.late, now - due)
            self._under_way.append((seq, now))
            await connection.send(self._kill(seq))
        self._result.kills[self._name] = count

    def _kill(self, seq: int) -> str:
        killer, victim = kill(self._name, seq)
        return json.dumps(
            {
                "type": "kill",
                "seq": seq,
                "time": time.time(),
                "killer": {"id": killer, "name": killer},
                "victim": {"id": victim, "name": victim},
                "weapon": "diamond_sword",
                "world": "world",
            }
        )

    def _hello(self) -> dict[str, Any]:
        players = [f"{self._name}-{number}" for number in range(PLAYERS)]
        return {
            "type": "hello",
            "protocol": 1,
            "platform": "test",
            "mod_version": "1",
            "spool": f"spool-{self._name}",
            "first": 1,
            "time": time.time(),
            "online": [{"id": player, "name": player, "world": "world"} for player in players],
        }

    async def _read(self, connection: ClientConnection) -> None:
        async for frame in connection:
            now, decoded = time.monotonic(), msgspec.json.decode(frame)
            for packet in decoded if isinstance(decoded, list) else [decoded]:
                self._result.packets += 1
                if packet["type"] == "ack":
                    self._acknowledged(packet["seq"], now)
            self._stirred.set()

    def _acknowledged(self, upto: int, now: float) -> None:
        while self._under_way and self._under_way[0][0] <= upto:
            _, sent = self._under_way.popleft()
            self._result.waits.append((sent, now - sent))


async def run(plan: Plan) -> Result:
    result = Result()
    everybody = asyncio.Barrier(len(plan.tokens))
    servers = [
        Server(name, plan, result, phase=number / len(plan.tokens))
        for number, name in enumerate(plan.tokens)
    ]
    async with asyncio.TaskGroup() as tasks:
        for server in servers:
            tasks.create_task(server.play(everybody))
    first = min(sent for sent, _ in result.waits)
    result.waits = sorted((sent - first, wait) for sent, wait in result.waits)
    return result


if __name__ == "__main__":
    json.dump(asdict(asyncio.run(run(Plan(**json.load(sys.stdin))))), sys.stdout)
