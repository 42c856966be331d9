"""Sums that do not remember how they came about.

A running sum of floats depends on the order of its additions, so a ladder that was stopped and
loaded again would disagree with one that ran on, first in the last bit and later in a tier. Here a
value enters a sum as a whole multiple of 2⁻⁴⁰, and whole numbers add up the same in any order. The
rounding is some 1e-12 of a rating point per player, and concerns the two means alone (sections
3.2 and 5); the ratings themselves are never rounded.
"""

from __future__ import annotations

from math import floor
from typing import Final

BITS: Final = 40
UNIT: Final = 2.0**BITS
FRACTION: Final = (1 << BITS) - 1
"""The bits of a grid value that are less than a whole one."""


def grid(value: float) -> int:
    """The value in units of 2⁻⁴⁰, cut towards zero.

    Of what is never negative it is `floor(value * UNIT)`, written out where every kill comes by.
    """
    units = value * UNIT
    return floor(units) if units >= 0.0 else -floor(-units)


def mean(whole: int, rest: int, count: int) -> float:
    """The mean of `count` grid values whose sum is so many whole ones and a rest of any size.

    Either part is exact as a float, so that the sum is rounded once, as one number would be.
    """
    whole += rest >> BITS
    return (whole * UNIT + (rest & FRACTION)) / (UNIT * count)
