"""What a ladder can be asked."""

from __future__ import annotations

from collections.abc import Collection

from adr_core.errors import EventError, UnknownPlayerError
from adr_core.parameters import Parameters
from adr_core.player import NEVER, Player, Players
from adr_core.population import Population
from adr_core.rules import kill_probability
from adr_core.state import Packed, PlayerState
from adr_core.tiers import initial_boundaries


class Standings:
    """The questions of a ladder; none of them changes anything.

    Boards are ordered by mu, the greatest first, and players with equal mu by id: an order that
    no restart and no way of loading can change.
    """

    __slots__ = ("_boundaries", "_crowd", "_p")

    def __init__(self, parameters: Parameters) -> None:
        self._p = parameters
        self._boundaries = initial_boundaries(parameters)
        self._crowd = Population(parameters)

    @property
    def parameters(self) -> Parameters:
        """The parameters in force."""
        return self._p

    @property
    def boundaries(self) -> tuple[float, ...]:
        """B_1 to B_{K-1}, from the top down (6.3). O(1)."""
        return self._boundaries

    @property
    def clock(self) -> float | None:
        """Greatest time of any counted kill or calibration, seconds; None before the first."""
        clock = self._crowd.active.clock
        return None if clock == NEVER else clock

    @property
    def players(self) -> Collection[str]:
        """The ids of everybody who took part in a counted kill; a live view. O(1)."""
        return Players(self._crowd.players)

    @property
    def active_count(self) -> int:
        """How many players are active at the clock, before any fallback (2.3). O(1)."""
        return self._crowd.active.count

    def player(self, player: str) -> PlayerState:
        """A player's stored state, without the decay of an absence that still goes on. O(1).

        Raises UnknownPlayerError.
        """
        return self._known(player).state(self._p)

    def packed(self, player: str) -> Packed:
        """The same as a table has it, in less time. O(1). Raises UnknownPlayerError."""
        return self._known(player).packed(self._p)

    def rank(self, player: str) -> int:
        """1 + the number of players with strictly greater mu (7.4). O(log P) on average.

        Players that share the very same mu are compared one by one. Raises UnknownPlayerError.
        """
        return self._crowd.ranks.rank(self._known(player).mu)

    def top(self, count: int) -> list[tuple[str, PlayerState]]:
        """The `count` best players, by mu and for equal mu by id. O(log P + count) on average."""
        return self.page(0, count)

    def page(self, start: int, count: int) -> list[tuple[str, PlayerState]]:
        """`count` players in that order after skipping `start`. O(log P + count) on average."""
        for number in (start, count):
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise EventError(f"{number!r}: must be a whole number from 0")
        return [
            (player.id, player.state(self._p)) for player in self._crowd.ranks.page(start, count)
        ]

    def probability(self, attacker: str, victim: str) -> float:
        """P_ab of 3.1 from the stored states, without decay. O(1). Raises UnknownPlayerError."""
        lead = self._known(attacker).mu - self._known(victim).mu
        return kill_probability(lead, self._crowd.mean_sigma(), self._p)

    def _known(self, player: str) -> Player:
        found = self._crowd.players.get(player) if isinstance(player, str) else None
        if found is None:
            raise UnknownPlayerError(player)
        return found
