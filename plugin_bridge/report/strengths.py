"""How strong players are by who killed whom alone, whatever the ratings say.

Ratings that sit at a bound, or that a preset has driven apart, foretell badly; honest players must
not be suspected for it. The model of Bradley and Terry (1952), fitted by the iteration in Hunter,
"MM algorithms for generalized Bradley-Terry models" (2004).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

PRIOR = 1.0
"""Fights that everybody is taken to have drawn with a middling player, so that nobody who has only
won is without bounds."""

ROUNDS = 100
CLOSE = 1e-3
"""Strengths that change by a smaller part than this in a round are found."""


def strengths(kills: Mapping[tuple[str, str], int], *, most: int) -> dict[str, float]:
    """The odds of every player against a middling one, from kills by killer and victim.

    No pair counts for more than `most` kills, so that those who farm each other are judged by
    their fights with the others. O(pairs) a round.
    """
    pairs: dict[tuple[str, str], float] = {}
    won: dict[str, float] = defaultdict(lambda: PRIOR / 2.0)
    for (one, other), count in kills.items():
        both = count + kills.get((other, one), 0)
        weight = min(1.0, most / both) if both else 0.0
        pairs[min(one, other), max(one, other)] = weight * both
        won[one] += weight * count
        won[other] += 0.0
    found = dict.fromkeys(won, 1.0)
    for _ in range(ROUNDS):
        met = {who: PRIOR / (odds + 1.0) for who, odds in found.items()}
        for (one, other), weight in pairs.items():
            share = weight / (found[one] + found[other])
            met[one] += share
            met[other] += share
        better = {who: won[who] / met[who] for who in found}
        done = all(abs(better[who] - odds) <= CLOSE * odds for who, odds in found.items())
        found = better
        if done:
            break
    return found
