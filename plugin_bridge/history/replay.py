"""The log, rated again from its first entry. Pure: entries in, rows out.

It goes through the very arena that rates live entries, so it can give nothing else than the
daemon did. In memory are the ladders, a record for each player and the remembered pairs, however
long the log is.
"""

from collections.abc import Iterator, Sequence

from plugin_bridge.arena import Arena
from plugin_bridge.draft import Draft
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.rules import Rules, as_logged
from plugin_bridge.store.rows import (
    ContestRows,
    LadderRow,
    LogEntry,
    OutcomeRow,
    PairRow,
    PlayerRow,
    Record,
)

CHUNK = 2_000
"""How many entries are best taken at a time."""
_NOBODY = Record(0, 0, 0)


class Replay:
    """`revision`: how the log is to be read. `rules`: which parameters take the logged ones' place.

    Take the whole log in order, and then ask for the rows.
    """

    def __init__(self, revision: Revision | None = None, rules: Rules = as_logged) -> None:
        self._arena = Arena()
        self._arena.revision = revision or Revision()
        self._rules = rules
        self._records: dict[tuple[str, str], Record] = {}
        self._pairs: dict[tuple[str, str, str], PairRow] = {}
        self._room = CHUNK

    def take(self, entries: Sequence[LogEntry]) -> Sequence[OutcomeRow]:
        """Rates the next entries; what became of the kills among them. Cost: as in the arena."""
        draft = Draft()
        for entry in entries:
            self._arena.apply(self._rules(entry), draft)
        batch = draft.batch([], [], after=0)
        for row in batch.players:
            before = self._records.get((row.ladder, row.player), _NOBODY)
            self._records[row.ladder, row.player] = Record(
                before.kills + row.kills,
                before.deaths + row.deaths,
                max(before.best_streak, row.best_streak),
            )
        self._pairs.update(((p.ladder, p.killer, p.victim), p) for p in batch.pairs)
        if len(self._pairs) > self._room:
            self._pairs = {(p.ladder, p.killer, p.victim): p for p in self.pairs()}
            self._room = CHUNK + 2 * len(self._pairs)
        return batch.outcomes

    def players(self) -> list[PlayerRow]:
        """Everybody with the whole record, by ladder and id. Cost: O(P log P)."""
        return [
            PlayerRow(
                ladder=ladder,
                player=player,
                state=self._arena.ladders[ladder].player(player),
                kills=record.kills,
                deaths=record.deaths,
                best_streak=record.best_streak,
            )
            for (ladder, player), record in sorted(self._records.items())
        ]

    def ladders(self) -> list[LadderRow]:
        return [
            LadderRow(name, ladder.parameters, ladder.clock, ladder.boundaries)
            for name, ladder in sorted(self._arena.ladders.items())
        ]

    def pairs(self) -> Iterator[PairRow]:
        """The pairs that each ladder remembers, the oldest arrival first."""
        for name, ladder in sorted(self._arena.ladders.items()):
            for killer, victim, *_ in ladder.dump().pairs:
                yield self._pairs[name, killer, victim]

    def contests(self) -> ContestRows:
        """Everything of the contests, in no order. Cost: linear in all standings."""
        return self._arena.book.rows()
