"""How many of all participants each one is expected to beat, for fields of any size.

The sum that is wanted, at every rating x of the field, is

    f(x) = sum over all j of g(x - R_j),    g(d) = 1 / (1 + 10^(-d / scale)),

the logistic curve in rating points. Pair by pair that takes N² evaluations, ten thousand million
for 100,000 participants. Yet g is as smooth as a curve can be: it has no singularity within
pi / ln 10 = 1.364 scales around any real point, so close by it is a short polynomial.

So the ratings are put into cells a tenth of a scale wide. Of each cell only the moments count: the
sums of the powers of the distances from its middle. Between two cells whose middles are d apart,

    g(d + t - s) = sum over n of a_n(d) (t - s)^n,

with t and s the places of target and source in their cells; multiplied out, this turns the moments
of the source cell into the coefficients of a polynomial in t, to be added to those of the target
cell. In the end each participant evaluates the polynomial of its own cell.

The error: |t - s| is at most w = 0.1 scales. On the disc of radius r = 1.25 scales around a real
point |g| <= 1 / sin(1.25 ln 10) < 3.84, so that a_n <= 3.84 / r^n, and what is cut off after
degree 14 is below 3.84 (w / r)^15 / (1 - w / r) < 1.5e-16 for each opponent: less than rounding.
By the same bounds the terms shrink by 0.08 a degree, so nothing large cancels. Cells more than 16
scales apart are taken as certain, which is off by 1e-16 for each opponent at most. Over a contest
of N, where the sum is divided by sqrt(N - 1) and multiplied by K, that leaves the change of a
rating within 40 sqrt(N) 3e-16: 4e-12 points for 100,000 participants, and rounding of that order.

Small fields, and those with few different ratings, are added up pair by pair of ratings.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from operator import mul
from typing import Final

_DEGREE: Final = 14
_CELLS_A_SCALE: Final = 10
_CERTAIN_SCALES: Final = 16
_FEW: Final = 300
"""Up to so many different ratings, pairs are quicker than cells."""

_BINOMIALS: Final = [[math.comb(n, k) for k in range(n + 1)] for n in range(_DEGREE + 1)]
_LN_10: Final = math.log(10.0)


def beaten_by(ratings: Sequence[float], scale: float) -> list[float]:
    """For each rating the sum of g over the whole field, oneself (one half) included.

    The order of the input changes nothing in any of them, to the last bit. Cost: O(N log N) for
    sorting, O(N) for the rest, with at most 320 neighbours for each of the cells that hold anybody.
    """
    counts = Counter(ratings)
    ladder = sorted(counts)
    sums = (
        _by_pairs(ladder, counts, scale)
        if len(ladder) <= _FEW
        else _by_cells(ladder, counts, scale)
    )
    return [sums[rating] for rating in ratings]


def _by_pairs(ladder: list[float], counts: Counter[float], scale: float) -> dict[float, float]:
    """The letter, for each pair of different ratings."""
    many = [counts[rating] for rating in ladder]
    return {
        x: math.fsum(
            n * _logistic((x - y) / scale * _LN_10) for y, n in zip(ladder, many, strict=True)
        )
        for x in ladder
    }


def _logistic(z: float) -> float:
    """1 / (1 + e^-z) without overflow."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    odds = math.exp(z)
    return odds / (1.0 + odds)


def _by_cells(ladder: list[float], counts: Counter[float], scale: float) -> dict[float, float]:
    """The same by cells. `ladder` is sorted, so that all sums run in one order."""
    width = scale / _CELLS_A_SCALE
    cells: dict[int, list[float]] = {}
    for rating in ladder:
        cells.setdefault(math.floor(rating / width), []).append(rating)
    places = {
        cell: [rating / width - (cell + 0.5) for rating in there] for cell, there in cells.items()
    }
    moments = {
        cell: _moments([float(counts[rating]) for rating in there], places[cell])
        for cell, there in cells.items()
    }
    locals_ = _gathered(moments)
    sums: dict[float, float] = {}
    for cell, there in cells.items():
        sums.update(zip(there, _evaluated(locals_[cell], places[cell]), strict=True))
    return sums


def _moments(weights: list[float], places: list[float]) -> list[float]:
    """The sums of weight times (-s)^k, for k up to the degree."""
    terms, back = weights, [-place for place in places]
    moments = [math.fsum(terms)]
    for _ in range(_DEGREE):
        terms = list(map(mul, terms, back))
        moments.append(math.fsum(terms))
    return moments


def _gathered(moments: dict[int, list[float]]) -> dict[int, list[float]]:
    """For each cell the polynomial that all cells together make in it."""
    operators: dict[int, list[list[float]]] = {}
    order, reach = list(moments), _CERTAIN_SCALES * _CELLS_A_SCALE
    first = last = 0
    below = 0.0
    """How many stand so far below that beating them is certain; those far above are not added."""
    gathered = {}
    for cell in order:
        while cell - order[first] > reach:
            below += moments[order[first]][0]
            first += 1
        while last < len(order) and order[last] - cell <= reach:
            last += 1
        local = [below] + [0.0] * _DEGREE
        for other in order[first:last]:
            apart = cell - other
            operator = operators.get(apart) or operators.setdefault(apart, _operator(apart))
            there = moments[other]
            for degree, row in enumerate(operator):
                local[degree] += math.fsum(map(mul, row, there))
        gathered[cell] = local
    return gathered


def _operator(apart: int) -> list[list[float]]:
    """Row l makes the coefficient of t^l out of the moments of a cell that many cells below."""
    step = _LN_10 / _CELLS_A_SCALE
    series = [_logistic(apart * step)]
    for n in range(_DEGREE):  # g' = g (1 - g), in powers of the distance in cells
        square = math.fsum(map(mul, series, reversed(series)))
        series.append(step / (n + 1) * (series[n] - square))
    return [
        [_BINOMIALS[row + k][k] * series[row + k] for k in range(_DEGREE + 1 - row)]
        for row in range(_DEGREE + 1)
    ]


def _evaluated(polynomial: list[float], places: list[float]) -> list[float]:
    """The polynomial at each of the places."""
    values = [polynomial[-1]] * len(places)
    for coefficient in reversed(polynomial[:-1]):
        values = [value * place + coefficient for value, place in zip(values, places, strict=True)]
    return values
