"""Why a rating moved by so much: what is kept of each counted kill, and what it says. Pure.

Kept is what the learning rate of 4.1 was made from. The factors follow from it and the parameters
that were in force, by the very function that rates.
"""

import struct
from dataclasses import dataclass
from math import isclose

from adr_core import Parameters, Side
from adr_core.rules import learning_rate

_LONGEST = 1_000_000
"""A streak beyond it makes no difference to anybody."""
_FORMAT = struct.Struct("<7f")
_BOTH = struct.Struct("<14f")
"""Single precision: people read it, nothing is computed on."""


@dataclass(frozen=True, slots=True)
class Step:
    """One player's side of a counted kill.

    sigma: uncertainty, after an absence if there was one; shaken: mean size of the last changes;
    days: how long the player was away; guarded: 1 under the safeguards of a return, else 0;
    change: the visible change, in points, without what the absence cost.
    """

    sigma: float
    streak: float
    shaken: float
    trend: float
    days: float
    guarded: float
    change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """base: points of a complete surprise; then factors; limit: what else changed the step."""

    base: float
    streak: float
    calm: float
    trend: float
    surprise: float
    limit: str | None


def kept(killer: Side, victim: Side) -> bytes:
    """Both sides of a kill, 28 bytes each, in the order of `Step`. O(1)."""
    return _BOTH.pack(
        killer.sigma,
        min(killer.streak, _LONGEST),
        killer.shaken,
        killer.trend,
        killer.days,
        killer.guarded,
        killer.change,
        victim.sigma,
        min(victim.streak, _LONGEST),
        victim.shaken,
        victim.trend,
        victim.days,
        victim.guarded,
        victim.change,
    )


def steps(blob: bytes) -> tuple[Step, Step]:
    """The killer's side and the victim's."""
    half = len(blob) // 2
    return Step(*_FORMAT.unpack(blob[:half])), Step(*_FORMAT.unpack(blob[half:]))


def why(step: Step, chance: float, p: Parameters, *, killed: bool) -> Why:
    """What made the step; `chance`: how probable it was that this killer would win."""
    streak = int(step.streak)
    rate = learning_rate(step.sigma, streak, step.shaken, step.trend, p)
    surprise = 1.0 - chance
    if not killed:
        letter = p.victim_loss == "winner_probability"
        surprise = -p.c_loss * (chance if letter else surprise)
    return Why(
        base=learning_rate(step.sigma, 0, 0.0, 0.0, p),
        streak=rate / learning_rate(step.sigma, 0, step.shaken, step.trend, p),
        calm=rate / learning_rate(step.sigma, streak, 0.0, step.trend, p),
        trend=rate / learning_rate(step.sigma, streak, step.shaken, 0.0, p),
        surprise=surprise,
        limit=_limit(step, rate * surprise, p),
    )


def _limit(step: Step, expected: float, p: Parameters) -> str | None:
    if step.guarded:
        return "returning"
    if abs(step.change) >= p.delta_max * (1 - 1e-6):
        return "capped"
    if isclose(step.change, expected, rel_tol=1e-3, abs_tol=0.05):
        return None
    return "repeated" if p.pair_limit and abs(step.change) < abs(expected) else "other"
