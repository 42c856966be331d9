"""All contests: who takes part, what they did, and their contest ratings.

It holds the standings of all contests so far, some 550 bytes each, for a contest that is declared
void changes those that came after it.
"""

from collections.abc import Callable, Iterable

from adr_core import ContestParameters
from plugin_bridge.contests.charter import Charter, read
from plugin_bridge.session import SKEW_SECONDS
from plugin_bridge.store.rows import (
    ContestRatingRow,
    ContestRow,
    ContestRows,
    StandingRow,
)

RUNNING, RATED, UNRATED, CANCELLED, VOIDED = "running", "rated", "unrated", "cancelled", "void"
"""States of a contest."""

PARAMETERS = ContestParameters()

SLACK_SECONDS = SKEW_SECONDS
"""So much before the start a kill may claim to have been: see `claims`."""


class Book:
    """Every contest by number. A cache of what the store holds; what the log makes of it is
    `clerk`'s to write.

    `rated_as`: the id that has the fights of a player, which is another after a merge. Entries come
    with it; charters, and whoever asks, name players as the game server does.
    """

    def __init__(self, rated_as: Callable[[str], str] = str) -> None:
        self.rated_as = rated_as
        self.contests: dict[int, ContestRow] = {}
        self.standings: dict[int, dict[str, StandingRow]] = {}
        self._charters: dict[int, Charter] = {}
        self._running: dict[str, int] = {}
        self._ratings: dict[str, dict[str, ContestRatingRow]] = {}

    def load(self, rows: ContestRows) -> None:
        """Puts the book back to a stored state. Cost: linear in all standings."""
        for part in (self.contests, self.standings, self._charters, self._running, self._ratings):
            part.clear()
        for contest in rows.contests:
            self.begin(contest)
        for standing in rows.standings:
            self.put(standing)
        for rating in rows.ratings:
            self.rate(rating)

    def rows(self) -> ContestRows:
        """The whole book. Cost: linear in all standings."""
        return ContestRows(
            contests=list(self.contests.values()),
            standings=[row for there in self.standings.values() for row in there.values()],
            ratings=[row for there in self._ratings.values() for row in there.values()],
        )

    # ---- asking

    @property
    def next(self) -> int:
        """The number of the next contest."""
        return max(self.contests, default=0) + 1

    @property
    def running(self) -> list[ContestRow]:
        return [self.contests[number] for number in self._running.values()]

    def on(self, server: str) -> ContestRow | None:
        """The contest that is running on a game server."""
        number = self._running.get(server)
        return None if number is None else self.contests[number]

    def charter(self, contest: int) -> Charter:
        return self._charters[contest]

    def rating(self, ladder: str, player: str) -> ContestRatingRow:
        """A player's contest rating; that of a newcomer where there is none."""
        newcomer = ContestRatingRow(ladder, player, PARAMETERS.base_rating, 0)
        return self._ratings.get(ladder, {}).get(player, newcomer)

    def standing(self, contest: int, player: str) -> StandingRow | None:
        return self.standings[contest].get(self.rated_as(player))

    def is_open(self, contest: int) -> bool:
        """Whether one may still join: in a `placement`, only while nobody is out."""
        placement = self._charters[contest].score == "placement"
        return not placement or all(s.out is None for s in self.standings[contest].values())

    def takes_part(self, contest: int, player: str) -> bool:
        """Whether what this player does belongs to the contest.

        Somebody nobody has heard of does where everybody takes part: the mod may tell of a kill
        after its doer has left. Who went out of a `placement` is still there to be told of.
        """
        charter = self._charters[contest]
        standing = self.standing(contest, player)
        if standing is None:
            return charter.entry == "everybody" and charter.score != "placement"
        return standing.out is None or charter.score == "placement"

    def claims(self, server: str, time: float, players: Iterable[str]) -> ContestRow | None:
        """The contest that something at that time between these players belongs to. O(1).

        It is asked of what arrives behind the start. That may claim to be older because the clock
        of the game server is behind ours by less than is put right, or because it was kept while
        the mod was not connected. The admin's word to start came through the mod, so that little
        was kept then; a clock that is behind would take from every contest its first kills. So
        what is older by SLACK_SECONDS at most belongs to it.
        """
        row = self.on(server)
        if row is None or not row.started - SLACK_SECONDS <= time <= row.ends:
            return None
        return row if all(self.takes_part(row.contest, player) for player in players) else None

    # ---- writing

    def begin(self, row: ContestRow) -> None:
        """A contest that was not in the book, whatever its state."""
        self.contests[row.contest] = row
        self.standings[row.contest] = {}
        self._charters[row.contest] = read(row.rules)
        if row.state == RUNNING:
            self._running[row.server] = row.contest

    def close(self, row: ContestRow) -> None:
        """One that is not running any more, if it was."""
        self.contests[row.contest] = row
        if self._running.get(row.server) == row.contest:
            del self._running[row.server]

    def put(self, row: StandingRow) -> None:
        self.standings[row.contest][row.player] = row

    def rate(self, row: ContestRatingRow) -> None:
        self._ratings.setdefault(row.ladder, {})[row.player] = row

    def unrate(self, ladder: str) -> list[str]:
        """Takes all ratings of a ladder out of the book; whose they were."""
        return list(self._ratings.pop(ladder, {}))
