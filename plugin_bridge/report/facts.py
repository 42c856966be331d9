"""What the report tells about one ladder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plugin_bridge.report.suspects import Suspect
from plugin_bridge.store.survey import CalibrationBin, PairDay
from plugin_bridge.study.bounds import Bounds

DAY = 86_400


@dataclass(frozen=True, slots=True)
class TierShare:
    """target: the share of the active players that is meant to be in it; count: how many are."""

    name: str
    target: float
    count: int


@dataclass(frozen=True, slots=True)
class Day:
    """Kills that counted, kills that did not, and players in any of them. day: since 1970, UTC."""

    day: int
    kills: int
    uncounted: int
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """made: seconds since 1970. days: how far back activity, calibration and suspects look.

    tiers count active players; unplaced are those of them without a tier. names: by player.
    """

    ladder: str
    made: float
    days: int
    players: int
    tiers: Sequence[TierShare]
    unplaced: int
    bounds: Bounds
    cure: str
    calibration: Sequence[CalibrationBin]
    activity: Sequence[Day]
    suspects: Sequence[Suspect]
    names: dict[str, str]

    @property
    def kills(self) -> int:
        return sum(day.kills for day in self.activity)


def activity(rows: Iterable[PairDay], *, first: int, last: int) -> list[Day]:
    """Every day from the first to the last, also those on which nothing happened. O(n)."""
    kills: dict[int, int] = defaultdict(int)
    uncounted: dict[int, int] = defaultdict(int)
    players: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        kills[row.day] += row.kills
        uncounted[row.day] += row.repeats
        players[row.day] |= {row.killer, row.victim}
    return [
        Day(day, kills[day], uncounted[day], len(players[day])) for day in range(first, last + 1)
    ]
