"""What the log makes of contests: who takes part, what they did, and their contest ratings.

Pure, as the arena is: the same entries in the same order give the same book. It holds the
standings of all contests so far, some 550 bytes each, for a contest that is declared void changes
those that came after it.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from adr_core import ContestParameters, Standing, rate_contest
from plugin_bridge.contests.changes import Changes
from plugin_bridge.contests.charter import Charter, read
from plugin_bridge.contests.scoring import judged
from plugin_bridge.session import SKEW_SECONDS
from plugin_bridge.store.rows import (
    ContestRatingRow,
    ContestRow,
    ContestRows,
    LogEntry,
    StandingRow,
)

START, JOIN, LEAVE = "contest_start", "contest_join", "contest_leave"
END, CANCEL, VOID = "contest_end", "contest_cancel", "contest_void"
"""Kinds of log entries. Of somebody who joins or leaves, the id is in `killer`."""

RUNNING, RATED, UNRATED, CANCELLED, VOIDED = "running", "rated", "unrated", "cancelled", "void"
"""States of a contest."""

PARAMETERS = ContestParameters()

SLACK_SECONDS = SKEW_SECONDS
"""So much before the start a kill may claim to have been: see `claims`."""


class Book:
    """Every contest by number. A cache of what the store holds.

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
            self._enter(contest)
        for standing in rows.standings:
            self.standings[standing.contest][standing.player] = standing
        for rating in rows.ratings:
            self._ratings.setdefault(rating.ladder, {})[rating.player] = rating

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

    # ---- reading the log

    def apply(self, entry: LogEntry, changes: Changes) -> None:
        """Takes an entry that belongs to a contest, and notes what it changed.

        Cost: O(1) for a kill; O(N log N) for the end of a contest; linear in all standings of the
        ladder for one that is declared void, some seconds for 100,000.
        """
        contest = entry.contest
        assert contest is not None
        if entry.kind == START:
            self._start(contest, entry, changes)
        elif entry.kind == VOID:
            self._void(contest, changes)
        elif contest in self.contests and self.contests[contest].state == RUNNING:
            self._follow(contest, entry, changes)

    def _follow(self, contest: int, entry: LogEntry, changes: Changes) -> None:
        match entry.kind:
            case "kill":
                self._kill(contest, entry, changes)
            case "death":
                self._death(contest, entry, changes)
            case "contest_join":
                self._join(contest, entry, changes)
            case "contest_leave":
                self._leave(contest, entry, changes)
            case "contest_end":
                self._end(contest, entry, changes)
            case "contest_cancel":
                self._close(contest, entry, CANCELLED, changes)

    def _start(self, contest: int, entry: LogEntry, changes: Changes) -> None:
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
        self._enter(row)
        changes.contest(row)
        for player in dict.fromkeys(map(self.rated_as, charter.players)):
            self._put(StandingRow(contest=contest, player=player), changes)

    def _enter(self, row: ContestRow) -> None:
        self.contests[row.contest] = row
        self.standings[row.contest] = {}
        self._charters[row.contest] = read(row.rules)
        if row.state == RUNNING:
            self._running[row.server] = row.contest

    def _put(self, row: StandingRow, changes: Changes) -> None:
        self.standings[row.contest][row.player] = row
        changes.standing(row.contest, row.player, row)

    def _standing(self, contest: int, player: str | None) -> StandingRow:
        assert player is not None
        there = self.standings[contest].get(player)
        return there or StandingRow(contest=contest, player=player)

    def _kill(self, contest: int, entry: LogEntry, changes: Changes) -> None:
        killer = self._standing(contest, entry.killer)
        if killer.out is None or entry.time <= killer.out:
            killer = replace(killer, kills=killer.kills + 1)
        self._put(killer, changes)
        self._death(contest, entry, changes)

    def _death(self, contest: int, entry: LogEntry, changes: Changes) -> None:
        victim = self._standing(contest, entry.victim)
        if victim.out is None or entry.time <= victim.out:
            last = self._charters[contest].score == "placement"
            out = entry.time if last else victim.out
            victim = replace(victim, deaths=victim.deaths + 1, out=out)
        self._put(victim, changes)

    def _join(self, contest: int, entry: LogEntry, changes: Changes) -> None:
        """Also again, for those who had left. Only in `placement` out is out."""
        if self._is_over(contest, entry):
            return
        standing = self._standing(contest, entry.killer)
        if standing.out is None or self._charters[contest].score != "placement":
            self._put(replace(standing, out=None), changes)

    def _leave(self, contest: int, entry: LogEntry, changes: Changes) -> None:
        standing = self._standing(contest, entry.killer)
        if standing.out is None and not self._is_over(contest, entry):
            self._put(replace(standing, out=entry.time), changes)

    def _is_over(self, contest: int, entry: LogEntry) -> bool:
        """Whether its time was over by then. What comes until its end is in the log decides not."""
        return entry.time > self.contests[contest].ends

    def _close(self, contest: int, entry: LogEntry, state: str, changes: Changes) -> None:
        row = replace(
            self.contests[contest], state=state, ended=entry.time, position=entry.position
        )
        self.contests[contest] = row
        self._running.pop(row.server, None)
        changes.contest(row)

    def _end(self, contest: int, entry: LogEntry, changes: Changes) -> None:
        charter = self._charters[contest]
        everybody = list(self.standings[contest].values())
        fell = _first_death(everybody)
        for standing in everybody:
            if not _took_part(standing, charter, fell):
                del self.standings[contest][standing.player]
                changes.standing(contest, standing.player, None)
        standings = judged(list(self.standings[contest].values()), charter.score)
        counts = len(standings) >= max(1, charter.min_players) and any(s.deaths for s in standings)
        self._close(contest, entry, RATED if counts else UNRATED, changes)
        for standing in standings:
            self._put(standing, changes)
        if counts:
            self._rate(contest, changes)

    def _rate(self, contest: int, changes: Changes) -> None:
        """From the ratings as they are, and from the scores of the standings."""
        ladder, there = self.contests[contest].ladder, self.standings[contest]
        before = [self.rating(ladder, player) for player in there]
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
                self._put(standing, changes)
            fresh = ContestRatingRow(ladder, rating.player, result.rating, result.contests)
            self._ratings.setdefault(ladder, {})[rating.player] = fresh
            changes.rating(ladder, rating.player, fresh)

    def _void(self, contest: int, changes: Changes) -> None:
        """Rates all other contests of the ladder again, in the order in which they were."""
        row = self.contests.get(contest)
        if row is None or row.state != RATED:
            return
        self.contests[contest] = replace(row, state=VOIDED)
        changes.contest(self.contests[contest])
        for player in self._ratings.pop(row.ladder, {}):
            changes.rating(row.ladder, player, None)
        for standing in list(self.standings[contest].values()):
            blank = replace(
                standing, contests=None, before=None, after=None, expected=None, raw=None
            )
            self._put(blank, changes)
        rated = [r for r in self.contests.values() if r.ladder == row.ladder and r.state == RATED]
        for other in sorted(rated, key=lambda other: other.position or 0):
            self._rate(other.contest, changes)


def _entered(standing: StandingRow, before: ContestRatingRow) -> Standing:
    assert standing.score is not None  # judged, as every contest that is over
    return Standing(before.player, before.rating, before.contests, standing.score)


def _first_death(standings: Iterable[StandingRow]) -> float:
    """When the first one died, as far as it is kept: in `placement`."""
    return min((s.out for s in standings if s.deaths and s.out is not None), default=math.inf)


def _took_part(standing: StandingRow, charter: Charter, first_death: float) -> bool:
    """Whoever left without a fight did not, nor who, unasked, did nothing at all.

    In a `placement`, though, to have done nothing is to have lasted: there only those took no part
    who left before anybody had died.
    """
    if standing.kills or standing.deaths:
        return True
    if charter.score == "placement":
        return standing.out is None or standing.out >= first_death
    return standing.out is None and charter.entry == "join"
