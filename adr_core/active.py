"""The active set (2.3), kept up as the clock goes on instead of being looked for.

Only the n_active greatest event times of a player decide: it is active while the smallest of
these is after the edge, which is the ladder's clock less t_active. The edge never goes back, so a
player leaves at a moment that is known in advance, and waits for it in the span of time that the
moment lies in. It is not moved when it goes on playing; it is looked at when its span comes, and
waits on if it has earned more time. Only the span that the edge is in is kept in order, as a heap.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from math import floor
from typing import Final

from adr_core.grid import BITS, FRACTION
from adr_core.player import Player

_SPANS: Final = 256
"""So many of them make t_active."""
_BEFORE_ALL: Final = -(10**30)


class ActiveSet:
    """Who is active at the edge: how many, and the grid sum of their mu, whole ones and the rest.

    clock: greatest time of any counted kill or calibration, seconds; -inf before the first.
    """

    __slots__ = (
        "_ahead",
        "_edge",
        "_events",
        "_first",
        "_next",
        "_now",
        "_per_second",
        "_seconds",
        "_span",
        "_waiting",
        "clock",
        "count",
        "rest_mu",
        "whole_mu",
    )

    def __init__(self, seconds: float, events: int) -> None:
        """`seconds`: t_active; `events`: n_active."""
        self._seconds = seconds
        self._events = events
        self._per_second = _SPANS / seconds
        self.clock = -math.inf
        self._edge = -math.inf
        self._span = _BEFORE_ALL
        self._next = -math.inf  # where the next span begins
        self._first = math.inf  # when somebody in this one has to be looked at
        self._now: list[tuple[float, str, Player]] = []
        self._waiting: dict[int, list[Player]] = {}
        self._ahead: list[int] = []
        self.count = 0
        self.whole_mu = 0
        self.rest_mu = 0

    def advance(self, clock: float) -> None:
        """Go on to this time if it is later, and let whoever is no longer active go.

        The clock never goes back, so that a late packet does not revive the past (2.3). A player
        is looked at twice in t_active at most, so a kill pays O(log P) on average.
        """
        if clock <= self.clock:
            return
        self.clock = clock
        self._edge = edge = clock - self._seconds
        if edge * self._per_second >= self._next:
            self._open(self._span_of(edge))
        while self._first <= edge:
            self._look_at(heappop(self._now)[2])
            self._first = self._now[0][0] if self._now else math.inf

    def _open(self, span: int) -> None:
        """Go on to this span, and look at everybody whose span has come. O(log P) for each."""
        self._span, self._next = span, span + 1.0
        while self._ahead and self._ahead[0] <= span:
            for player in self._waiting.pop(heappop(self._ahead)):
                self._wait(player, player.active_until(self._events))

    def _look_at(self, player: Player) -> None:
        """Let somebody go, or wait on who has earned more time."""
        until = player.active_until(self._events)
        if until > self._edge:
            self._wait(player, until)
        else:
            player.active = False
            self.count -= 1
            self.whole_mu -= player.grid_mu >> BITS
            self.rest_mu -= player.grid_mu & FRACTION

    def _wait(self, player: Player, until: float) -> None:
        span = self._span_of(until)
        waiting = self._waiting.get(span)
        if span <= self._span:
            heappush(self._now, (until, player.id, player))
            self._first = min(self._first, until)
        elif waiting is None:
            heappush(self._ahead, span)
            self._waiting[span] = [player]
        else:
            waiting.append(player)

    def _span_of(self, time: float) -> int:
        """Never lower for a later time, which is all that exactness needs."""
        return floor(time * self._per_second)

    def welcome(self, player: Player) -> None:
        """Take in a player who is not active, if the event times make it so. O(log P) at most."""
        until = player.active_until(self._events)
        if until > self._edge:
            player.active = True
            self.count += 1
            self.whole_mu += player.grid_mu >> BITS
            self.rest_mu += player.grid_mu & FRACTION
            self._wait(player, until)

    def pieces(self) -> list[object]:
        """All that it is made of, in some hundred pieces. O(1)."""
        return [*self._waiting.values()]

    def begin(self, clock: float | None) -> None:
        """Be at this clock of the ladder; nobody is there yet. O(1)."""
        if clock is not None:
            self.clock = clock
            self._edge = clock - self._seconds
            self._open(self._span_of(self._edge))
