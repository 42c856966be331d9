"""A short made-up past, and the command line to amend it with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from adr_core import Ladder
from plugin_bridge.store.rows import LogEntry

from ..cli.calling import call
from ..store.history import LIVELY, Scribe

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
