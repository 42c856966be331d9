"""The memory of pairs (2.1): who killed whom when, as far back as is remembered.

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
"""Attacker, victim, time of the last counted kill, and the flow as of that time."""


class Cooldown:
    """The last counted kill of each of the most recently counted pairs. Every call is O(1).

    Beside it, where `pair_limit` asks for it, the flow: the surprise (1 - P_ab) of the attacker's
    kills of this victim, each as far as it was counted, fading by the factor e in a day.
    """

    __slots__ = ("_flows", "_limit", "_pairs", "_seconds")

    def __init__(self, seconds: float, limit: int) -> None:
        self._seconds = seconds
        self._limit = limit
        self._pairs: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._flows: dict[tuple[str, str], float] = {}

    def guards(self, pair: tuple[str, str], time: float) -> bool:
        """Whether the pair's last counted kill is too near, before or after; at the limit no."""
        last = self._pairs.get(pair)
        return last is not None and abs(time - last) < self._seconds

    def flow(self, pair: tuple[str, str], time: float) -> float:
        """What has lately gone from the victim to the attacker, in this direction alone, at `time`.

        A kill that arrives late finds what there was: nothing fades backwards.
        """
        flow = self._flows.get(pair, 0.0)
        return flow * exp(min(0.0, self._pairs[pair] - time) / SECONDS_PER_DAY) if flow else 0.0

    def note(self, pair: tuple[str, str], time: float, flow: float) -> None:
        """Remember a counted kill, and forget the pair that has waited longest if need be."""
        pairs, before = self._pairs, len(self._pairs)
        pairs[pair] = time
        if flow:
            self._flows[pair] = flow
        elif self._flows:
            self._flows.pop(pair, None)
        if len(pairs) == before:
            pairs.move_to_end(pair)
        elif before == self._limit:
            forgotten, _ = pairs.popitem(last=False)
            self._flows.pop(forgotten, None)

    def pairs(self) -> Iterator[Pair]:
        """Every remembered pair, the oldest arrival first."""
        for (attacker, victim), time in self._pairs.items():
            yield attacker, victim, time, self._flows.get((attacker, victim), 0.0)

    def fill(self, pairs: Iterable[Pair]) -> None:
        """Note many pairs, the oldest arrival first."""
        for attacker, victim, time, flow in pairs:
            self.note((attacker, victim), time, flow)
