"""Where following a log begins, and what was written to it while nobody followed."""

import logging
import time
from collections.abc import Sequence
from datetime import date
from itertools import islice
from pathlib import Path

from plugin_bridge.errors import UsageError
from plugin_bridge.follow.following import Following
from plugin_bridge.follow.places import START, Place, end_of, lines_before
from plugin_bridge.follow.reader import Reader, Stranger
from plugin_bridge.follow.rotated import Missed
from plugin_bridge.follow.spool import Spool
from plugin_bridge.follow.tail import Chunk, Tail
from plugin_bridge.gamelog.lines import has_head
from plugin_bridge.importing.happenings import Happening
from plugin_bridge.importing.log_files import lines_of
from plugin_bridge.importing.logs import began
from plugin_bridge.importing.merging import merged

log = logging.getLogger(__name__)

_FIRST_LINES = 200


class Backlog:
    """What is found out here goes into the spool, and the reader learns who is who."""

    def __init__(self, what: Following, spool: Spool, reader: Reader) -> None:
        self._what = what
        self._spool = spool
        self._reader = reader

    def begun(self) -> Tail:
        """Goes on where an earlier run ended; the first run begins with what comes now."""
        what, place = self._what, self._spool.place
        happenings: Sequence[Happening] = ()
        if place is None:
            place = end_of(what.log) or START
            happenings = self._first(place)
        tail = Tail(what.log, place)
        missed = tail.missed()
        if missed:
            happenings = self.catch_up(missed)
        if tail.place != START:
            _warn_of_strange_lines(what.log)
            self._reader.begin(began(what.log, what.zone))
            self._reader.learn(lines_before(what.log, tail.place))
        self._spool.keep(happenings, self._reader.people, tail.place)
        return tail

    def _first(self, end: Place) -> Sequence[Happening]:
        """What is to be told of a log that was not followed before, or nobody knows how far."""
        what = self._what
        if self._spool.damaged:
            log.error(
                "how far %s was read is not known any more: it is followed from its end on. %s",
                what.log,
                self._cure,
            )
            return ()
        log.info("following %s from its %s on", what.log, "start" if what.from_start else "end")
        if not what.from_start or end == START:
            return ()
        content = Missed(began(what.log, what.zone), (), tuple(lines_before(what.log, end)))
        found = self._caught_up(content)
        if what.recorded is None:
            log.warning("what the daemon has is not known here: kills told earlier count twice")
            return found
        fresh = merged(found, what.recorded).fresh
        log.info("%d kills and deaths, %d of them told before", len(found), len(found) - len(fresh))
        return fresh

    def catch_up(self, chunk: Chunk) -> list[Happening]:
        """What logs tell that were rotated away before they were read."""
        if chunk.lost:
            log.error(
                "%s is another one than before, and the one before is not found beside it, or not "
                "whole. Kills may be missing. %s",
                self._what.log,
                self._cure,
            )
        return [one for missed in chunk.missed for one in self._caught_up(missed)]

    @property
    def _cure(self) -> str:
        return (
            f"Missing kills can be brought in: stop the daemon, adr-bridge import "
            f"{self._what.log.parent}/*.log* --server {self._what.server}"
        )

    def _caught_up(self, missed: Missed) -> list[Happening]:
        self._reader.begin(missed.day)
        self._reader.learn(missed.before)
        told = self._reader.read(missed.lines, now=time.time())
        for one in told:
            if isinstance(one, Stranger):
                warn(one)
        return [one for one in told if isinstance(one, Happening)]

    def day(self) -> date | None:
        """The day the log begins that is there now; None if it is gone again already."""
        try:
            return began(self._what.log, self._what.zone)
        except (UsageError, OSError):
            return None


def _warn_of_strange_lines(path: Path) -> None:
    """Nothing would ever be told of a log of which no line is understood."""
    first = [raw.strip() for raw in islice(lines_of(path), _FIRST_LINES)]
    if any(first) and not any(map(has_head, first)):
        log.warning(
            "%s: none of its first lines begins with a time as game servers write it; kills in "
            "such lines are not noticed. The first is: %s",
            path,
            next(filter(None, first))[:100],
        )


def warn(stranger: Stranger) -> None:
    """Says that kills of somebody are left out, and what helps."""
    log.warning(
        "%s was killed by %s, of whom nothing tells: a mob with a name, or a player. Such kills "
        "are left out; if it is a player, start this with --player %s or --usercache FILE",
        stranger.victim,
        stranger.name,
        stranger.name,
    )
