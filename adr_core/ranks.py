"""The rank index (7.4): who stands where, kept up kill by kill.

Ratings are sorted into equal cells of the occupied range, as sets: order inside a cell is made
only when somebody asks. A move within a cell is free, and one into another cell changes two sets
and two counters. Cells are counted by blocks of 256, so that counting everybody above a cell is
two short sums. The number of cells follows the number of players, so that a cell holds two
dozen or so: with fewer in each, hardly a kill would leave its players in their cells. The range
follows the ratings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from math import floor, inf
from typing import Final

from adr_core.player import Player, standing
from adr_core.steps import portions

_FAN: Final = 8
_BLOCK: Final = 1 << _FAN
_FEWEST_CELLS: Final = 16
_MOST_CELLS: Final = 1 << 16
_PLAYERS_PER_CELL: Final = 32
_CROWD: Final = 4 * _PLAYERS_PER_CELL
_NARROWEST: Final = 1e-6


class Ranks:
    """Tracked players by mu. Ranks are exact: a cell is searched by comparing the ratings."""

    __slots__ = ("_blocks", "_cells", "_last", "_low", "_moves", "_per_point", "_size")

    def __init__(self) -> None:
        self.build(())

    def build(self, players: Collection[Player]) -> None:
        """Index these players from nothing, in portions. O(P)."""
        count = _FEWEST_CELLS
        while count * _PLAYERS_PER_CELL < len(players) and count < _MOST_CELLS:
            count *= 2
        self._cells: list[set[Player]] = [set() for _ in range(count)]
        self._last = count - 1
        self._low, high = _ends(players)
        self._per_point = count / max(high - self._low, _NARROWEST)
        self._size = len(players)
        self._moves = 0
        for some in portions(players):
            for player in some:
                player.cell = place = self._cell(player.mu)
                self._cells[place].add(player)
        self._blocks = [
            sum(map(len, self._cells[first : first + _BLOCK]))
            for first in range(0, count + 1, _BLOCK)
        ]

    def add(self, player: Player) -> None:
        """Index one more player. O(1), and O(P) each time the players have doubled."""
        self._insert(player, self._cell(player.mu))
        if self._size > 2 * _PLAYERS_PER_CELL * len(self._cells) and self._last + 1 < _MOST_CELLS:
            self._rebuild()

    def move(self, player: Player) -> None:
        """Follow a player to its present mu. O(1) on average.

        The cells are laid out afresh, O(P), when one is crowded and at least P calls have gone by
        since they were last; so this too is O(1) a call.
        """
        old = player.cell
        new = floor((player.mu - self._low) * self._per_point)
        if new != old:
            new = 0 if new < 0 else self._last if new > self._last else new
        if new == old:
            return
        self._moves += 1
        self._cells[old].remove(player)
        cell = self._cells[new]
        cell.add(player)
        player.cell = new
        if new >> _FAN != old >> _FAN:
            self._blocks[old >> _FAN] -= 1
            self._blocks[new >> _FAN] += 1
        if len(cell) > _CROWD and self._moves >= self._size:
            self._rebuild()

    def rank(self, mu: float) -> int:
        """1 + the number of players with strictly greater mu.

        Two sums of at most 256 numbers and the comparison of one cell's players, which are a few
        unless many share the very same rating.
        """
        cell = self._cell(mu)
        block = cell >> _FAN
        above = sum(self._blocks[block + 1 :])
        above += sum(map(len, self._cells[cell + 1 : (block + 1) << _FAN]))
        return 1 + above + sum([player.mu > mu for player in self._cells[cell]])

    def page(self, start: int, count: int) -> list[Player]:
        """`count` players from place `start` (0 is the top) downwards. As rank, and O(count)."""
        if start >= self._size:
            return []
        cell, skip = self._locate(start)
        found: list[Player] = []
        while cell >= 0 and len(found) < skip + count:
            if self._cells[cell]:
                found.extend(sorted(self._cells[cell], key=standing))
            elif cell & (_BLOCK - 1) == _BLOCK - 1 and not self._blocks[cell >> _FAN]:
                cell -= _BLOCK - 1
            cell -= 1
        return found[skip : skip + count]

    def downwards(self) -> Iterator[set[Player]]:
        """Everybody, a few at a time: nobody in a set is below anybody in a later one. O(P)."""
        return reversed(self._cells)

    def _locate(self, place: int) -> tuple[int, int]:
        """The cell that holds this place from the top, and how many stand above it in there."""
        block = len(self._blocks) - 1
        while place >= self._blocks[block]:
            place -= self._blocks[block]
            block -= 1
        cell = min(((block + 1) << _FAN) - 1, self._last)
        while place >= len(self._cells[cell]):
            place -= len(self._cells[cell])
            cell -= 1
        return cell, place

    def _cell(self, mu: float) -> int:
        """The cell of a rating; never lower for a higher one, which is all that ranks need."""
        place = floor((mu - self._low) * self._per_point)
        return 0 if place < 0 else self._last if place > self._last else place

    def _insert(self, player: Player, cell: int) -> None:
        player.cell = cell
        self._cells[cell].add(player)
        self._blocks[cell >> _FAN] += 1
        self._size += 1

    def pieces(self) -> list[object]:
        """All that it is made of, in some hundred pieces. O(cells)."""
        return [*portions(self._cells)]

    def _rebuild(self) -> None:
        self.build([player for cell in self._cells for player in cell])


def _ends(players: Iterable[Player]) -> tuple[float, float]:
    """The lowest and the highest rating; zeros for nobody."""
    low, high = inf, -inf
    for some in portions(players):
        ratings = [player.mu for player in some]
        low, high = min(low, *ratings), max(high, *ratings)
    return (low, high) if low <= high else (0.0, 0.0)
