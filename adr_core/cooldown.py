"""The memory of pairs (2.1): who killed whom when, as far back as is remembered.

Memory is bounded by the number of pairs in order of arrival, not by their age. A game server that
was cut off delivers hours of kills late; were old pairs forgotten by time, such a backlog would
pass unguarded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from math import exp

from adr_core.checks import SECONDS_PER_DAY

Pair = tuple[str, str, float, float]
"""Attacker, victim, time of the last counted kill, and the flow as of that time."""
Key = tuple[str, ...]
"""Attacker and victim, as one object: the compiled core takes a pair of known length apart."""

_FEW = 64


class Cooldown:
    """The last counted kill of each of the most recently counted pairs.

    Beside it, where `pair_limit` asks for it, the flow: the surprise (1 - P_ab) of the attacker's
    kills of this victim, each as far as it was counted, fading by the factor e in a day.

    Pairs wait in a queue to be forgotten. Whoever is noted again joins its end and keeps its old
    places too, of which `_void` says how many there are: that is cheaper than to leave a queue.
    """

    __slots__ = ("_flows", "_limit", "_queue", "_seconds", "_times", "_void")

    def __init__(self, seconds: float, limit: int) -> None:
        self._seconds = seconds
        self._limit = limit
        self._times: dict[Key, float] = {}
        self._flows: dict[Key, float] = {}
        self._queue: deque[Key] = deque()
        self._void: dict[Key, int] = {}

    def guards(self, pair: Key, time: float) -> bool:
        """Whether the pair's last counted kill is too near in time; at the limit no. O(1)."""
        last = self._times.get(pair)
        return last is not None and abs(time - last) < self._seconds

    def flow(self, pair: Key, time: float) -> float:
        """What has lately gone from the victim to the attacker, in this direction alone, at `time`.

        A kill that arrives late finds what there was: nothing fades backwards. O(1).
        """
        flow = self._flows.get(pair, 0.0)
        return flow * exp(min(0.0, self._times[pair] - time) / SECONDS_PER_DAY) if flow else 0.0

    def note(self, pair: Key, time: float, flow: float) -> None:
        """Remember a counted kill, and forget the pair that has waited longest if need be.

        O(1) on average: a queue that is mostly void is made anew.
        """
        times, before = self._times, len(self._times)
        times[pair] = time
        self._queue.append(pair)
        if flow:
            self._flows[pair] = flow
        elif self._flows:
            self._flows.pop(pair, None)
        if len(times) == before:
            self._void[pair] = self._void.get(pair, 0) + 1
            if len(self._queue) > 2 * before + _FEW:
                self._queue = self._in_order()
                self._void.clear()
        elif before == self._limit:
            self._forget()

    def _forget(self) -> None:
        """Let the pair go that has waited longest."""
        oldest = self._queue.popleft()
        while self._void:
            places = self._void.pop(oldest, 0)
            if not places:
                break
            if places > 1:
                self._void[oldest] = places - 1
            oldest = self._queue.popleft()
        del self._times[oldest]
        self._flows.pop(oldest, None)

    def _in_order(self) -> deque[Key]:
        """Every pair in its last place alone."""
        last_first = dict.fromkeys(reversed(self._queue))
        return deque(reversed(last_first))

    def pairs(self) -> Iterator[Pair]:
        """Every remembered pair, the oldest arrival first."""
        for pair in self._in_order():
            attacker, victim = pair
            yield attacker, victim, self._times[pair], self._flows.get(pair, 0.0)

    def fill(self, pairs: Iterable[Pair]) -> None:
        """Note many pairs, the oldest arrival first."""
        for attacker, victim, time, flow in pairs:
            self.note((attacker, victim), time, flow)
