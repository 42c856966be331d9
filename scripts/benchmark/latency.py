"""From a kill to its ack and to the label it leads to, beside an echo with one durable commit."""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmark.floors import echo_server
from benchmark.measure import Tick, quantile
from benchmark.serving import Serving, kill_packet, mod, packets, serving

ONLINE = 100
SHARES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}


def run(
    rates: dict[int, float], *, rounds: int, folder: Path, tick: Tick
) -> dict[str, dict[str, Any]]:
    """Waits in seconds by kills a second; `rates`: for how many seconds each is kept up.

    Daemon and floor take turns, and the waits of all turns are taken together.
    """
    results: dict[str, dict[str, Any]] = {}
    for rate, seconds in rates.items():
        waits: dict[str, list[float]] = {"ack": [], "label": [], "floor": []}
        for number in range(rounds):
            home = folder / f"latency-{rate}-{number}"
            with serving(home, ["s"]) as daemon:
                acks, labels = asyncio.run(_kills(daemon, rate, seconds / rounds))
            waits["ack"] += acks
            waits["label"] += labels
            waits["floor"] += asyncio.run(_floor(home / "floor.sqlite3", rate, seconds / rounds))
            tick(f"{rate} a second, turn {number + 1} of {rounds}")
        results[str(rate)] = {
            name: {word: quantile(each, share) for word, share in SHARES.items()}
            for name, each in waits.items()
        }
    return results


async def _kills(daemon: Serving, rate: int, seconds: float) -> tuple[list[float], list[float]]:
    """One frame a kill, at its time whatever has been answered."""
    players = [f"p{number:04}" for number in range(ONLINE)]
    acks: list[float] = []
    labels: list[float] = []
    acked, total = 0, int(rate * seconds)
    sent, waiting = [0.0], dict[str, list[float]]()
    async with mod(daemon, "s", players) as socket:
        sending = asyncio.create_task(_send(socket, rate, total, sent=sent, waiting=waiting))
        while acked < total:
            frame = await socket.recv()
            now = time.monotonic()
            for packet in packets(frame):
                if packet["type"] == "ack":
                    last = int(str(packet["seq"]))
                    acks += [now - sent[seq] for seq in range(acked + 1, last + 1)]
                    acked = last
                elif packet["type"] == "label":
                    labels += [now - at for at in waiting.pop(str(packet["player"]), ())]
        await sending
    return acks, labels


async def _send(
    socket: ClientConnection,
    rate: int,
    total: int,
    *,
    sent: list[float],
    waiting: dict[str, list[float]],
) -> None:
    draw = random.Random(rate)
    players = [f"p{number:04}" for number in range(ONLINE)]
    began = time.monotonic()
    for seq in range(1, total + 1):
        await asyncio.sleep(max(0.0, began + seq / rate - time.monotonic()))
        killer, victim = draw.sample(players, 2)
        frame = json.dumps(kill_packet(seq, killer, victim, time.time()))
        sent.append(time.monotonic())
        waiting.setdefault(killer, []).append(sent[seq])
        await socket.send(frame)


async def _floor(database: Path, rate: int, seconds: float) -> list[float]:
    database.unlink(missing_ok=True)
    waits: list[float] = []
    sent: list[float] = []
    total = int(rate * seconds)
    frame = json.dumps(kill_packet(1, "p0001", "p0002", time.time()))

    async def send(socket: ClientConnection) -> None:
        began = time.monotonic()
        for seq in range(1, total + 1):
            await asyncio.sleep(max(0.0, began + seq / rate - time.monotonic()))
            sent.append(time.monotonic())
            await socket.send(frame)

    async with (
        echo_server(str(database)) as url,
        connect(url, compression=None, proxy=None) as socket,
    ):
        sending = asyncio.create_task(send(socket))
        for number in range(total):
            await socket.recv()
            waits.append(time.monotonic() - sent[number])
        await sending
    return waits
