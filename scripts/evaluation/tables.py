"""Tables in Markdown: mean and spread over seeds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def number(value: float, digits: int) -> str:
    return "–" if not math.isfinite(value) else f"{value:.{digits}f}"


def summary(values: Sequence[float], digits: int) -> str:
    """Mean ± standard deviation over seeds; the median where some never arrived (infinity).

    One seed has no spread.
    """
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return "–"
    never = sum(math.isinf(value) for value in known)
    if never:
        middle = statistics.median(known)
        if len(known) == 1:
            return "never"
        shown = "never" if math.isinf(middle) else f"median {number(middle, digits)}"
        return f"{shown} ({never} of {len(known)} never)"
    mean = number(statistics.fmean(known), digits)
    return f"{mean} ± {number(statistics.stdev(known), digits)}" if len(known) > 1 else mean


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column is text, the others are numbers."""
    lines = [
        "| " + " | ".join(heads) + " |",
        "|" + "|".join([" --- ", *[" ---: "] * (len(heads) - 1)]) + "|",
    ]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


Column = tuple[str, str, int]
"""Heading, name of the measure, digits."""


def measures(values: dict[str, dict[str, list[float]]], columns: Sequence[Column]) -> str:
    """A row for each system that has any of these measures."""
    rows = []
    for system, known in values.items():
        if any(name in known for _, name, _ in columns):
            cells = [summary(known.get(name, []), digits) for _, name, digits in columns]
            rows.append([system, *cells])
    return table(["", *[head for head, _, _ in columns]], rows)
