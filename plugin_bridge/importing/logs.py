"""Server logs, plain or packed, as kills and deaths; and what in them was not understood."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, tzinfo
from pathlib import Path

from plugin_bridge.errors import UsageError
from plugin_bridge.gamelog.days import Calendar, dated, first_day
from plugin_bridge.gamelog.lines import has_head, read_line
from plugin_bridge.gamelog.news import Died, judged, news_in, note, stranger
from plugin_bridge.gamelog.people import People, Source
from plugin_bridge.gamelog.shapes import Shapes
from plugin_bridge.importing.happenings import Being, Excerpt, Happening, excerpt
from plugin_bridge.importing.log_files import lines_of, usercaches


@dataclass(frozen=True, slots=True)
class LogReading:
    """Everything that some logs tell, log by log.

    people: names by where their ids come from. unknown, noise: shapes of lines that tell of
    nothing, with how often each was met; in `unknown` those that begin with a player's name.
    strangers: names of killers who may be players, but nothing says so; their kills are left out.
    headless: shapes of lines that do not begin with a time, and so belong to the line before.
    """

    happenings: tuple[tuple[Happening, ...], ...]
    excerpts: tuple[Excerpt, ...]
    people: dict[Source, list[str]]
    unknown: list[tuple[str, int]]
    noise: list[tuple[str, int]]
    strangers: list[tuple[str, int]]
    headless: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class _Death:
    time: float
    died: Died
    text: str


@dataclass(frozen=True, slots=True)
class _Log:
    path: Path
    first: date
    number: int


def read_logs(
    paths: Sequence[Path],
    *,
    usercache: Path | None = None,
    recorded: Mapping[str, str] | None = None,
    players: Sequence[str] = (),
    first: date | None = None,
    zone: tzinfo | None = None,
    own: Sequence[re.Pattern[str]] = (),
) -> LogReading:
    """Reads logs, in whatever order they are given.

    usercache: where names and ids stand; None: looked for beside the logs and one folder above.
    recorded: ids by name, as the database has them. players: names that are players' all the same.
    first: the day the log begins, for a single log that does not tell. zone: where the server's
    clock was; None: this machine's own. own: forms of death messages beside those of the game.
    Raises UsageError for what cannot be read.
    """
    if first and len(paths) > 1:
        raise UsageError("--date says when one log begins; give one log at a time with it")
    people = People(usercaches(paths, usercache), seen=set(players), recorded=recorded or {})
    reader = _Reader(people, zone, own)
    logs = sorted((_placed(path, first, zone) for path in paths), key=_order)
    read = [(log, *reader.read(log)) for log in logs]
    excerpts: list[Excerpt] = []
    happenings: list[tuple[Happening, ...]] = []
    for log, lines, deaths in read:  # only now is it known who all are players
        here = reader.happenings(deaths)
        excerpts.append(excerpt(log.path.name, lines, here))
        happenings.append(tuple(here))
    names = {
        being.name for here in happenings for h in here for being in (h.killer, h.victim) if being
    }
    return LogReading(
        tuple(happenings),
        tuple(excerpts),
        people.sources(filter(None, names)),
        reader.shapes.of_players(people.knows),
        reader.shapes.others(people.knows),
        reader.strangers.most_common(),
        reader.headless.all(),
    )


def _placed(path: Path, first: date | None, zone: tzinfo | None) -> _Log:
    """The log with the day it begins: as told, by its name, or by when it was last written."""
    known = dated(path.name)
    if first or known:
        return _Log(path, first or (known or (date.min, 0))[0], known[1] if known else 0)
    return _Log(path, began(path, zone), 1_000_000)


def began(path: Path, zone: tzinfo | None) -> date:
    """The day a log begins: as its name says, or counted back from when it was last written."""
    if known := dated(path.name):
        return known[0]
    calendar, last = Calendar(date(2000, 1, 1), zone), time.min
    for raw in lines_of(path):
        line = read_line(raw)
        if line:
            calendar.moment(line)
            last = line.clock
    return first_day(path.stat().st_mtime, last, calendar.midnights, zone)


def _order(log: _Log) -> tuple[date, int]:
    return log.first, log.number


class _Reader:
    """Reads logs in their order, and learns on the way who is a player.

    shapes: of lines that told nothing; headless: of those that do not begin with a time;
    strangers: as in `LogReading`.
    """

    def __init__(self, people: People, zone: tzinfo | None, own: Sequence[re.Pattern[str]]) -> None:
        self._people = people
        self._zone = zone
        self._own = own
        self.shapes, self.headless, self.strangers = Shapes(), Shapes(), Counter[str]()

    def read(self, log: _Log) -> tuple[int, list[_Death]]:
        """How many lines a log has, and its deaths. Raises UsageError if no line begins with a
        time.
        """
        calendar, count = Calendar(log.first, self._zone), 0
        strange, understood = "", False
        deaths: list[_Death] = []
        for raw in lines_of(log.path):
            count += 1
            line = read_line(raw)
            if line is not None:
                understood = True
                deaths += self._deaths(line.text, calendar.moment(line))
            elif has_head(raw):
                understood = True
            elif headless := raw.strip():
                strange = strange or headless[:100]
                self.headless.add(headless)
        if strange and not understood:
            raise UsageError(
                f"{log.path}: no line of it begins with a time as game servers write it, such as "
                f"`[12:34:56] [Server thread/INFO]: `; the first is: {strange}"
            )
        return count, deaths

    def _deaths(self, text: str, moment: float) -> list[_Death]:
        """The death that a line tells of, if it does."""
        news = news_in(text, self._own)
        note(news, self._people)
        if isinstance(news, Died):
            return [_Death(moment, news, text)]
        if news is None:
            self.shapes.add(text)
        return []

    def happenings(self, deaths: Sequence[_Death]) -> list[Happening]:
        """What deaths there were among players, as far as it is known who all are."""
        found = []
        for death in deaths:
            reading = judged(death.died, self._people)
            if reading is None:
                self.shapes.add(death.text)
                continue
            if unknown := stranger(death.died, self._people):
                self.strangers[unknown] += 1
                continue
            killer = None if reading.killer is None else self._being(reading.killer)
            victim = self._being(reading.victim)
            found.append(Happening(death.time, victim, killer, reading.cause))
        return found

    def _being(self, name: str) -> Being:
        return Being(self._people.who(name)[0], name)
