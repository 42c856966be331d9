"""Inputs that nobody thought of: frames and settings with a few things changed, by the thousand."""

from __future__ import annotations

import asyncio
import json
import random
import resource
from collections.abc import Callable, Iterator

import pytest

from ..daemon.mod import Mod, awaited
from ..daemon.running import Home
from . import checks
from .raw import BINARY, CLOSE, FIN, TEXT, frame, upgraded
from .watching import bystander, megabytes


def mutated(seeds: list[str], chance: random.Random) -> Iterator[str]:
    """Endlessly many variations."""
    words = checks.words(seeds)
    while True:
        text = chance.choice(seeds)
        for _ in range(chance.choice((1, 1, 2, 3, 8))):
            start = chance.randrange(len(text) + 1)
            end = min(len(text), start + chance.choice((0, 1, 1, 5, 50)))
            piece = text[start:end]
            text = text[:start] + chance.choice(CHANGES)(piece, words, chance) + text[end:]
            other = chance.choice(seeds)
            if chance.random() < 0.05:
                text = text[:start] + other[chance.randrange(len(other) + 1) :]
        yield text[:5_000]


Change = Callable[[str, list[str], random.Random], str]
CHANGES: tuple[Change, ...] = (
    lambda piece, words, chance: "",
    lambda piece, words, chance: piece * chance.choice((2, 3, 100)),
    lambda piece, words, chance: chance.choice(words),
    lambda piece, words, chance: piece + chance.choice(words),
    lambda piece, words, chance: chr(chance.randrange(128)),
    lambda piece, words, chance: chr(chance.choice((0x85, 0x2028, 0x202E, 0xFEFF, 0x1F63A))),
    lambda piece, words, chance: piece[::-1],
    lambda piece, words, chance: f'"{piece}"',
    lambda piece, words, chance: f"[{piece}]",
    lambda piece, words, chance: str(10 ** chance.randrange(400)),
)


def peak() -> float:
    """The most memory that this process has ever had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@pytest.mark.parametrize(
    ("check", "seeds", "counts"),
    [
        (checks.check_frame, checks.frames(), (60_000, 1_000_000)),
        (checks.check_settings, checks.settings_files(), (2_000, 200_000)),
    ],
    ids=["frames", "settings"],
)
def test_no_variation_leads_to_anything_but_an_answer(
    check: Callable[[str], None], seeds: list[str], counts: tuple[int, int], long: bool, seed: int
) -> None:
    inputs = mutated(seeds, random.Random(seed))
    for text in seeds:
        checks.timely(check, text)
    before = peak()
    for number in range(counts[long]):
        text = next(inputs)
        try:
            checks.timely(check, text)
        except BaseException:
            print(f"input {number}: {text!r}")
            raise
    assert peak() - before < 100


@awaited
async def test_a_daemon_that_is_told_nonsense_goes_on(home: Home, long: bool, seed: int) -> None:
    await asyncio.to_thread(home.add, "bystander")
    chance = random.Random(seed)
    inputs = mutated(checks.frames(), chance)
    hello = frame(json.dumps(Mod("spool-0001").hello()).encode())
    token = home.tokens["survival"]
    with home.serving() as daemon:
        async with bystander(daemon) as other:
            before = megabytes(daemon)
            for _ in range(2_000 if long else 150):
                async with upgraded(daemon.url, token) as raw:
                    if chance.random() < 0.9:
                        raw.writer.write(hello)
                    for text in (next(inputs) for _ in range(chance.randrange(1, 8))):
                        kind = chance.choice((TEXT,) * 30 + (BINARY, CLOSE, 5))
                        flags = chance.choice((FIN,) * 30 + (0, 0xC0, 0xF0))
                        payload = text.encode()[: 125 if kind == CLOSE else None]
                        raw.writer.write(frame(payload, kind, flags=flags))
                    if chance.random() < 0.8:
                        raw.writer.write(frame(b"", CLOSE))
                        await raw.closed()
            assert megabytes(daemon) - before < 60
        assert other.longest < 5
    await home.replays()
