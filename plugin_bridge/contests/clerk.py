"""What the log makes of contests: the same entries in the same order give the same book. Pure."""

from dataclasses import replace

from adr_core import Standing, rate_contest
from plugin_bridge.contests import notes
from plugin_bridge.contests.book import CANCELLED, PARAMETERS, RATED, RUNNING, UNRATED, VOIDED, Book
from plugin_bridge.contests.changes import Changes
from plugin_bridge.contests.charter import read
from plugin_bridge.contests.scoring import judged, participants
from plugin_bridge.store.rows import ContestRatingRow, ContestRow, LogEntry, StandingRow


class Clerk:
    """Takes entries into a book, and notes what they changed."""

    def __init__(self, book: Book, changes: Changes) -> None:
        self._book = book
        self._changes = changes

    def take(self, entry: LogEntry) -> None:
        """An entry that belongs to a contest.

        Cost: O(1) for a kill; O(N log N) for the end of a contest; linear in all standings of the
        ladder for one that is declared void, some seconds for 100,000.
        """
        contest = entry.contest
        assert contest is not None
        row = self._book.contests.get(contest)
        if entry.kind == notes.START:
            self._start(contest, entry)
        elif entry.kind == notes.VOID:
            if row and row.state == RATED:
                self._void(row)
        elif row and row.state == RUNNING:
            self._follow(row, entry)

    def _follow(self, row: ContestRow, entry: LogEntry) -> None:
        match entry.kind:
            case "kill":
                self._kill(row, entry)
                self._death(row, entry)
            case "death":
                self._death(row, entry)
            case notes.JOIN:
                self._join(row, entry)
            case notes.LEAVE:
                self._leave(row, entry)
            case notes.END:
                self._end(row, entry)
            case notes.CANCEL:
                self._close(row, entry, CANCELLED)

    def _start(self, contest: int, entry: LogEntry) -> None:
        assert entry.detail is not None and entry.ladder is not None
        charter = read(entry.detail)
        row = ContestRow(
            contest=contest,
            ladder=entry.ladder,
            server=charter.server,
            name=charter.name,
            started=entry.time,
            ends=entry.time + charter.seconds,
            state=RUNNING,
            rules=entry.detail,
        )
        self._book.begin(row)
        self._changes.contest(row)
        for player in dict.fromkeys(map(self._book.rated_as, charter.players)):
            self._put(StandingRow(contest=contest, player=player))

    def _put(self, row: StandingRow) -> None:
        self._book.put(row)
        self._changes.standing(row.contest, row.player, row)

    def _standing(self, row: ContestRow, player: str | None) -> StandingRow:
        assert player is not None
        there = self._book.standings[row.contest].get(player)
        return there or StandingRow(contest=row.contest, player=player)

    def _is_placement(self, row: ContestRow) -> bool:
        return self._book.charter(row.contest).score == "placement"

    def _kill(self, row: ContestRow, entry: LogEntry) -> None:
        killer = self._standing(row, entry.killer)
        if killer.out is None or entry.time <= killer.out:
            killer = replace(killer, kills=killer.kills + 1)
        self._put(killer)

    def _death(self, row: ContestRow, entry: LogEntry) -> None:
        victim = self._standing(row, entry.victim)
        if victim.out is None or entry.time <= victim.out:
            out = entry.time if self._is_placement(row) else victim.out
            victim = replace(victim, deaths=victim.deaths + 1, out=out)
        self._put(victim)

    def _join(self, row: ContestRow, entry: LogEntry) -> None:
        """Also again, for those who had left. Only in `placement` out is out."""
        if _is_over(row, entry):
            return
        standing = self._standing(row, entry.killer)
        if standing.out is None or not self._is_placement(row):
            self._put(replace(standing, out=None))

    def _leave(self, row: ContestRow, entry: LogEntry) -> None:
        standing = self._standing(row, entry.killer)
        if standing.out is None and not _is_over(row, entry):
            self._put(replace(standing, out=entry.time))

    def _close(self, row: ContestRow, entry: LogEntry, state: str) -> None:
        row = replace(row, state=state, ended=entry.time, position=entry.position)
        self._book.close(row)
        self._changes.contest(row)

    def _end(self, row: ContestRow, entry: LogEntry) -> None:
        charter, there = self._book.charter(row.contest), self._book.standings[row.contest]
        took_part = participants(list(there.values()), charter)
        known = {standing.player for standing in took_part}
        for player in [one for one in there if one not in known]:
            del there[player]
            self._changes.standing(row.contest, player, None)
        standings = judged(took_part, charter.score)
        counts = len(standings) >= max(1, charter.min_players) and any(s.deaths for s in standings)
        self._close(row, entry, RATED if counts else UNRATED)
        for standing in standings:
            self._put(standing)
        if counts:
            self._rate(row)

    def _rate(self, row: ContestRow) -> None:
        """From the ratings as they are, and from the scores of the standings."""
        there = self._book.standings[row.contest]
        before = [self._book.rating(row.ladder, player) for player in there]
        results = rate_contest([_entered(there[one.player], one) for one in before], PARAMETERS)
        for rating, result in zip(before, results, strict=True):
            standing = replace(
                there[rating.player],
                contests=rating.contests,
                before=rating.rating,
                after=result.rating,
                expected=result.expected,
                raw=result.raw,
            )
            if standing != there[rating.player]:
                self._put(standing)
            fresh = ContestRatingRow(row.ladder, rating.player, result.rating, result.contests)
            self._book.rate(fresh)
            self._changes.rating(row.ladder, rating.player, fresh)

    def _void(self, row: ContestRow) -> None:
        """Rates all other contests of the ladder again, in the order in which they were."""
        void = replace(row, state=VOIDED)
        self._book.close(void)
        self._changes.contest(void)
        for player in self._book.unrate(row.ladder):
            self._changes.rating(row.ladder, player, None)
        for standing in list(self._book.standings[row.contest].values()):
            self._put(
                replace(standing, contests=None, before=None, after=None, expected=None, raw=None)
            )
        rated = [
            one
            for one in self._book.contests.values()
            if one.ladder == row.ladder and one.state == RATED
        ]
        for other in sorted(rated, key=lambda other: other.position or 0):
            self._rate(other)


def _is_over(row: ContestRow, entry: LogEntry) -> bool:
    """Whether its time was over by then. What comes until its end is in the log decides not."""
    return entry.time > row.ends


def _entered(standing: StandingRow, before: ContestRatingRow) -> Standing:
    assert standing.score is not None  # judged, as every contest that is over
    return Standing(before.player, before.rating, before.contests, standing.score)
