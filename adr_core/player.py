"""A tracked player as the ladder holds it: its stored state, and what is derived from it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from adr_core.grid import grid, mean
from adr_core.state import PlayerState


class Player:
    """One tracked player.

    `state` is the whole truth and is replaced, never changed. The rest is derived from it, kept
    because every kill asks for it, and set by the class that looks after it:

    mu: state.mu, one step nearer.
    grid_mu, grid_sigma: what the player adds to the sums (population).
    grid_window: the sum of the window, or -1 as long as nobody has asked: most of the players that
        are loaded do not fight before the next restart.
    active: whether it belongs to the active set (active).
    cell: where it sits in the rank index (ranks).
    serial: a number of its own, so that players with equal keys need not be compared.
    """

    __slots__ = (
        "active",
        "cell",
        "grid_mu",
        "grid_sigma",
        "grid_window",
        "id",
        "mu",
        "serial",
        "state",
    )

    def __init__(self, player_id: str, serial: int, state: PlayerState) -> None:
        self.id: Final = player_id
        self.serial: Final = serial
        self.state = state
        self.mu = state.mu
        self.grid_mu = grid(state.mu)
        self.grid_sigma = grid(state.sigma)
        self.grid_window = -1
        self.active = False
        self.cell = 0

    def shaken(self) -> float:
        """The mean size of the last visible changes, the V of 4.1. O(1), at first O(window)."""
        window = self.state.window
        if self.grid_window < 0:
            self.grid_window = sum([grid(change) for change in window])
        return mean(self.grid_window, len(window)) if window else 0.0


def standing(player: Player) -> tuple[float, str]:
    """Sort key of every board: mu downwards, equal mu by id, which no restart can change."""
    return -player.mu, player.id


class Players(Collection[str]):
    """The ids of the tracked players: a live view with len, in and iteration, in no set order."""

    def __init__(self, tracked: dict[str, Player]) -> None:
        self._tracked = tracked

    def __len__(self) -> int:
        return len(self._tracked)

    def __contains__(self, player: object) -> bool:
        return player in self._tracked

    def __iter__(self) -> Iterator[str]:
        return iter(self._tracked)
