"""A short made-up past, and the command line to amend it with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from adr_core import Ladder
from plugin_bridge.arena import Arena
from plugin_bridge.history.revision import Revision
from plugin_bridge.store.rows import LogEntry

from ..cli.calling import call
from ..store.history import LIVELY, Scribe, opened, record

FIGHTS = [("old", "ann"), ("new", "bob"), ("ann", "old"), ("old", "new"), ("bob", "ann")] * 6
SURE = ("--reason", "asked for", "--yes")


def past() -> list[list[LogEntry]]:
    scribe = Scribe()
    return [
        [scribe.parameters("main", LIVELY, 0.0)],
        [scribe.kill(*pair, 100.0 * number) for number, pair in enumerate(FIGHTS)],
    ]


def done(folder: Path, *words: str) -> str:
    result = call(folder, *words)
    assert result.returncode == 0, result.stderr + result.stdout
    assert call(folder, "replay", "--verify").returncode == 0
    return result.stdout


def fed(kills: Iterable[tuple[str, str, float]], ladder: Ladder) -> Ladder:
    for killer, victim, time in kills:
        ladder.kill(killer, victim, time)
    return ladder


def timed() -> list[tuple[str, str, float]]:
    return [(*pair, 100.0 * number) for number, pair in enumerate(FIGHTS)]


Kills = list[tuple[str, str, float]]
LATER: Kills = [
    (*pair, 9_000.0 + 100 * n)
    for n, pair in enumerate([("new", "old"), ("zoe", "ann"), ("ann", "new"), ("old", "zoe")] * 4)
]


def play_on(folder: Path, kills: Kills) -> None:
    """More kills behind whatever is in the log."""

    async def scenario() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            live = Arena()
            live.load(await store.load())
            live.revision = Revision(await store.history.amendments_in_force())
            end, seq = await store.log.end(), await store.log.last(2)
            batch = [
                LogEntry(
                    position=end + number,
                    lane=2,
                    seq=seq + number,
                    kind="kill",
                    time=time,
                    received=time,
                    ladder="main",
                    killer=killer,
                    victim=victim,
                )
                for number, (killer, victim, time) in enumerate(kills, start=1)
            ]
            await record(store, live, [batch])

    asyncio.run(scenario())
    result = call(folder, "replay", "--verify")
    assert "bit for bit" in result.stdout, result.stdout
