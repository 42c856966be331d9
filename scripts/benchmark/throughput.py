"""Kills a second through a real socket, committed and acknowledged, beside two floors.

The floors: the very rows that the daemon wrote, written again by bare sqlite3 in batches of the
same size, as durable; and the very frames, answered by a bare echo over websockets.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from statistics import median
from typing import Any

from websockets.asyncio.client import ClientConnection

from benchmark.floors import echo, rewritten
from benchmark.measure import Tick
from benchmark.serving import Serving, kill_packet, mod, packets, serving
from plugin_bridge.engine import BATCH_LIMIT

PLAYERS = 1_000
PER_FRAME = 64
WINDOW = 1_024
"""Kills that a mod leaves unacknowledged at most, as the contract has it."""


def run(kills: int, *, rounds: int, folder: Path, tick: Tick) -> dict[str, Any]:
    """Kills a second for one server and for eight, and both floors; medians of the rounds."""
    results: dict[str, Any] = {}
    for servers in (1, 8):
        names = [f"s{number}" for number in range(servers)]
        rates: dict[str, list[float]] = {"daemon": [], "sqlite": [], "echo": []}
        batches = []
        for number in range(rounds + 1):
            home = folder / f"throughput-{servers}-{number}"
            ready = frames(kills // servers, seed=number)
            with serving(home, names) as daemon:
                took, acks = asyncio.run(pipelined(daemon, names, ready))
            batch = min(BATCH_LIMIT, round(kills / max(1, acks)))
            seen = {
                "daemon": kills / took,
                "sqlite": kills / rewritten(daemon.database, home / "floor.sqlite3", batch),
                "echo": kills / asyncio.run(echo(ready, servers, WINDOW // PER_FRAME)),
            }
            if number:
                batches.append(batch)
                for name, rate in seen.items():
                    rates[name].append(rate)
            tick(f"{servers} servers, round {number} of {rounds}")
        results[str(servers)] = {
            **{name: median(each) for name, each in rates.items()},
            "lowest": min(rates["daemon"]),
            "highest": max(rates["daemon"]),
            "batch": median(batches),
            "of_sqlite": median(
                [a / b for a, b in zip(rates["daemon"], rates["sqlite"], strict=True)]
            ),
        }
    return results


def frames(kills: int, seed: int) -> list[str]:
    """The kills of one server, ready to be sent."""
    draw, now = random.Random(seed), time.time() - 600.0
    players = [f"p{number:04}" for number in range(PLAYERS)]
    rows = [
        kill_packet(seq, *draw.sample(players, 2), now + seq * 0.005) for seq in range(1, kills + 1)
    ]
    return [json.dumps(rows[at : at + PER_FRAME]) for at in range(0, len(rows), PER_FRAME)]


async def pipelined(daemon: Serving, names: list[str], frames: list[str]) -> tuple[float, float]:
    """Seconds until everything is acknowledged, and how many batches that took."""
    done = await asyncio.gather(*(_one(daemon, name, frames) for name in names))
    began, ended = min(one[0] for one in done), max(one[1] for one in done)
    return ended - began, sum(one[2] for one in done) / len(names)


async def _one(daemon: Serving, name: str, frames: list[str]) -> tuple[float, float, int]:
    async with mod(daemon, name) as socket:
        acked, acks, sent = 0, 0, 0
        total = sum(frame.count('"kill"') for frame in frames)
        began = time.monotonic()
        for frame in frames:
            while sent - acked > WINDOW - PER_FRAME:
                acked, acks = await _next(socket, acked, acks)
            await socket.send(frame)
            sent += PER_FRAME
        while acked < total:
            acked, acks = await _next(socket, acked, acks)
        return began, time.monotonic(), acks


async def _next(socket: ClientConnection, acked: int, acks: int) -> tuple[int, int]:
    for packet in packets(await socket.recv()):
        if packet["type"] == "ack":
            acked, acks = int(str(packet["seq"])), acks + 1
    return acked, acks
