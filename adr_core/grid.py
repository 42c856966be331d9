"""Sums that do not remember how they came about.

A running sum of floats depends on the order of its additions, so a ladder that was stopped and
loaded again would disagree with one that ran on, first in the last bit and later in a tier. Here a
value enters a sum as a whole multiple of 2⁻⁴⁰, and whole numbers add up the same in any order. The
rounding is some 1e-12 of a rating point per player, and concerns the two means alone (sections
3.2 and 5); the ratings themselves are never rounded.
"""

from __future__ import annotations

from typing import Final

BITS: Final = 40
UNIT: Final = float(1 << BITS)


def grid(value: float) -> int:
    """The value in units of 2⁻⁴⁰, cut towards zero.

    Where every kill comes by it is written out, as `int(value * UNIT)`: ten calls would take as
    long as all the arithmetic of a kill.
    """
    return int(value * UNIT)


def mean(total: int, count: int) -> float:
    """The mean of `count` grid values that add up to `total`.

    Each number becomes a float by itself: a quotient of whole numbers is rounded once by Python,
    but twice by what mypyc makes of it.
    """
    return float(total) / (UNIT * count)
