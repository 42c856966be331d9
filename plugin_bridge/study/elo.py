"""Elo, with a fixed K and with one that falls with experience."""

from __future__ import annotations


class Elo:
    """Elo with a fixed K. Cost: O(1) a kill."""

    def __init__(self, k: float = 32.0, start: float = 1000.0) -> None:
        self.k = k
        self.start = start
        self.ratings: dict[str, float] = {}

    def observe(self, killer: str, victim: str, time: float) -> float:
        ours, theirs = self.rating(killer), self.rating(victim)
        chance: float = 1.0 / (1.0 + 10.0 ** ((theirs - ours) / 400.0))
        self.ratings[killer] = ours + self.factor(killer) * (1.0 - chance)
        self.ratings[victim] = theirs - self.factor(victim) * (1.0 - chance)
        return chance

    def rating(self, player: str) -> float:
        return self.ratings.get(player, self.start)

    def factor(self, player: str) -> float:
        return self.k


class DynamicElo(Elo):
    """Elo whose K falls with the player's own games, like a / (1 + b n), to a floor.

    The form is the uncertainty function that adaptive-learning systems use with Elo.
    """

    def __init__(self, k: float = 16.0, first: float = 80.0, fall: float = 0.05) -> None:
        super().__init__(k)
        self.first = first
        self.fall = fall
        self.games: dict[str, int] = {}

    def factor(self, player: str) -> float:
        played = self.games.get(player, 0)
        self.games[player] = played + 1
        return max(self.k, self.first / (1.0 + self.fall * played))
