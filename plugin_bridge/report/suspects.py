"""Pairs of players whose kills look arranged: what is unusual about them, in numbers and words.

Everything is held against what the same players do otherwise, so that busy players and small
servers are not suspicious by themselves. None of it proves anything.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plugin_bridge.report.strengths import strengths
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

    odds: of the killer against the victim, by the results of all their fights.
    usual: kills to be expected from whom both meet otherwise. busiest: kills on one day; odd: on
    how many days there were unusually many.
    """

    kills: int = 0
    repeats: int = 0
    gained: float = 0.0
    chances: float = 0.0
    variance: float = 0.0
    odds: float = 1.0
    usual: float = 0.0
    busiest: int = 0
    odd: int = 0


@dataclass(slots=True)
class _Day:
    """Fights that somebody won: by player, by pair in either order, and of all."""

    fights: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    met: dict[frozenset[str], int] = field(default_factory=lambda: defaultdict(int))
    total: int = 0


def suspects(rows: Iterable[PairDay]) -> list[Suspect]:
    """The pairs to look at, those who moved most points first, at most SHOWN.

    O(n) for n rows, and what `strengths` costs.
    """
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
        gained[row.killer] += row.gained
    fitted = strengths({pair: way.kills for pair, way in ways.items()}, most=LEAST)
    for row in kept:
        way = ways[row.killer, row.victim]
        way.odds = fitted[row.killer] / fitted[row.victim]
        usual = _usual(row, days[row.day], way.odds)
        way.usual += usual
        way.busiest = max(way.busiest, row.kills)
        way.odd += row.kills >= IN_A_DAY and _beyond(row.kills, usual, MANIFOLD)
    found = filter(None, (_looked_at(pair, ways, gained) for pair in list(ways)))
    return sorted(found, key=lambda one: (-one.points, one.one, one.other))[:SHOWN]


def _days(rows: Iterable[PairDay]) -> dict[int, _Day]:
    days: dict[int, _Day] = defaultdict(_Day)
    for row in rows:
        day = days[row.day]
        day.fights[row.killer] += row.kills
        day.fights[row.victim] += row.kills
        day.met[frozenset((row.killer, row.victim))] += row.kills
        day.total += row.kills
    return days


def _usual(row: PairDay, day: _Day, odds: float) -> float:
    """How often the killer would have killed this victim on that day, if the killer met the victim
    as often as everybody else does, by the fights of third parties alone, and won by these odds.

    Kills alone would not do: the two weakest of a server kill hardly anybody but each other.
    """
    mine = day.fights[row.killer]
    theirs = day.fights[row.victim] - day.met[frozenset((row.killer, row.victim))]
    others = 2.0 * (day.total - mine)
    return mine * (theirs + 1.0) / (others + 1.0) * odds / (1.0 + odds)


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
    chance = there.odds / (1.0 + there.odds)
    rated, fought = there.chances + back.kills - back.chances, total * chance
    if (
        there.kills >= ONE_SIDED * total
        and _surprising(there.kills, rated, there.variance + back.variance)
        and _surprising(there.kills, fought, fought * (1.0 - chance))
    ):
        yield (
            f"Won {there.kills} of {total}, where the ratings and the fights with others let "
            f"expect {max(rated, fought):.0f} at most."
        )
    if there.repeats + back.repeats > total:
        yield f"{there.repeats + back.repeats} more kills did not count, such as quick repeats."


def _surprising(kills: int, expected: float, variance: float) -> bool:
    return kills - expected > BEYOND * max(math.sqrt(variance), 0.5)


def _many(way: _Way) -> bool:
    slowly = way.kills >= 2 * LEAST and _beyond(way.kills, way.usual, SLOWLY)
    return way.kills >= LEAST and (way.odd > 0 or slowly)


def _beyond(kills: int, usual: float, manifold: float) -> bool:
    return kills > manifold * usual and kills - usual > BEYOND * math.sqrt(max(usual, 1.0))
