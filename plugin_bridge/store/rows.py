"""What is written and read, as values. `Batch` is one transaction of the engine.

Those that every kill makes are structs: a frozen dataclass takes many times as long to make.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from adr_core import Parameters, PlayerState
from adr_core.state import Packed


class LogEntry(Struct, frozen=True, gc=False):
    """One row of the log, in the order of its columns; `schema` explains them."""

    position: int
    lane: int
    seq: int
    kind: str
    time: float
    received: float
    ladder: str | None = None
    killer: str | None = None
    victim: str | None = None
    cause: str | None = None
    weapon: str | None = None
    world: str | None = None
    detail: str | None = None
    contest: int | None = None


class OutcomeRow(Struct, frozen=True, kw_only=True, gc=False):
    """What became of one kill. `reason` is None when it counted, the ratings when it did not."""

    position: int
    reason: str | None
    probability: float | None = None
    killer_before: float | None = None
    killer_after: float | None = None
    victim_before: float | None = None
    victim_after: float | None = None
    steps: bytes | None = None
    """What made the changes: see `history.steps`."""


class PlayerRow(Struct, frozen=True, kw_only=True, gc=False):
    """A player's new state on a ladder, packed, and what the batch adds to the record."""

    ladder: str
    player: str
    packed: Packed
    kills: int = 0
    deaths: int = 0
    best_streak: int = 0

    @property
    def state(self) -> PlayerState:
        return PlayerState.unpacked(self.packed)


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A ladder without its players. `clock` is None before the first counted kill."""

    ladder: str
    parameters: Parameters
    clock: float | None
    boundaries: tuple[float, ...]


class PairRow(Struct, frozen=True, gc=False):
    """The latest counted kill of `killer` against `victim`, and the flow between them."""

    ladder: str
    killer: str
    victim: str
    time: float
    position: int
    flow: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestRow:
    """A contest; the columns are explained in `schema`."""

    contest: int
    ladder: str
    server: str
    name: str
    started: float
    ends: float
    ended: float | None = None
    position: int | None = None
    state: str
    rules: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """One participant of a contest; what follows `place` is None unless the contest is rated."""

    contest: int
    player: str
    kills: int = 0
    deaths: int = 0
    out: float | None = None
    place: int | None = None
    score: float | None = None
    contests: int | None = None
    before: float | None = None
    after: float | None = None
    expected: float | None = None
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class ContestRatingRow:
    """A player's contest rating on a ladder, after that many contests."""

    ladder: str
    player: str
    rating: float
    contests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestRows:
    """What a batch changes about contests; standings that are gone have their key here."""

    contests: Sequence[ContestRow] = ()
    standings: Sequence[StandingRow] = ()
    gone: Sequence[tuple[int, str]] = ()
    ratings: Sequence[ContestRatingRow] = ()
    unrated: Sequence[tuple[str, str]] = ()
    """Ladder and id of those who have no contest rating any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """A season that has ended. `season`: the log position of its end; `ended`: when.

    kept: how much of each distance from the starting rating stayed, 0 to 1; 0: all began anew.
    tiers: their names at that time, JSON, the best first.
    """

    season: int
    ladder: str
    name: str
    ended: float
    kept: float
    tiers: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPlaceRow:
    """Where a player stood at the end of a season. `kills`, `deaths`: those of this season."""

    season: int
    player: str
    place: int
    rating: float
    uncertainty: float
    tier: int | None
    kills: int
    deaths: int


@dataclass(frozen=True, slots=True)
class FightRow:
    """A kill as logged, with what became of it."""

    position: int
    time: float
    ladder: str | None
    killer: str
    victim: str
    reason: str | None
    probability: float | None
    killer_before: float | None
    killer_after: float | None
    victim_before: float | None
    victim_after: float | None
    steps: bytes | None

    def against(self, ids: Sequence[str]) -> str:
        """The other one, of a player with these ids."""
        return self.victim if self.killer in ids else self.killer


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An amendment that somebody wants. `made`: seconds since 1970; `detail`: JSON."""

    number: int
    made: float
    detail: str


@dataclass(frozen=True, slots=True)
class NameRow:
    """The name a player was last seen with."""

    player: str
    name: str
    seen: float


@dataclass(frozen=True, slots=True)
class Record:
    """Counted fights of a player on one ladder."""

    kills: int
    deaths: int
    best_streak: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Everything that one transaction writes. `after` is the last position before it."""

    after: int
    entries: Sequence[LogEntry] = ()
    outcomes: Sequence[OutcomeRow] = ()
    players: list[PlayerRow] = field(default_factory=list)
    players_later: Iterable[PlayerRow] = ()
    """More of them, made only when they are written: there may be a million."""
    ladders: Sequence[LadderRow] = ()
    pairs: Sequence[PairRow] = ()
    names: Sequence[NameRow] = field(default=())
    contests: ContestRows = field(default=ContestRows())

    @property
    def empty(self) -> bool:
        return not (self.entries or self.names)
