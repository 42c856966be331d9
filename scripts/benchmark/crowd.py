"""A daemon with very many players: its start, its memory, its questions, its calibration."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection

import adr_core
from benchmark import world
from benchmark.measure import Tick
from benchmark.serving import PATIENCE, SETTINGS, Serving, mod, packets, serving
from plugin_bridge.config import load_config
from plugin_bridge.store import Store
from plugin_bridge.store.rows import Batch, LadderRow, NameRow, PlayerRow

CHUNK = 10_000
MAY = ["adrbridge.rank", "adrbridge.rank.others", "adrbridge.top", "adrbridge.admin"]
LOOK_SECONDS = 0.002
"""How often it is asked whether the loop still turns."""


def run(players: int, *, folder: Path, tick: Tick) -> dict[str, Any]:
    """Start-up seconds, bytes a player, and how long the loop stood still in what was done."""
    empty, full = folder / "empty", folder / "full"
    with serving(empty, ["s"]) as daemon:
        nobody = daemon.resident
        alone = daemon.ready_after
    tick("an empty daemon")
    full.mkdir(parents=True)
    asyncio.run(_filled(full, players))
    tick(f"{players:,} players written")
    with serving(full, ["s"]) as daemon:
        results: dict[str, Any] = {
            "players": players,
            "start_seconds": daemon.ready_after,
            "start_empty_seconds": alone,
            "bytes_per_player": (daemon.resident - nobody) / players,
        }
        tick("started")
        results |= asyncio.run(_asked(daemon, full, tick))
        results["bytes_per_player_after"] = (daemon.resident - nobody) / players
    return results


async def _filled(home: Path, players: int) -> None:
    """A database with this many players who all have a past and a name."""
    _save(home, SETTINGS)
    p = load_config(home / "config.yml").ladders[0].parameters
    states = world.states(adr_core, players)
    boundaries = adr_core.Ladder(p).boundaries
    store = await Store.open(home / "adr.sqlite3")
    try:
        await store.commit(Batch(after=0, ladders=[LadderRow("main", p, states.clock, boundaries)]))
        for some in _chunks(states.players):
            rows = [
                PlayerRow(ladder="main", player=one, packed=state.packed()) for one, state in some
            ]
            names = [NameRow(one, one.upper(), world.NOW) for one, _ in some]
            await store.commit(Batch(after=0, players=rows, names=names))
    finally:
        await store.close()


def _chunks(
    players: tuple[tuple[str, adr_core.PlayerState], ...],
) -> Iterator[list[tuple[str, adr_core.PlayerState]]]:
    left = iter(players)
    while some := list(islice(left, CHUNK)):
        yield some


async def _asked(daemon: Serving, home: Path, tick: Tick) -> dict[str, Any]:
    results: dict[str, Any] = {}
    async with mod(daemon, "s", ["p0000001"]) as socket:
        inbox: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        reading = asyncio.create_task(_read(socket, inbox))

        async def stalled(what: str, deed: Callable[[], Awaitable[object]]) -> None:
            async with _watched(socket) as pauses:
                began = time.monotonic()
                await deed()
                took = time.monotonic() - began
                await asyncio.sleep(0.1)
            results[what] = {"seconds": took, "longest_pause": max(pauses)}
            tick(what)

        async def command(*words: str, times: int = 1) -> None:
            for number in range(times):
                packet = {
                    "type": "command",
                    "id": f"{words[-1]}{number}",
                    "sender": {"id": "p0000001", "name": "P0000001"},
                    "words": list(words),
                    "permissions": MAY,
                }
                await socket.send(json.dumps(packet))
                while (await inbox.get())["type"] not in {"reply", "error"}:
                    pass

        await stalled("nothing", lambda: asyncio.sleep(1.0))
        await stalled("rank", lambda: command("rank", times=50))
        await stalled("top", lambda: command("rank", "top", times=50))
        await stalled("reload", lambda: command("rankadmin", "reload"))
        for name in ("rank", "top"):
            results[name]["seconds"] /= 50
        await stalled("calibration", lambda: _calibrated(home))
        await stalled("other parameters", lambda: _reconfigured(home, "c_loss: 1"))
        await stalled("other tiers", lambda: _reconfigured(home, "c_loss: 1, spread: 300"))
        await stalled("other windows", lambda: _reconfigured(home, "window: 19, spread: 300"))
        reading.cancel()
    return results


async def _calibrated(home: Path) -> None:
    """Makes a calibration due by a shorter interval, waits for one, and takes it back."""
    before = _logged(home, "calibrate")
    _save(home, SETTINGS.replace("interval: 7d", "interval: 10s"))
    while _logged(home, "calibrate") == before:
        await asyncio.sleep(0.05)
    _save(home, SETTINGS)


async def _reconfigured(home: Path, others: str) -> None:
    """The second and the third kind concern every player: all are written anew."""
    before = _logged(home, "parameters")
    _save(home, SETTINGS.replace("t_cooldown: 0", f"t_cooldown: 0, {others}"))
    while _logged(home, "parameters") == before:
        await asyncio.sleep(0.05)


def _save(home: Path, text: str) -> None:
    (home / "config.tmp").write_text(text, encoding="utf-8")
    (home / "config.tmp").replace(home / "config.yml")


def _logged(home: Path, kind: str) -> int:
    """How many entries of that kind the log has."""
    with closing(sqlite3.connect(home / "adr.sqlite3", timeout=PATIENCE)) as database:
        row = database.execute("SELECT count(*) FROM events WHERE kind = ?", (kind,)).fetchone()
    return int(row[0])


async def _read(socket: ClientConnection, inbox: asyncio.Queue[dict[str, object]]) -> None:
    with suppress(asyncio.CancelledError):
        async for frame in socket:
            for packet in packets(frame):
                inbox.put_nowait(packet)


@asynccontextmanager
async def _watched(socket: ClientConnection) -> AsyncIterator[list[float]]:
    """How long each ping had to wait: the daemon answers them whenever its loop turns."""
    pauses: list[float] = [0.0]
    over = False

    async def look() -> None:
        while not over:
            began = time.monotonic()
            await (await socket.ping(os.urandom(4)))
            pauses.append(time.monotonic() - began)
            await asyncio.sleep(LOOK_SECONDS)

    watching = asyncio.create_task(look())
    try:
        yield pauses
    finally:
        over = True
        await watching
