"""What is stored against what the log gives: the same to the last bit, nearly the same, or not."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import isclose
from operator import attrgetter
from typing import Any

from plugin_bridge.history.replay import CHUNK, Replay
from plugin_bridge.history.revision import Revision
from plugin_bridge.store import Store
from plugin_bridge.store.rows import (
    ContestRatingRow,
    ContestRow,
    LogEntry,
    PairRow,
    SeasonPlaceRow,
    SeasonRow,
    StandingRow,
)

TOLERANCE = 1e-9
"""What another build of the maths library may make of a number, of its size or of one point."""
SHOWN = 20
"""How many differences are kept; all are counted."""

Progress = Callable[[int, int], None]
"""Entries done, and how many there are."""


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


KILLS = Table(
    "kill",
    ("position",),
    ("reason", "probability", "killer_before", "killer_after", "victim_before", "victim_after"),
)
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
    """Rows against rows. `rounding`: the greatest relative difference that was let pass."""

    def __init__(self) -> None:
        self.entries = 0
        self.count = 0
        self.rounding = 0.0
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
        elif isinstance(stored, float) and isinstance(replayed, float):
            self._number(where, field, stored, replayed)
        else:
            self._note(where, field, stored, replayed)

    def _number(self, where: str, field: str, stored: float, replayed: float) -> None:
        close = isclose(stored, replayed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        if close and field.split(maxsplit=1)[0] not in _TIMES:
            self.rounding = max(self.rounding, abs(stored - replayed) / max(1.0, abs(stored)))
        else:
            self._note(where, field, stored, replayed)

    def _note(self, where: str, field: str, stored: object, replayed: object) -> None:
        self.count += 1
        if len(self.differences) < SHOWN:
            self.differences.append(Difference(where, field, stored, replayed))


async def verify(store: Store, progress: Progress) -> Comparison:
    """Compares everything that is stored of the ratings with what the log gives.

    The daemon may go on meanwhile: all is read as of one moment. Raises StoreError.
    Cost: linear in the log, some 50 µs a kill, and 2 µs in a calibration for each active player.
    """
    found = Comparison()
    async with store.snapshot():
        past, again = store.past, Replay(Revision(await store.history.amendments_in_force()))
        total = await store.log.end()
        async for chunk in chunks(store):
            outcomes = again.take(chunk)
            there = await past.outcomes(chunk[0].position, chunk[-1].position)
            found.compare(KILLS, there, outcomes)
            found.entries += len(chunk)
            progress(found.entries, total)
        found.compare(PLAYERS, await past.players(), again.players())
        found.compare(LADDERS, await past.ladders(), again.ladders())
        remembered = list(again.pairs())
        for ladder in again.ladders():
            pairs = await past.pairs(ladder.ladder, ladder.parameters.pairs_remembered)
            found.compare(PAIRS, pairs, [p for p in remembered if p.ladder == ladder.ladder])
        contests, contests_again = await store.contests.load(), again.contests()
        found.compare(CONTESTS, contests.contests, contests_again.contests)
        found.compare(STANDINGS, contests.standings, contests_again.standings)
        found.compare(CONTEST_RATINGS, contests.ratings, contests_again.ratings)
        await _seasons(found, store, again)
    return found


async def _seasons(found: Comparison, store: Store, again: Replay) -> None:
    there = await store.seasons.rows()
    found.compare(SEASONS, there, again.seasons())
    places = again.places()
    for season in dict.fromkeys(row.season for row in (*there, *again.seasons())):
        board = [place for place in places if place.season == season]
        found.compare(SEASON_PLACES, await store.seasons.places(season), board)


async def chunks(store: Store, after: int = 0) -> AsyncIterator[list[LogEntry]]:
    """The log behind a position, some entries at a time; none is held on to meanwhile."""
    while chunk := await store.log.some(after, CHUNK):
        yield chunk
        after = chunk[-1].position
