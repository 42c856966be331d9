"""Collects what a run of log entries changed: the rows to write, and the tier moves to tell of."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from adr_core import Ladder, Outcome, PlayerState, TierChange
from plugin_bridge.contests.changes import Changes
from plugin_bridge.history.steps import kept
from plugin_bridge.store.rows import (
    Batch,
    LadderRow,
    LogEntry,
    NameRow,
    OutcomeRow,
    PairRow,
    PlayerRow,
)


@dataclass(frozen=True, slots=True)
class TierMove:
    """A player's tier before and after a whole draft, on one ladder; `entry` last moved it."""

    ladder: str
    player: str
    before: int | None
    after: int
    entry: LogEntry


@dataclass(slots=True)
class _Touched:
    """`state`: None for the one that the ladder has in the end."""

    state: PlayerState | None = None
    kills: int = 0
    deaths: int = 0
    best_streak: int = 0


_UNTOUCHED = _Touched()


class Touched(Collection[tuple[str, str]]):
    """Ladder and id of players whose states are others now: some by name, some whole ladders."""

    def __init__(
        self, some: Mapping[tuple[str, str], object], whole: Mapping[str, Collection[str]]
    ) -> None:
        self._some = some
        self._whole = whole

    def __len__(self) -> int:
        """At most so many: who is there in both ways counts twice."""
        return len(self._some) + sum(map(len, self._whole.values()))

    def __contains__(self, key: object) -> bool:
        if key in self._some:
            return True
        return isinstance(key, tuple) and key[1] in self._whole.get(key[0], ())

    def __iter__(self) -> Iterator[tuple[str, str]]:
        yield from self._some
        for ladder, players in self._whole.items():
            yield from ((ladder, one) for one in players if (ladder, one) not in self._some)


class Draft:
    """Each player, ladder and pair is written once, whatever touched it. O(1) a call."""

    def __init__(self) -> None:
        self._outcomes: list[OutcomeRow] = []
        self._players: dict[tuple[str, str], _Touched] = {}
        self._whole: set[str] = set()
        self._ladders: dict[str, Ladder] = {}
        self._pairs: dict[tuple[str, str, str], PairRow] = {}
        self._moves: dict[tuple[str, str], TierMove] = {}
        self.contests = Changes()

    def kill(self, entry: LogEntry, outcome: Outcome, ladder: Ladder) -> None:
        """Notes a kill that went to a ladder, counted or not."""
        ours, theirs = outcome.attacker, outcome.victim
        if ours is None or theirs is None:
            self.outcome(OutcomeRow(position=entry.position, reason=outcome.reason))
            return
        assert entry.ladder and entry.killer and entry.victim
        self.outcome(
            OutcomeRow(
                position=entry.position,
                reason=None,
                probability=outcome.probability,
                killer_before=ours.mu_before,
                killer_after=ours.mu_after,
                victim_before=theirs.mu_before,
                victim_after=theirs.mu_after,
                steps=kept(ours, theirs),
            )
        )
        killer = self.player(entry.ladder, entry.killer)
        killer.kills += 1
        killer.best_streak = max(killer.best_streak, ours.streak + 1)
        self.player(entry.ladder, entry.victim).deaths += 1
        self._pairs[entry.ladder, entry.killer, entry.victim] = PairRow(
            ladder=entry.ladder,
            killer=entry.killer,
            victim=entry.victim,
            time=entry.time,
            position=entry.position,
            flow=outcome.flow,
        )
        self.ladder(entry.ladder, ladder)
        self.changes(entry, outcome.tier_changes)

    def outcome(self, row: OutcomeRow) -> None:
        self._outcomes.append(row)

    def player(self, ladder: str, player: str, state: PlayerState | None = None) -> _Touched:
        """Notes that somebody's state is another one: what the ladder has in the end, or `state`
        for one whom it does not have any more, and for no other.
        """
        touched = self._players.get((ladder, player))
        if touched is None:
            touched = self._players[ladder, player] = _Touched()
        touched.state = state
        return touched

    def fighters(self, ladder: str, players: Iterable[str]) -> None:
        """Notes that the states of some who have fought are others now."""
        for player in players:
            self.player(ladder, player)

    def everybody(self, ladder: str) -> None:
        """Notes it of all who are on a ladder in the end."""
        self._whole.add(ladder)

    def ladder(self, name: str, ladder: Ladder) -> None:
        self._ladders[name] = ladder

    def changes(self, entry: LogEntry, changes: Iterable[TierChange]) -> None:
        """Tier changes that people are told of; those of one player are told as one."""
        assert entry.ladder is not None
        for change in changes:
            key = (entry.ladder, change.player)
            first = self._moves.get(key)
            before = first.before if first else change.before
            self._moves[key] = TierMove(*key, before, change.after, entry)

    @property
    def touched(self) -> Touched:
        """Ladder and id of every player whose state was written."""
        whole = {ladder: self._ladders[ladder].players for ladder in self._whole}
        return Touched(self._players, whole)

    @property
    def moves(self) -> list[TierMove]:
        """Who ends in another tier than before."""
        return [move for move in self._moves.values() if move.before != move.after]

    def shed(self) -> None:
        """Lets go of all that it is made of, bit by bit: at once it would keep everybody waiting.

        Cost: linear in what was touched.
        """
        for noted in (self._players, self._moves, self._pairs):
            while noted:
                noted.popitem()
        while self._outcomes:
            self._outcomes.pop()

    def batch(
        self, entries: list[LogEntry], names: list[NameRow], *, after: int, later: bool = False
    ) -> Batch:
        """The rows of one transaction. Cost: linear in what was touched.

        later: those of the players are made when they are written; until then nothing is rated.
        """
        rows = self._player_rows()
        return Batch(
            after=after,
            entries=entries,
            outcomes=self._outcomes,
            players=[] if later else list(rows),
            players_later=rows if later else (),
            ladders=[
                LadderRow(name, ladder.parameters, ladder.clock, ladder.boundaries)
                for name, ladder in self._ladders.items()
            ],
            pairs=list(self._pairs.values()),
            names=names,
            contests=self.contests.rows(),
        )

    def _player_rows(self) -> Iterator[PlayerRow]:
        for ladder, player in self.touched:
            touched = self._players.get((ladder, player), _UNTOUCHED)
            state = touched.state
            yield PlayerRow(
                ladder=ladder,
                player=player,
                packed=state.packed() if state else self._ladders[ladder].packed(player),
                kills=touched.kills,
                deaths=touched.deaths,
                best_streak=touched.best_streak,
            )
