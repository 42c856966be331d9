"""Kills and deaths that somebody else recorded."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Being:
    """A player by id, and by the name it had."""

    id: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Happening:
    """A kill, or without a killer a death that is nobody's. `time`: seconds since 1970."""

    time: float
    victim: Being
    killer: Being | None = None
    cause: str = "attack"
    weapon: str | None = None
    world: str | None = None

    @property
    def pair(self) -> tuple[str | None, str]:
        return (self.killer.id if self.killer else None), self.victim.id


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What was read out of one file."""

    file: str
    lines: int
    kills: int
    deaths: int
    since: float | None
    until: float | None


def excerpt(file: str, lines: int, found: Sequence[Happening]) -> Excerpt:
    times = [happening.time for happening in found]
    kills = sum(happening.killer is not None for happening in found)
    return Excerpt(
        file,
        lines,
        kills,
        len(found) - kills,
        min(times, default=None),
        max(times, default=None),
    )
