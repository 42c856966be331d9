"""Pairs of players whose kills look arranged: what is unusual about them, in numbers and words.

Everything is held against what the same players do otherwise, so that busy players and small
servers are not suspicious by themselves. None of it proves anything.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plugin_bridge.store.survey import PairDay

LEAST = 15
"""Kills between two players below which nothing is said about them."""

IN_A_DAY = 10
"""Kills of one player by another in a day that may be unusual."""

MANIFOLD = 4.0
"""So many times more kills in a day than expected are unusual, if they are also beyond chance."""

SLOWLY = 8.0
"""The same for all days together: friends who come at the same hours meet more than others do."""

BEYOND = 6.0
"""Standard deviations that are no chance, also where thousands of pairs are looked at."""

FED = 0.4
"""The share of all points gained that one victim may give."""

ONE_SIDED = 0.9
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Suspect:
    """Two players, the one who gained more first. points: what both gained from each other."""

    one: str
    other: str
    kills: int
    returned: int
    points: float
    reasons: tuple[str, ...]


@dataclass(slots=True)
class _Way:
    """What one player did to another. chances, variance: of these kills, by the ratings.

    usual: kills to be expected from whom both meet otherwise. busiest: kills on one day; odd: on
    how many days there were unusually many.
    """

    kills: int = 0
    repeats: int = 0
    gained: float = 0.0
    chances: float = 0.0
    variance: float = 0.0
    usual: float = 0.0
    busiest: int = 0
    odd: int = 0


@dataclass(slots=True)
class _Day:
    kills: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    deaths: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    total: int = 0


def suspects(rows: Iterable[PairDay]) -> list[Suspect]:
    """The pairs to look at, those who moved most points first, at most SHOWN. O(n) for n rows."""
    kept = [row for row in rows if row.kills or row.repeats]
    days = _days(kept)
    ways: dict[tuple[str, str], _Way] = defaultdict(_Way)
    gained: dict[str, float] = defaultdict(float)
    for row in kept:
        way = ways[row.killer, row.victim]
        way.kills += row.kills
        way.repeats += row.repeats
        way.gained += row.gained
        way.chances += row.chances
        way.variance += row.variance
        usual = _usual(row, days[row.day])
        way.usual += usual
        way.busiest = max(way.busiest, row.kills)
        way.odd += row.kills >= IN_A_DAY and _beyond(row.kills, usual, MANIFOLD)
        gained[row.killer] += row.gained
    found = filter(None, (_looked_at(pair, ways, gained) for pair in list(ways)))
    return sorted(found, key=lambda one: (-one.points, one.one, one.other))[:SHOWN]


def _days(rows: Iterable[PairDay]) -> dict[int, _Day]:
    days: dict[int, _Day] = defaultdict(_Day)
    for row in rows:
        day = days[row.day]
        day.kills[row.killer] += row.kills
        day.deaths[row.victim] += row.kills
        day.total += row.kills
    return days


def _usual(row: PairDay, day: _Day) -> float:
    """How many of the killer's kills on that day would hit this victim, if the killer met the
    victim as often as everybody else does: by the kills of third parties alone."""
    mine = day.kills[row.killer]
    others = day.total - mine - day.kills[row.victim]
    theirs = day.deaths[row.victim] - row.kills
    return mine * (theirs + 1.0) / (others + 1.0)


def _looked_at(
    pair: tuple[str, str], ways: dict[tuple[str, str], _Way], gained: dict[str, float]
) -> Suspect | None:
    one, other = pair
    there, back = ways[pair], ways.get((other, one), _Way())
    if (there.gained, one) < (back.gained, other):  # told once, from the other side
        return None
    if there.kills + back.kills < LEAST:
        return None
    reasons = tuple(_reasons(there, back, gained[one]))
    points = max(0.0, there.gained) + max(0.0, back.gained)
    return Suspect(one, other, there.kills, back.kills, points, reasons) if reasons else None


def _reasons(there: _Way, back: _Way, gained: float) -> Iterator[str]:
    if _many(there) and _many(back):
        yield (
            f"They killed each other {there.kills} and {back.kills} times, where the fights of "
            f"the others suggest {there.usual:.0f} and {back.usual:.0f}: points traded in turn?"
        )
    elif _many(there):
        yield (
            f"{there.kills} kills, where the fights of the others suggest {there.usual:.0f} "
            f"(up to {there.busiest} in a day)."
        )
    if _many(there) and gained > 0.0 and there.gained >= FED * gained:
        yield f"{100 * there.gained / gained:.0f} % of all points gained came from this victim."
    total = there.kills + back.kills
    expected = there.chances + back.kills - back.chances
    spread = math.sqrt(there.variance + back.variance)
    if there.kills >= ONE_SIDED * total and there.kills - expected > BEYOND * max(spread, 0.5):
        yield f"Won {there.kills} of {total}, where the ratings let expect {expected:.0f}."
    if there.repeats + back.repeats > total:
        yield f"{there.repeats + back.repeats} more kills did not count, such as quick repeats."


def _many(way: _Way) -> bool:
    slowly = way.kills >= 2 * LEAST and _beyond(way.kills, way.usual, SLOWLY)
    return way.kills >= LEAST and (way.odd > 0 or slowly)


def _beyond(kills: int, usual: float, manifold: float) -> bool:
    return kills > manifold * usual and kills - usual > BEYOND * math.sqrt(max(usual, 1.0))
