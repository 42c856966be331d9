"""What the log does to the ladders. Pure: the same entries in the same order give the same ratings.

The engine feeds it live entries, a replay old ones; there is no other way to move a rating.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from adr_core import Ladder, Parameters, PlayerState, RatingError
from adr_core.tiers import tier_of
from plugin_bridge.contests.book import Book
from plugin_bridge.contests.clerk import Clerk
from plugin_bridge.draft import Draft
from plugin_bridge.history.amendments import Place, SeasonEnd, read
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.seasons import restarted
from plugin_bridge.store.rows import LogEntry, OutcomeRow

UNRATED_WORLD = "world"
"""Reason of a kill in a world that is not rated."""
EXCLUDED = "excluded"
"""Reason of a kill that an admin has taken out of the past."""
MERGED = "merged"
"""Reason of a kill between two ids that belong to one player."""


class Arena:
    """Every ladder by name, in memory. A cache of what the store holds."""

    def __init__(self) -> None:
        self.ladders: dict[str, Ladder] = {}
        """The mapping itself stays the same for ever; its ladders are replaced by `load`."""
        self.book = Book(self._rated_as)
        """The contests, and the ratings of their own. The same for ever, too."""
        self.revision = Revision()
        """By which all entries so far were read; another one needs other ladders."""

    def _rated_as(self, player: str) -> str:
        return self.revision.rated_as(player)

    def load(self, ladders: Mapping[str, Ladder]) -> None:
        """Puts these in the place of all there are."""
        self.ladders.clear()
        self.ladders.update(ladders)

    def become(self, other: "Arena") -> None:
        """Goes on with the ladders of another one, which is not to be used any more.

        Cost: linear in all standings of contests.
        """
        self.load(other.ladders)
        self.book.load(other.book.rows())
        self.revision = other.revision

    def apply(self, entry: LogEntry, draft: Draft) -> None:
        """Rates one entry and notes in the draft what it changed.

        Cost: O(log P) for a kill, O(P log P) for a calibration, new parameters or the end of a
        season, O(P) for another rating of one player, else O(1);
        for entries of a contest see `Clerk.take`.
        """
        understood = self.revision.reading(entry)
        if understood is None:
            if entry.kind == "kill":
                draft.outcome(OutcomeRow(position=entry.position, reason=EXCLUDED))
            return
        if understood is not entry and understood.killer == understood.victim:
            if entry.kind == "kill":
                draft.outcome(OutcomeRow(position=entry.position, reason=MERGED))
            return
        entry = understood
        if entry.contest is not None:
            Clerk(self.book, draft.contests).take(entry)
        match entry.kind:
            case "kill":
                self._kill(entry, draft)
            case "calibrate":
                self._calibrate(entry, draft)
            case "parameters":
                self._parameters(entry, draft)
            case "place":
                self._place(entry, draft)
            case "season":
                self._season(entry, draft)

    def _kill(self, entry: LogEntry, draft: Draft) -> None:
        if entry.ladder is None:
            reason = entry.detail or UNRATED_WORLD
            draft.outcome(OutcomeRow(position=entry.position, reason=reason))
            return
        assert entry.killer is not None and entry.victim is not None  # as every kill has
        ladder = self.ladders[entry.ladder]
        try:
            outcome = ladder.kill(entry.killer, entry.victim, entry.time)
        except RatingError as error:
            draft.outcome(OutcomeRow(position=entry.position, reason=str(error)))
            return
        draft.kill(entry, outcome, ladder)

    def _calibrate(self, entry: LogEntry, draft: Draft) -> None:
        assert entry.ladder is not None
        ladder = self.ladders[entry.ladder]
        result = ladder.recalibrate(entry.time)
        draft.ladder(entry.ladder, ladder)
        draft.fighters(entry.ladder, result.touched)
        draft.changes(entry, result.tier_changes)

    def _parameters(self, entry: LogEntry, draft: Draft) -> None:
        assert entry.ladder is not None and entry.detail is not None
        parameters = Parameters.from_dict(json.loads(entry.detail))
        ladder = self.ladders.setdefault(entry.ladder, Ladder(parameters))
        before = ladder.parameters
        ladder.reconfigure(parameters, told=False)
        draft.ladder(entry.ladder, ladder)
        if not (parameters.keeps_as(before) and parameters.divides_as(before)):
            draft.everybody(entry.ladder)

    def _place(self, entry: LogEntry, draft: Draft) -> None:
        """Loads the ladder anew with one state replaced, or without the player."""
        placed = read(entry)
        assert isinstance(placed, Place)
        ladder = self.ladders.get(placed.ladder)
        if ladder is None or placed.player not in ladder.players:
            return
        state = ladder.dump()
        players = dict(state.players)
        gone: PlayerState | None = None
        if placed.rating is None:
            del players[placed.player]
            gone = PlayerState.initial(ladder.parameters)
        else:
            before = players[placed.player]
            players[placed.player] = _placed(before, placed.rating, ladder)
        self.ladders[placed.ladder] = ladder = Ladder.load(
            ladder.parameters, replace(state, players=tuple(players.items()))
        )
        draft.player(placed.ladder, placed.player, gone)
        draft.ladder(placed.ladder, ladder)

    def _season(self, entry: LogEntry, draft: Draft) -> None:
        end = read(entry)
        assert isinstance(end, SeasonEnd)
        before = self.ladders.get(end.ladder)
        if before is None:
            return
        self.ladders[end.ladder] = ladder = restarted(before, end.kept)
        draft.ladder(end.ladder, ladder)
        newcomer = PlayerState.initial(ladder.parameters)
        for player in before.players:
            draft.player(end.ladder, player, None if player in ladder.players else newcomer)


def _placed(before: PlayerState, rating: float, ladder: Ladder) -> PlayerState:
    """Whoever is in a tier gets the one that the rating lies in, with empty accumulators."""
    p = ladder.parameters
    mu = min(max(rating, p.mu_min), p.mu_max)
    tier = None if before.tier is None else tier_of(mu, ladder.boundaries)
    return replace(before, mu=mu, tier=tier, promotion=0.0, demotion=0.0)
