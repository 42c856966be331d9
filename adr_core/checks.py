"""Numbers, times and ids as they come from outside, made sure of.

Every number has a ceiling, and every divisor a floor, far outside anything useful. They are what
turns the boundedness of section 7.1 from a statement about real numbers into one about floats:
between them no product of an update overflows and no quotient divides by zero.
"""

from __future__ import annotations

import math
from typing import Final

from adr_core.errors import EventError

CEILING: Final = 1e9
"""The largest magnitude of a parameter or rating."""

FLOOR: Final = 1e-9
"""The smallest value of anything that must be above zero."""

LATEST: Final = 1e15
"""The largest magnitude of a time, in seconds: some thirty million years."""

SECONDS_PER_DAY: Final = 86_400.0


def real(value: object) -> float | None:
    """The value as a finite float, or None when it is not a finite number (a bool is none)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def moment(time: object) -> float:
    """A time in seconds as a float; raises EventError."""
    if type(time) is float and -LATEST <= time <= LATEST:  # NaN compares false; the usual case
        return time
    number = real(time)
    if number is None or abs(number) > LATEST:
        raise EventError(f"time = {time!r}: must be a finite number of seconds within ±1e15")
    return number


def name(role: str, player: object) -> str:
    """A player's id, which is any text but the empty one; raises EventError."""
    if not isinstance(player, str) or not player:
        raise EventError(f"{role} = {player!r}: must be a text that is not empty")
    return player


def clip(value: float, low: float, high: float) -> float:
    """The value, or the end of the interval that it is beyond."""
    return low if value < low else high if value > high else value
