"""All tracked players with everything a kill asks of the crowd, none of it ever recounted.

The mean uncertainty (3.2), the active players' mean skill (5) and the rank index are kept up to
date by every change of a state. The sums are whole numbers on a grid, so that they depend on the
states alone and not on the way that led there. Sums of mu are in two parts, whole ones and a
rest: so neither grows beyond what the compiled core can add up without making objects.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from math import floor

from adr_core.active import ActiveSet
from adr_core.checks import SECONDS_PER_DAY
from adr_core.grid import BITS, FRACTION, UNIT, grid, mean
from adr_core.parameters import Parameters
from adr_core.player import Player
from adr_core.ranks import Ranks
from adr_core.state import PlayerState, Stored
from adr_core.steps import portions


class Population:
    """The set P, the active set A within it, and the order of ratings."""

    __slots__ = ("_ranked", "_rest_mu", "_total_sigma", "_whole_mu", "active", "players", "ranks")

    def __init__(self, p: Parameters) -> None:
        self.players: dict[str, Player] = {}
        self.active = ActiveSet(p.t_active * SECONDS_PER_DAY, p.n_active)
        self.ranks = Ranks()
        self._ranked = True
        self._whole_mu = 0
        self._rest_mu = 0
        self._total_sigma = 0

    @classmethod
    def of(
        cls, players: Iterable[Sequence[Stored]], clock: float | None, p: Parameters
    ) -> Population:
        """These players at this clock of the ladder, portion by portion. O(P)."""
        self = cls(p)
        self.active.begin(clock)
        for some in players:
            made = [Player(p, *one) for one in some]
            self.players.update({player.id: player for player in made})
            self._whole_mu += sum([player.grid_mu >> BITS for player in made])
            self._rest_mu += sum([player.grid_mu & FRACTION for player in made])
            self._total_sigma += sum([player.grid_sigma for player in made])
            for player in made:
                self.active.welcome(player)
        self.ranks.build(self.players.values())
        return self

    def pieces(self) -> list[object]:
        """All that it is made of, the players first: for `let_go`, once nobody needs it. O(P)."""
        players: list[object] = [*portions(self.players.values())]
        return [*players, *self.ranks.pieces(), *self.active.pieces()]

    def enter(self, player_id: str, state: PlayerState, p: Parameters) -> Player:
        """Start tracking somebody. O(1) on average."""
        player = Player(p, player_id, *state.packed())
        self._track(player)
        if self._ranked:
            self.ranks.add(player)
        return player

    def _track(self, player: Player) -> None:
        self.players[player.id] = player
        self._whole_mu += player.grid_mu >> BITS
        self._rest_mu += player.grid_mu & FRACTION
        self._total_sigma += player.grid_sigma

    def follow(self, player: Player) -> None:
        """Take account of what one more event has made of a player. O(log P)."""
        grid_mu, grid_sigma = grid(player.mu), floor(player.sigma * UNIT)
        moved = grid_mu - player.grid_mu
        self._rest_mu += moved
        self._total_sigma += grid_sigma - player.grid_sigma
        player.grid_mu = grid_mu
        player.grid_sigma = grid_sigma
        if player.active:
            self.active.rest_mu += moved
        else:
            self.active.welcome(player)
        if self._ranked:
            self.ranks.move(player)

    def keep_ranks(self, kept: bool) -> None:
        """Whether the rank index follows every change; it is made anew when it does again. O(P)."""
        self._ranked = kept
        self.ranks.build(self.players.values() if kept else ())

    def mean_sigma(self, more: float = 0.0) -> float:
        """Mean uncertainty of the tracked players, of which there must be one. O(1).

        more: by how much their sum is greater after the decay of some of them.
        """
        count: int = len(self.players)
        return (self._total_sigma / UNIT + more) / count

    def mean_mu(self) -> float:
        """Mean mu of the tracked players, of which there must be one. O(1)."""
        return mean(self._whole_mu, self._rest_mu, len(self.players))

    def active_mean(self) -> float:
        """Mean mu of the active set, or of everybody when nobody is active (2.3). O(1)."""
        active = self.active
        if not active.count:
            return self.mean_mu()
        return mean(active.whole_mu, active.rest_mu, active.count)

    def active_count(self) -> int:
        """Size of the active set, or of everybody when nobody is active (2.3). O(1)."""
        return self.active.count or len(self.players)

    def active_skills(self) -> Generator[None, None, list[float]]:
        """The mu of the active set, or of everybody when nobody is active (2.3), upwards.

        In steps of a few players. O(P).
        """
        skills: list[float] = []
        for few in self.active_cells():
            skills += sorted([player.mu for player in few], reverse=True)
            yield
        skills.reverse()
        return skills

    def active_cells(self) -> Iterator[list[Player]]:
        """The active set, or everybody when nobody is active (2.3), a few players at a time.

        No player is below one of a later list, and within a list there is no order. O(P).
        """
        everybody = not self.active.count
        for cell in self.ranks.downwards():
            yield [player for player in cell if everybody or player.active]
