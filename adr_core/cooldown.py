"""The memory of pairs (2.1): who killed whom when and how often, as far back as is remembered.

Memory is bounded by the number of pairs in order of arrival, not by their age. A game server that
was cut off delivers hours of kills late; were old pairs forgotten by time, such a backlog would
pass unguarded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from math import exp

from adr_core.checks import SECONDS_PER_DAY

Pair = tuple[str, str, float, float]
"""Attacker, victim, time of the last counted kill, and the repeats as of that time."""


class Cooldown:
    """The last counted kill of each of the most recently counted pairs. Every call is O(1).

    Repeats are a count of kills that fades by the factor e in a day, kept where somebody asks.
    """

    __slots__ = ("_limit", "_pairs", "_repeats", "_seconds")

    def __init__(self, seconds: float, limit: int) -> None:
        self._seconds = seconds
        self._limit = limit
        self._pairs: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._repeats: dict[tuple[str, str], float] = {}

    def guards(self, attacker: str, victim: str, time: float) -> bool:
        """Whether the pair's last counted kill is too near, before or after; at the limit no."""
        last = self._pairs.get((attacker, victim))
        return last is not None and abs(time - last) < self._seconds

    def repeats(self, attacker: str, victim: str, time: float) -> float:
        """The recent kills of one by the other, in this direction alone, faded until `time`.

        A kill that arrives late finds what there was: nothing fades backwards.
        """
        pair = (attacker, victim)
        count = self._repeats.get(pair, 0.0)
        return count * exp(min(0.0, self._pairs[pair] - time) / SECONDS_PER_DAY) if count else 0.0

    def note(self, attacker: str, victim: str, time: float, repeats: float = 0.0) -> None:
        """Remember a counted kill, and forget the pair that has waited longest if need be."""
        pair = (attacker, victim)
        self._pairs[pair] = time
        self._pairs.move_to_end(pair)
        if repeats:
            self._repeats[pair] = repeats
        if len(self._pairs) > self._limit:
            forgotten, _ = self._pairs.popitem(last=False)
            self._repeats.pop(forgotten, None)

    def pairs(self) -> Iterator[Pair]:
        """Every remembered pair, the oldest arrival first."""
        for (attacker, victim), time in self._pairs.items():
            yield attacker, victim, time, self._repeats.get((attacker, victim), 0.0)

    def fill(self, pairs: Iterable[Pair]) -> None:
        """Note many pairs, the oldest arrival first."""
        for pair in pairs:
            self.note(*pair)
