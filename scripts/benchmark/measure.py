"""Timing side by side: everybody gets a turn in every round, so that all meet the same weather."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

Tick = Callable[[str], None]
"""Told after every step what was done."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Seconds for one thing: the median of the rounds, the least and the most."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Reading:
        return cls(median(seconds), min(seconds), max(seconds))

    def micro(self) -> str:
        """In microseconds, for the table."""
        return f"{1e6 * self.median:.3g} µs [{1e6 * self.least:.3g} to {1e6 * self.most:.3g}]"


def interleaved(
    contenders: Mapping[str, Callable[[], int]], *, rounds: int, tick: Tick
) -> dict[str, Reading]:
    """CPU time of one thing for each contender; a call does a block of them and says how many.

    The first round only warms up. Collection of garbage is off inside a block.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, block in contenders.items():
            with _no_collection():
                began = time.process_time()
                count = block()
                took = time.process_time() - began
            if number:
                seconds[name].append(took / count)
        tick(f"round {number} of {rounds}")
    return {name: Reading.of(taken) for name, taken in seconds.items()}


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@contextmanager
def _no_collection() -> Iterator[None]:
    gc.collect(0)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
