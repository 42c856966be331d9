"""Contest ratings: a timed event, a tournament round, rated as a whole from everybody's score.

Each participant is held against each other one. With R the rating before, S the score and N the
number of participants::

    E_ij  = 0.85 / (1 + 10^((R_j - R_i) / 400))          what was expected of i against j
    A_ij  = 0.5 + (S_i - S_j) / 2                        what came of it
    raw_i = K_i / sqrt(N - 1) * sum over j != i of (A_ij - E_ij)
    R_i'  = max(1500, R_i + min(300, max(-200, raw_i)))

K is 40 for the first ten contests of a player, 28 for the next twenty, 18 afterwards.

What follows from the formulas
------------------------------
* Among equals each is expected to win 0.425 and not 0.5 of a pair, so that everybody gains whose
  score is above the mean less 0.15 (N - 1) / N. That is slightly more than half wherever scores lie
  evenly around their mean: 65 % when they are spread evenly over [0, 1], Phi(0.15 / s) of all when
  they are normal with standard deviation s. It is no law of every field: where two fifths score 1
  and the others 0, only the two fifths gain.
* As ratings come to foretell the scores, more gain than that (four in five, in a simulated club of
  60 with ranks as scores): each pair hands out 0.15 more than it takes, so that the mean rises by
  0.075 K sqrt(N - 1) points a contest, and by what the floor adds. Ratings compare players, not
  years.
* Beating the weak brings a strong player less than beating the strong: the more is expected.
* A newcomer gains more than a veteran with the same score in the same contest: less is expected
  of the lower rating, and K is larger.

A lone participant has nobody to be held against: no change, but the contest counts. Newcomers
enter with the base rating and no contests.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from adr_core.checks import CEILING, clip, name, real
from adr_core.contest_field import beaten_by
from adr_core.contest_parameters import ContestParameters
from adr_core.errors import EventError

_DEFAULTS: Final = ContestParameters()
_MOST_CONTESTS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Standing:
    """One participant: rating and contests *before* this one, and the score in it, 0 to 1."""

    player: str
    rating: float
    contests: int
    score: float


@dataclass(frozen=True, slots=True)
class ContestResult:
    """What a contest did to one participant.

    `expected` is the sum of E_ij over all opponents, at most 0.85 (N - 1); `raw` the change before
    its limits, `delta` the change that was made; `rating` and `contests` are those afterwards.
    """

    player: str
    expected: float
    raw: float
    delta: float
    rating: float
    contests: int


def rate_contest(
    standings: Iterable[Standing], parameters: ContestParameters = _DEFAULTS
) -> list[ContestResult]:
    """The result of each participant, in the order of the input, which changes nothing else.

    Raises EventError, naming the participant, for a score outside 0 to 1, a number that is none,
    or somebody who is there twice. Cost: O(N log N), see `contest_field`.
    """
    entered = list(standings)
    _check(entered)
    rivals = len(entered) - 1
    if rivals < 1:
        return [ContestResult(s.player, 0.0, 0.0, 0.0, s.rating, s.contests + 1) for s in entered]
    everybody = math.fsum(s.score for s in entered)
    beaten = beaten_by([s.rating for s in entered], parameters.scale)
    share, floor = parameters.expected_share, parameters.base_rating
    root = math.sqrt(rivals)
    results = []
    for standing, among in zip(entered, beaten, strict=True):
        rating = standing.rating
        expected = share * (among - 0.5)  # without the one against oneself
        actual = 0.5 * (rivals + (rivals + 1) * standing.score - everybody)
        raw = parameters.k(standing.contests) / root * (actual - expected)
        after = max(floor, rating + clip(raw, parameters.delta_min, parameters.delta_max))
        results.append(
            ContestResult(
                standing.player, expected, raw, after - rating, after, standing.contests + 1
            )
        )
    return results


def _check(entered: Sequence[Standing]) -> None:
    seen: set[str] = set()
    for standing in entered:
        player = name("player", standing.player)
        if player in seen:
            raise EventError(f"{player!r} is in the contest twice")
        seen.add(player)
        score, rating = real(standing.score), real(standing.rating)
        if score is None or not 0.0 <= score <= 1.0:
            raise EventError(f"{player!r}: score = {standing.score!r}: must be from 0 to 1")
        if rating is None or abs(rating) > CEILING:
            raise EventError(
                f"{player!r}: rating = {standing.rating!r}: must be a finite number within ±1e9"
            )
        played = standing.contests
        if (
            isinstance(played, bool)
            or not isinstance(played, int)
            or not 0 <= played <= (_MOST_CONTESTS)
        ):
            raise EventError(
                f"{player!r}: contests = {played!r}: must be a whole number from 0 to 1e9"
            )
