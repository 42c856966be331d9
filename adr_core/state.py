"""What has to be kept: the state of a player (2.2) and of a whole ladder.

These values hold everything that a later result can depend on. A ladder made from them goes on
exactly as the one they were taken from, to the last bit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from adr_core.parameters import Parameters


@dataclass(frozen=True, slots=True)
class PlayerState:
    """One player after its last counted event.

    mu: skill estimate, points.
    sigma: uncertainty, points.
    streak: kills since the last death.
    trend: moving average of surprise, -1 to 1 (4.4).
    pool: score held back by the safeguard, points (8.3).
    events: counted kills and deaths.
    last_event: greatest time of them in seconds; None before the first.
    window: sizes of the last visible changes, points, newest last, at most L of them (2.2).
    tier: 1 is the best; None before placement (6.1).
    promotion, demotion: the accumulators of 6.4, points.
    recent: the n_active greatest event times, ascending (2.3).
    returning: coming events that stay under the safeguards of section 8.
    """

    mu: float
    sigma: float
    streak: int
    trend: float
    pool: float
    events: int
    last_event: float | None
    window: tuple[float, ...]
    tier: int | None
    promotion: float
    demotion: float
    recent: tuple[float, ...]
    returning: int

    @classmethod
    def initial(cls, p: Parameters) -> PlayerState:
        """Somebody who has not yet taken part in a counted kill (2.2)."""
        return cls(p.mu_0, p.sigma_0, 0, 0.0, 0.0, 0, None, (), None, 0.0, 0.0, (), 0)


@dataclass(frozen=True, slots=True)
class LadderState:
    """A whole ladder, apart from its parameters.

    players: id and state of every tracked player. Their order decides nothing but the order of
        the next dump.
    boundaries: B_1 to B_{K-1}, from the top down (6.3); None for those before the first
        calibration, which follow from the parameters.
    clock: greatest time of any counted kill or calibration, seconds; None before the first.
    pairs: attacker, victim and time of each remembered kill, in order of arrival, the oldest
        first, each pair once (2.1).
    """

    players: tuple[tuple[str, PlayerState], ...] = ()
    boundaries: tuple[float, ...] | None = None
    clock: float | None = None
    pairs: tuple[tuple[str, str, float], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self.players))
        object.__setattr__(self, "pairs", tuple(self.pairs))
        if self.boundaries is not None:
            object.__setattr__(self, "boundaries", tuple(self.boundaries))

    def to_json(self) -> str:
        """The state as JSON text, every float exact; from_json gives back an equal state. O(P)."""
        return json.dumps(
            {
                "format": 1,
                "clock": self.clock,
                "boundaries": self.boundaries,
                "players": [{"id": name, **_fields(state)} for name, state in self.players],
                "pairs": self.pairs,
            },
            allow_nan=False,
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> LadderState:
        """The state from its JSON text; raises StateError, naming player and field. O(P)."""
        from adr_core.state_json import parsed  # noqa: PLC0415  (it needs the classes above)

        return parsed(text)


def _fields(state: PlayerState) -> dict[str, object]:
    return {name: getattr(state, name) for name in PlayerState.__slots__}
