"""The state of a whole ladder: everything that a later result can depend on.

A ladder loaded from it goes on exactly as the one it was taken from, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

from adr_core import state_json
from adr_core.cooldown import Pair
from adr_core.state import PlayerState


@dataclass(frozen=True, slots=True)
class LadderState:
    """A whole ladder, apart from its parameters.

    players: id and state of every tracked player. Their order decides nothing but the order of
        the next dump.
    boundaries: B_1 to B_{K-1}, from the top down (6.3); None for those before the first
        calibration, which follow from the parameters.
    clock: greatest time of any counted kill or calibration, seconds; None before the first.
    pairs: attacker, victim, time and flow of each remembered pair, in order of arrival,
        the oldest first, each pair once (2.1).
    """

    players: tuple[tuple[str, PlayerState], ...] = ()
    boundaries: tuple[float, ...] | None = None
    clock: float | None = None
    pairs: tuple[Pair, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self.players))
        object.__setattr__(self, "pairs", tuple(self.pairs))
        if self.boundaries is not None:
            object.__setattr__(self, "boundaries", tuple(self.boundaries))

    def to_json(self) -> str:
        """The state as JSON text, every float exact; from_json gives back an equal state. O(P)."""
        return state_json.written(self.players, self.boundaries, self.clock, self.pairs)

    @classmethod
    def from_json(cls, text: str) -> LadderState:
        """The state from its JSON text; raises StateError, naming player and field. O(P)."""
        return cls(*state_json.parsed(text))
