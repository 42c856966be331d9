"""What a run of log entries changed about contests: each row is written once."""

from plugin_bridge.store.rows import ContestRatingRow, ContestRow, ContestRows, StandingRow


class Changes:
    """The last word on each row. O(1) a call."""

    def __init__(self) -> None:
        self._contests: dict[int, ContestRow] = {}
        self._standings: dict[tuple[int, str], StandingRow | None] = {}
        self._ratings: dict[tuple[str, str], ContestRatingRow | None] = {}

    def contest(self, row: ContestRow) -> None:
        self._contests[row.contest] = row

    def standing(self, contest: int, player: str, row: StandingRow | None) -> None:
        """None: it is gone."""
        self._standings[contest, player] = row

    def rating(self, ladder: str, player: str, row: ContestRatingRow | None) -> None:
        """None: it is gone."""
        self._ratings[ladder, player] = row

    def rows(self) -> ContestRows:
        return ContestRows(
            contests=list(self._contests.values()),
            standings=[row for row in self._standings.values() if row],
            gone=[key for key, row in self._standings.items() if row is None],
            ratings=[row for row in self._ratings.values() if row],
            unrated=[key for key, row in self._ratings.items() if row is None],
        )
