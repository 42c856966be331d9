"""Whether stored players are as a ladder leaves them, seen at once for many of them.

A start asks it a million times, so it goes field by field through all of some hundred players, in
calls that take no Python of ours. What is not usual need not be wrong: `state_rules` then looks at
each player rule by rule, and is the one to say what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import chain, pairwise
from math import inf
from operator import le
from typing import Final

from adr_core.checks import CEILING, LATEST
from adr_core.doubles import SIZE, doubles, in_bytes
from adr_core.parameters import Parameters
from adr_core.state import FIELDS, Stored

_TEXTS: Final = {str}
_FLOATS: Final = {float}
_WHOLE: Final = {int}
_BYTES: Final = {bytes}
_SHAPE: Final = {1 + len(FIELDS)}
_SMALL: Final = bytes(range(0x41))
"""The last byte of a double holds its sign and most of its exponent: up to 0x40 it is a number from
0 to 131,072, and no change of a rating is so large."""
_EARLIEST: Final = in_bytes([-LATEST])


def usual(some: Sequence[Stored], p: Parameters, clock: float | None) -> bool:
    """Whether all of them are as a ladder leaves them. O(window) a player."""
    if clock is None or set(map(len, some)) != _SHAPE:
        return False
    fields = zip(*some, strict=True)
    who, mu, sigma, streak, trend, pool, events, last, window, tier, up, down, recent, left = fields
    return (
        _are(_TEXTS, who)
        and all(who)
        and _are(_FLOATS, mu, sigma, trend, pool, last, up, down)
        and _are(_WHOLE, streak, events, left)
        and _between(p.mu_min, mu, p.mu_max)
        and _between(p.sigma_min, sigma, p.sigma_max)
        and _between(-1.0, trend, 1.0)
        and _between(p.nu_min, pool, p.nu_max)
        and _between(0.0, up, CEILING)
        and _between(0.0, down, CEILING)
        and min(streak) >= 0 <= min(left)
        and max(left) <= p.return_events
        and _usual_tiers(tier, up, down, p)
        and _are(_BYTES, window, recent)
        and _usual_window(window, p)
        and _between(-LATEST, last, clock)
        and _usual_times(recent, events, last, p)
    )


def _are(kinds: Set[type], *columns: Sequence[object]) -> bool:
    return set(map(type, chain(*columns))) <= kinds


def _between(low: float, column: Sequence[float], high: float) -> bool:
    """Sums of NaN are in no order, nor is anything else that it takes part in for sure."""
    return low <= min(column) <= max(column) <= high and sum(column) <= inf


def _usual_tiers(
    tiers: Sequence[int | None], up: Sequence[float], down: Sequence[float], p: Parameters
) -> bool:
    """Without one there is nothing on the way to another either."""
    placed = [tier for tier in tiers if tier is not None]
    if not _are(_WHOLE, placed) or (placed and not 1 <= min(placed) <= max(placed) <= p.tiers):
        return False
    marks = zip(tiers, up, down, strict=True)
    return len(placed) == len(tiers) or not any(
        tier is None and (one or other) for tier, one, other in marks
    )


def _usual_window(windows: Sequence[bytes], p: Parameters) -> bool:
    if not set(map(len, windows)) <= _lengths(p.window):
        return False
    tops = b"".join(windows)[SIZE - 1 :: SIZE]
    return not tops.translate(None, _SMALL)


def _usual_times(
    recent: Sequence[bytes], events: Sequence[int], last: Sequence[float], p: Parameters
) -> bool:
    """Compared by places: all of the earliest with the next, and so on up to the last event."""
    count = p.n_active
    lengths = list(map(len, recent))
    if not set(lengths) <= _lengths(count):
        return False
    times = doubles(b"".join([_EARLIEST * (count - len(one) // SIZE) + one for one in recent]))
    places = [*[times[place::count] for place in range(count)], last]
    return (
        min(places[0]) >= -LATEST
        and all(all(map(le, one, later)) for one, later in pairwise(places))
        and all(map(le, lengths, [SIZE * most for most in events]))
    )


def _lengths(most: int) -> set[int]:
    """Those that up to so many numbers can have."""
    return set(range(0, SIZE * most + 1, SIZE))
