"""What a whole log has changed, in one draft."""

from collections.abc import Iterable

from plugin_bridge.draft import Draft
from plugin_bridge.store.rows import OutcomeRow, PairRow, Record


class Tally(Draft):
    """Outcomes are handed over, and pairs forgotten, so that it does not grow with the log.

    Whoever is touched again and again is made a row of only once, in the end.
    """

    def fighters(self, ladder: str, players: Iterable[str]) -> None:
        """Whoever has fought is in it since then."""

    def everybody(self, ladder: str) -> None:
        """So it is of them all."""

    def handed_over(self) -> list[OutcomeRow]:
        """The outcomes since the last time."""
        outcomes, self._outcomes = self._outcomes, []
        return outcomes

    def records(self, ladder: str) -> dict[str, Record]:
        """The record of everybody on a ladder so far. O(P)."""
        return {
            player: Record(touched.kills, touched.deaths, touched.best_streak)
            for (name, player), touched in self._players.items()
            if name == ladder
        }

    @property
    def remembered(self) -> int:
        """How many pairs there are in it."""
        return len(self._pairs)

    def pair(self, key: tuple[str, str, str]) -> PairRow:
        """The latest counted kill of a pair, by ladder, killer and victim."""
        return self._pairs[key]

    def forget_but(self, keys: Iterable[tuple[str, str, str]]) -> None:
        """Forgets all other pairs. Cost: linear in both."""
        self._pairs = {key: self._pairs[key] for key in keys}
