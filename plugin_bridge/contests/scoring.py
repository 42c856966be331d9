"""From what happened in a contest to who took part, places, and scores from 0 to 1. Pure.

kills               kills, divided by the most kills of anybody
kills_minus_deaths  where kills - deaths lies between the lowest and the highest of anybody
placement           the share of the others who went out earlier; those who went out together,
                    and those who still stand in the end, get the mean of their places

When nobody is ahead of anybody, everybody has 0 (in `placement` one half): only differences count.
A place is one more than the number of players with a higher score.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from plugin_bridge.config.model import EventScore
from plugin_bridge.contests.charter import Charter
from plugin_bridge.store.rows import StandingRow


def judged(standings: Sequence[StandingRow], scoring: EventScore) -> list[StandingRow]:
    """The standings with places and scores, the best first. Cost: O(N log N)."""
    scores = _scores(standings, scoring)
    order = sorted(scores)
    found = [
        replace(standing, score=score, place=1 + len(order) - bisect_right(order, score))
        for standing, score in zip(standings, scores, strict=True)
    ]
    return sorted(found, key=lambda s: (s.place, -s.kills, s.deaths, s.player))


def _scores(standings: Sequence[StandingRow], scoring: EventScore) -> list[float]:
    match scoring:
        case "kills":
            most = max((s.kills for s in standings), default=0)
            return [s.kills / most if most else 0.0 for s in standings]
        case "kills_minus_deaths":
            balance = [s.kills - s.deaths for s in standings]
            low, high = min(balance, default=0), max(balance, default=0)
            return [(b - low) / (high - low) if high > low else 0.0 for b in balance]
        case "placement":
            return _placement([math.inf if s.out is None else s.out for s in standings])


def _placement(out: list[float]) -> list[float]:
    order, others = sorted(out), len(out) - 1
    if others < 1:
        return [1.0 for _ in out]
    return [(bisect_left(order, o) + bisect_right(order, o) - 1) / 2 / others for o in out]


def participants(standings: Sequence[StandingRow], charter: Charter) -> list[StandingRow]:
    """Whoever left without a fight took no part, nor who, unasked, did nothing at all.

    In a `placement`, though, to have done nothing is to have lasted: there only those took no part
    who left before anybody had died. When somebody died is kept there, and only there.
    """
    first_death = min(
        (s.out for s in standings if s.deaths and s.out is not None), default=math.inf
    )

    def took_part(standing: StandingRow) -> bool:
        if standing.kills or standing.deaths:
            return True
        if charter.score == "placement":
            return standing.out is None or standing.out >= first_death
        return standing.out is None and charter.entry == "join"

    return list(filter(took_part, standings))
