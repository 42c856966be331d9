"""Whether ratings pile up at the lowest and the highest that there are, and what helps.

Whoever sits there can no longer be told apart from the others there, and kills change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adr_core import Parameters

NEAR = 1 / 80
"""So close to a bound, as a part of the whole range, counts as sitting at it: 50 of 4000 points."""

CROWDED = 0.02
"""The share of the active players at the bounds that is no longer chance."""

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """Counts: players active in the sense of 2.3, and those of them at either bound."""

    active: int
    bottom: int
    top: int

    @property
    def share(self) -> float:
        return (self.bottom + self.top) / self.active if self.active else 0.0

    @property
    def crowded(self) -> bool:
        return self.share > CROWDED


def since(clock: float, p: Parameters) -> float:
    """The time that the events of active players are later than."""
    return clock - p.t_active * DAY


def is_active(recent: Sequence[float], clock: float, p: Parameters) -> bool:
    """Whether a player with these latest event times, ascending, is active (2.3)."""
    return len(recent) >= p.n_active and recent[0] > since(clock, p)


def at_bounds(
    players: Iterable[tuple[float, Sequence[float]]], clock: float, p: Parameters
) -> Bounds:
    """Counts among players given as mu and their latest event times, ascending. O(P)."""
    near = NEAR * (p.mu_max - p.mu_min)
    active = [mu for mu, recent in players if is_active(recent, clock, p)]
    return Bounds(
        len(active),
        sum(mu <= p.mu_min + near for mu in active),
        sum(mu >= p.mu_max - near for mu in active),
    )


def cure(p: Parameters) -> str:
    """What to write under `rating` in config.yml, in the notation of that file."""
    if p.victim_loss == "winner_probability":
        return "preset: calibrated"
    if p.c_loss < 1.0:
        return "parameters: {c_loss: 1}"
    span = p.mu_max - p.mu_min
    return f"parameters: {{mu_min: {p.mu_min - span / 2:g}, mu_max: {p.mu_max + span / 2:g}}}"
