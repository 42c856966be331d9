"""A server that has been played on: a real database with kills of players of known strength."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from plugin_bridge.arena import Arena
from plugin_bridge.config import load_config
from plugin_bridge.config.model import MAIN_LADDER
from plugin_bridge.store.rows import LogEntry, NameRow

from ..store.history import Scribe, make_lanes, opened, record

START = 1.76e9
MINUTE = 60.0


def fights(count: int, *, players: int = 30, seed: int = 1, gap: float = 3 * MINUTE) -> list[Fight]:
    """Fair fights of random pairs; the strongest beats the weakest some 30 times in 31."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        one, other = chance.sample(range(players), 2)
        wins = 1.0 / (1.0 + 10.0 ** (1.5 * (other - one) / players))
        pair = (one, other) if chance.random() < wins else (other, one)
        found.append((f"p{pair[0]:03}", f"p{pair[1]:03}", START + gap * number))
    return found


Fight = tuple[str, str, float]


async def played(
    folder: Path,
    kills: Sequence[Fight],
    *,
    config: str = "",
    names: dict[str, str] | None = None,
    ladder: str = MAIN_LADDER,
    calibrate_every: int = 500,
) -> None:
    """Writes config.yml and the database that a daemon would have made of these kills."""
    (folder / "config.yml").write_text(config or "listen: {port: 0}\n", encoding="utf-8")
    settings = load_config(folder / "config.yml")
    scribe = Scribe()
    past: list[list[LogEntry]] = [
        [scribe.parameters(one.name, one.parameters, START) for one in settings.ladders]
    ]
    for start in range(0, len(kills), calibrate_every):
        batch = kills[start : start + calibrate_every]
        past.append([scribe.kill(*kill, ladder) for kill in batch])
        past.append([scribe.entry("calibrate", batch[-1][2], ladder=ladder)])
    rows = [NameRow(player, name, START) for player, name in (names or {}).items()]
    settings.storage.database.parent.mkdir(exist_ok=True)
    async with opened(settings.storage.database) as store:
        await make_lanes(store)
        await record(store, Arena(), past, rows)
