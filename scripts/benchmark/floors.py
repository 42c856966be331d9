"""What the disk and the socket could do if there were nothing to think about."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from websockets.asyncio.client import connect

from plugin_bridge.store.schema import MIGRATIONS

ECHO = str(Path(__file__).with_name("echo_server.py"))


def rewritten(source: Path, target: Path, batch: int) -> float:
    """Seconds that bare sqlite3 takes for the rows of a daemon's database, as durable as there.

    Each batch has its log entries and outcomes, and replaces the players and pairs in them, with
    the rows that these have in the end.
    """
    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(target, isolation_level=None)) as to:
        for migration in MIGRATIONS:
            to.executescript(migration)
        to.execute("PRAGMA journal_mode = WAL")
        to.execute("PRAGMA synchronous = FULL")
        with closing(sqlite3.connect(source)) as of:
            tables = {
                name: of.execute(f"SELECT * FROM {name}").fetchall()
                for name in ("lanes", "people", "ladders", "events", "outcomes", "players", "pairs")
            }
            key = [row[1] for row in of.execute("PRAGMA table_info(events)")]
        place = {name: number for number, name in enumerate(key)}
        for name in ("lanes", "people"):
            to.executemany(_put(name, tables[name]), tables[name])
        players = {row[1]: row for row in tables["players"]}
        pairs = {row[1:3]: row for row in tables["pairs"]}
        kills = [row for row in tables["events"] if row[place["kind"]] == "kill"]
        outcomes = {row[0]: row for row in tables["outcomes"]}
        began = time.monotonic()
        for at in range(0, len(kills), batch):
            some = kills[at : at + batch]
            fought = {(row[place["killer"]], row[place["victim"]]): None for row in some}
            there = dict.fromkeys([one for pair in fought for one in pair])
            to.execute("BEGIN IMMEDIATE")
            to.executemany(_put("events", kills, "INSERT"), some)
            to.executemany(
                _put("outcomes", tables["outcomes"], "INSERT"),
                [outcomes[row[0]] for row in some],
            )
            to.executemany(_put("players", tables["players"]), [players[one] for one in there])
            to.executemany(_put("pairs", tables["pairs"]), [pairs[pair] for pair in fought])
            to.executemany(_put("ladders", tables["ladders"]), tables["ladders"])
            to.execute("COMMIT")
        return time.monotonic() - began


def _put(table: str, rows: list[tuple[object, ...]], verb: str = "REPLACE") -> str:
    return f"{verb} INTO {table} VALUES ({','.join('?' * len(rows[0]))})"


@asynccontextmanager
async def echo_server(*words: str) -> AsyncIterator[str]:
    """A bare server in a process of its own; where it listens."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, ECHO, *words, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield f"ws://127.0.0.1:{int(await process.stdout.readline())}/"
    finally:
        process.terminate()
        await process.wait()


async def echo(frames: list[str], servers: int, window: int) -> float:
    """Seconds until every frame is answered, by that many connections with frames under way."""
    async with echo_server() as url:
        done = await asyncio.gather(*(_talk(url, frames, window) for _ in range(servers)))
    return max(ended for _, ended in done) - min(began for began, _ in done)


async def _talk(url: str, frames: list[str], window: int) -> tuple[float, float]:
    async with connect(url, compression=None, proxy=None, max_size=1 << 20) as socket:
        began = time.monotonic()
        for number, frame in enumerate(frames):
            if number >= window:
                await socket.recv()
            await socket.send(frame)
        for _ in range(min(window, len(frames))):
            await socket.recv()
        return began, time.monotonic()
