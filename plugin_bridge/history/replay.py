"""The log, rated again from its first entry. Pure: entries in, rows out.

It goes through the very arena that rates live entries, so it can give nothing else than the
daemon did. In memory are the ladders, a record for each player and the remembered pairs, however
long the log is, and the boards of the seasons that ended.
"""

from collections.abc import Iterator, Sequence

from plugin_bridge.arena import Arena
from plugin_bridge.history.amendments import SeasonEnd
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.rules import Rules, as_logged
from plugin_bridge.history.seasons import final_board, season_row
from plugin_bridge.history.tally import Tally
from plugin_bridge.store.rows import (
    ContestRows,
    LadderRow,
    LogEntry,
    OutcomeRow,
    PairRow,
    PlayerRow,
    Record,
    SeasonPlaceRow,
    SeasonRow,
)

CHUNK = 2_000
"""How many entries are best taken at a time."""


class Replay:
    """`revision`: how the log is to be read. `rules`: which parameters take the logged ones' place.

    Take the whole log in order, and then ask for the rows.
    """

    def __init__(self, revision: Revision | None = None, rules: Rules = as_logged) -> None:
        self._arena = Arena()
        self._arena.revision = revision or Revision()
        self._rules = rules
        self._tally = Tally()
        self._before: dict[str, dict[str, Record]] = {}
        """The records at the start of the season, by ladder."""
        self._seasons: list[SeasonRow] = []
        self._places: list[SeasonPlaceRow] = []
        self._room = CHUNK

    def take(self, entries: Sequence[LogEntry]) -> Sequence[OutcomeRow]:
        """Rates the next entries; what became of the kills among them. Cost: as in the arena."""
        for entry in map(self._rules, entries):
            if entry.kind == "season":
                self._archive(entry)
            self._arena.apply(entry, self._tally)
        if self._tally.remembered > self._room:
            self._tally.forget_but(self._pairs())
            self._room = CHUNK + 2 * self._tally.remembered
        return self._tally.handed_over()

    def _archive(self, entry: LogEntry) -> None:
        """Keeps the board as it is before the entry, if that does end a season."""
        end = self._arena.revision.valid.get(entry.position)
        ladder = self._arena.ladders.get(end.ladder) if isinstance(end, SeasonEnd) else None
        if ladder is None or not isinstance(end, SeasonEnd):
            return
        records = self._tally.records(end.ladder)
        self._seasons.append(season_row(entry, end))
        self._places += final_board(
            entry.position, ladder, records, self._before.get(end.ladder, {})
        )
        self._before[end.ladder] = records

    def players(self) -> list[PlayerRow]:
        """Everybody with the whole record, by ladder and id. Cost: O(P log P)."""
        rows = self._tally.batch([], [], after=0).players
        return sorted(rows, key=lambda row: (row.ladder, row.player))

    def ladders(self) -> list[LadderRow]:
        return [
            LadderRow(name, ladder.parameters, ladder.clock, ladder.boundaries)
            for name, ladder in sorted(self._arena.ladders.items())
        ]

    def pairs(self) -> Iterator[PairRow]:
        """The pairs that each ladder remembers, the oldest arrival first."""
        return map(self._tally.pair, self._pairs())

    def _pairs(self) -> Iterator[tuple[str, str, str]]:
        for name, ladder in sorted(self._arena.ladders.items()):
            for killer, victim, *_ in ladder.dump().pairs:
                yield name, killer, victim

    def contests(self) -> ContestRows:
        """Everything of the contests, in no order. Cost: linear in all standings."""
        return self._arena.book.rows()

    def seasons(self) -> list[SeasonRow]:
        """Those that ended, in their order."""
        return self._seasons

    def places(self) -> list[SeasonPlaceRow]:
        """The boards of all of them, one after the other, the best first."""
        return self._places
