"""Rows of the same kind, stored and replayed: where they differ by more than rounding. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import isclose
from operator import attrgetter
from typing import Any

from plugin_bridge.history.steps import Step, steps
from plugin_bridge.store.rows import (
    ContestRatingRow,
    ContestRow,
    LogEntry,
    OutcomeRow,
    PairRow,
    SeasonPlaceRow,
    SeasonRow,
    StandingRow,
)

TOLERANCE = 1e-9
"""What another build of the maths library may make of a number, of its size or of one point."""
_SINGLE_TOLERANCE = 1e-6
"""The same for numbers that are kept in single precision."""
SHOWN = 20
"""How many differences are kept; all are counted."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one kind: by which of their fields they are known, and which are compared."""

    kind: str
    key: tuple[str, ...]
    fields: tuple[str, ...]

    def flat(self, rows: Sequence[Any]) -> list[tuple[Any, ...]]:
        return list(map(attrgetter(*self.key, *self.fields), rows))

    def name(self, flat: tuple[Any, ...]) -> str:
        return " ".join(map(str, (self.kind, *flat[: len(self.key)])))


KILLS = Table("kill", OutcomeRow.__struct_fields__[:1], OutcomeRow.__struct_fields__[1:])
PLAYERS = Table(
    "player",
    ("ladder", "player"),
    (
        "kills",
        "deaths",
        "best_streak",
        "state.mu",
        "state.sigma",
        "state.streak",
        "state.trend",
        "state.pool",
        "state.events",
        "state.last_event",
        "state.returning",
        "state.tier",
        "state.promotion",
        "state.demotion",
        "state.window",
        "state.recent",
    ),
)
LADDERS = Table("ladder", ("ladder",), ("parameters", "clock", "boundaries"))
CONTESTS = Table("contest", ContestRow.__slots__[:1], ContestRow.__slots__[1:])
STANDINGS = Table("standing", StandingRow.__slots__[:2], StandingRow.__slots__[2:])
CONTEST_RATINGS = Table(
    "contest rating", ContestRatingRow.__slots__[:2], ContestRatingRow.__slots__[2:]
)
PAIRS = Table("pair", PairRow.__struct_fields__[:3], PairRow.__struct_fields__[3:])
SEASONS = Table("season", SeasonRow.__slots__[:1], SeasonRow.__slots__[1:])
SEASON_PLACES = Table("season place", SeasonPlaceRow.__slots__[:2], SeasonPlaceRow.__slots__[2:])
_TIMES = {"time", "clock", "started", "ends", "ended", "out", "state.last_event", "state.recent"}
"""Numbers that are copied and never computed: no other rounding can change them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`where`: the row, such as `player main ann`. None for what one side has not."""

    where: str
    field: str
    stored: object
    replayed: object


class Comparison:
    """Rows against rows. `rounding`: the greatest relative difference that was let pass.

    whole: whether the log has no holes; with some, nothing is compared behind the first.
    """

    def __init__(self) -> None:
        self.entries = 0
        self.count = 0
        self.rounding = 0.0
        self.whole = True
        self.differences: list[Difference] = []

    def compare(self, table: Table, stored: Sequence[Any], replayed: Sequence[Any]) -> None:
        """Cost: linear; what is equal is quickly done."""
        if stored == replayed:
            return
        there, again = table.flat(stored), table.flat(replayed)
        if there == again:
            return
        named, named_again = ({table.name(row): row for row in rows} for rows in (there, again))
        for name in dict.fromkeys((*named, *named_again)):
            row, row_again = named.get(name), named_again.get(name)
            if row is None or row_again is None:
                self._note(name, "row", row and "there", row_again and "there")
                continue
            for field, *pair in zip((*table.key, *table.fields), row, row_again, strict=True):
                self._value(name, field, *pair)

    def _value(self, where: str, field: str, stored: Any, replayed: Any) -> None:
        if isinstance(stored, tuple) and isinstance(replayed, tuple):
            for number, pair in enumerate(zip_longest(stored, replayed), start=1):
                self._value(where, f"{field} {number}", *pair)
        elif stored == replayed:
            return
        elif isinstance(stored, bytes) and isinstance(replayed, bytes):
            self._steps(where, field, stored, replayed)
        elif isinstance(stored, float) and isinstance(replayed, float):
            self._number(where, field, stored, replayed)
        else:
            self._note(where, field, stored, replayed)

    def _steps(self, where: str, field: str, stored: bytes, replayed: bytes) -> None:
        if len(stored) != len(replayed):
            self._note(where, field, stored.hex(), replayed.hex())
            return
        for side, *both in zip(("killer", "victim"), steps(stored), steps(replayed), strict=True):
            for name in Step.__slots__:
                pair = [getattr(step, name) for step in both]
                self._number(where, f"{field}.{side}.{name}", *pair, tolerance=_SINGLE_TOLERANCE)

    def _number(
        self,
        where: str,
        field: str,
        stored: float,
        replayed: float,
        *,
        tolerance: float = TOLERANCE,
    ) -> None:
        close = isclose(stored, replayed, rel_tol=tolerance, abs_tol=tolerance)
        if close and field.split(maxsplit=1)[0] not in _TIMES:
            self.rounding = max(self.rounding, abs(stored - replayed) / max(1.0, abs(stored)))
        else:
            self._note(where, field, stored, replayed)

    def follow(self, entries: Sequence[LogEntry], after: int, lanes: dict[int, int]) -> int:
        """Notes where these entries are not the next ones of the log behind position `after`;
        their end.

        lanes: the last number in each lane so far, which is brought up to date.
        """
        noted = self.count
        for entry in entries:
            if entry.position != after + 1:
                gap = f"entries {after + 1} to {entry.position - 1} of the log"
                self._note(gap, "row", None, "there")
            if entry.seq <= (last := lanes.get(entry.lane, 0)):
                where = f"entry {entry.position} of the log"
                self._note(where, "seq", entry.seq, f"more than {last}")
            after, lanes[entry.lane] = entry.position, entry.seq
        self.whole = self.whole and self.count == noted
        return after

    def _note(self, where: str, field: str, stored: object, replayed: object) -> None:
        self.count += 1
        if len(self.differences) < SHOWN:
            self.differences.append(Difference(where, field, stored, replayed))
