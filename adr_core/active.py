"""The active set (2.3), kept up as the clock goes on instead of being looked for.

Only the n_active greatest event times of a player decide: it is active while the smallest of
these is after the edge, which is the ladder's clock less t_active. The edge never goes back, so a
player leaves at a moment that is known in advance, and waits for it in a heap. An entry is not
moved when its player goes on playing; it is looked at when its moment comes and put back if the
player has earned more time. So the heap holds exactly the active players.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from heapq import heapify, heappop, heappush, heapreplace

from adr_core.player import Player


class ActiveSet:
    """Who is active at the edge, and the grid sum of their mu.

    `leaving` is the heap: it has exactly one entry for each active player.
    """

    __slots__ = ("_edge", "_needed", "leaving", "total_mu")

    def __init__(self, needed: int) -> None:
        self._needed = needed
        self._edge = -math.inf
        self.leaving: list[tuple[float, str, Player]] = []
        self.total_mu = 0

    def advance(self, edge: float) -> None:
        """Let the edge reach `edge`, and whoever is no longer active go.

        O(log P) for each player that leaves or is looked at again; a player is looked at at most
        once per t_active, so a kill pays O(log P) on average.
        """
        self._edge = edge
        leaving = self.leaving
        while leaving and leaving[0][0] <= edge:
            player = leaving[0][2]
            key = player.active_until(self._needed)
            if key > edge:
                heapreplace(leaving, (key, player.id, player))
            else:
                heappop(leaving)
                player.active = False
                self.total_mu -= player.grid_mu

    def welcome(self, player: Player) -> None:
        """Take in a player who is not active, if the event times make it so. O(log P)."""
        key = player.active_until(self._needed)
        if key > self._edge:
            player.active = True
            self.total_mu += player.grid_mu
            heappush(self.leaving, (key, player.id, player))

    def fill(self, players: Iterable[Player], edge: float) -> None:
        """Start again at an edge with these players, in one pass. O(P)."""
        self._edge = edge
        self.leaving = []
        self.total_mu = 0
        for player in players:
            key = player.active_until(self._needed)
            player.active = key > edge
            if player.active:
                self.total_mu += player.grid_mu
                self.leaving.append((key, player.id, player))
        heapify(self.leaving)
