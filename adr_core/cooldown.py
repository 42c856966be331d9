"""The repeat-kill cooldown (2.1): who killed whom when, as far back as is remembered.

Memory is bounded by the number of pairs in order of arrival, not by their age. A game server that
was cut off delivers hours of kills late; were old pairs forgotten by time, such a backlog would
pass unguarded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator


class Cooldown:
    """The last counted kill of each of the most recently counted pairs. Every call is O(1)."""

    __slots__ = ("_limit", "_pairs", "_seconds")

    def __init__(self, seconds: float, limit: int) -> None:
        self._seconds = seconds
        self._limit = limit
        self._pairs: OrderedDict[tuple[str, str], float] = OrderedDict()

    def guards(self, attacker: str, victim: str, time: float) -> bool:
        """Whether the pair's last counted kill is too near, before or after; at the limit no."""
        last = self._pairs.get((attacker, victim))
        return last is not None and abs(time - last) < self._seconds

    def note(self, attacker: str, victim: str, time: float) -> None:
        """Remember a counted kill, and forget the pair that has waited longest if need be."""
        pair = (attacker, victim)
        self._pairs[pair] = time
        self._pairs.move_to_end(pair)
        if len(self._pairs) > self._limit:
            self._pairs.popitem(last=False)

    def pairs(self) -> Iterator[tuple[str, str, float]]:
        """Attacker, victim and time of each remembered pair, the oldest arrival first."""
        for (attacker, victim), time in self._pairs.items():
            yield attacker, victim, time

    def fill(self, pairs: Iterable[tuple[str, str, float]]) -> None:
        """Note many pairs, the oldest arrival first."""
        for attacker, victim, time in pairs:
            self.note(attacker, victim, time)
