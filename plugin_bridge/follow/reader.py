"""From the lines of a log to what the daemon is told. Pure: lines and times in, values out."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from plugin_bridge.gamelog.days import Calendar, first_day
from plugin_bridge.gamelog.lines import Line, read_line
from plugin_bridge.gamelog.news import Came, Died, News, Said, Went, judged, news_in, note, stranger
from plugin_bridge.gamelog.people import People
from plugin_bridge.importing.happenings import Being, Happening

MARK = "!"
"""What a command begins with when it is typed as chat: `!rank` for `/rank`."""
COMMANDS = ("rank", "event")
_TALKATIVE_SECONDS = 1.0
_MOST_STRANGERS = 1_000


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody typed a command as chat; `words` as PROTOCOL.md has them."""

    who: Being
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    who: Being


@dataclass(frozen=True, slots=True)
class Left:
    who: Being


@dataclass(frozen=True, slots=True)
class Stranger:
    """A killer who may be a player, but nothing says so. Told once; the kills are left out."""

    name: str
    victim: str


Told = Happening | Asked | Joined | Left | Stranger


class Reader:
    """Reads one log after the other. `people`: who is known from before. `own`: forms of death
    messages beside those of the game.
    """

    def __init__(
        self, people: People, zone: tzinfo | None, own: Sequence[re.Pattern[str]] = ()
    ) -> None:
        self.people = people
        self.online: dict[str, Being] = {}
        """By name: who came and has not left, as far as the log says."""
        self._zone = zone
        self._own = own
        self._calendar: Calendar | None = None
        self._asked: dict[str, float] = {}
        self._strangers: set[str] = set()

    def begin(self, day: date | None = None) -> None:
        """Another log follows, which begins on that day; None: its first line is of now."""
        self._calendar = Calendar(day, self._zone) if day else None

    def learn(self, lines: Iterable[str]) -> None:
        """Lines that were dealt with before: only who is who, and who is there, is taken."""
        for raw in lines:
            line = read_line(raw)
            if line and self._calendar:
                self._calendar.moment(line)
            news = line and news_in(line.text, self._own)
            if news:
                note(news, self.people)
                self._follow(news)

    def read(self, lines: Iterable[str], *, now: float) -> list[Told]:
        """What new lines tell, in their order. Cost: linear."""
        told: list[Told] = []
        for raw in lines:
            line = read_line(raw)
            if line is None:
                continue
            moment, news = self._moment(line, now), news_in(line.text, self._own)
            note(news, self.people)
            told += self._told(news, moment)
        return told

    def _moment(self, line: Line, now: float) -> float:
        if self._calendar is None:
            self._calendar = Calendar(first_day(now, line.clock, 0, self._zone), self._zone)
        return self._calendar.moment(line)

    def _told(self, news: News | None, moment: float) -> list[Told]:
        match news:
            case Died():
                return self._died(news, moment)
            case Said(name=name, words=words) if words.startswith(MARK):
                return self._said(name, words, moment)
            case Came(name=name) if name not in self.online:
                self._follow(news)
                return [Joined(self.online[name])]
            case Went(name=name) if name in self.online:
                return [Left(self.online.pop(name))]
        return []

    def _died(self, died: Died, moment: float) -> list[Told]:
        reading = judged(died, self.people)
        if reading is None:
            return []
        if unknown := stranger(died, self.people):
            if unknown in self._strangers or len(self._strangers) >= _MOST_STRANGERS:
                return []
            self._strangers.add(unknown)
            return [Stranger(unknown, reading.victim)]
        killer = None if reading.killer is None else self._being(reading.killer)
        return [Happening(moment, self._being(reading.victim), killer, reading.cause)]

    def _said(self, name: str, words: str, moment: float) -> list[Told]:
        """A command of somebody who is known; of the same, one in a second is enough."""
        command, *rest = words.removeprefix(MARK).split()[:32] or [""]
        if command.lower() not in COMMANDS or not self.people.knows(name):
            return []
        if moment - self._asked.get(name, 0.0) < _TALKATIVE_SECONDS:
            return []
        self._asked[name] = moment
        return [Asked(self._being(name), (command.lower(), *(word[:256] for word in rest)))]

    def _follow(self, news: News) -> None:
        match news:
            case Came(name=name):
                self.online[name] = self._being(name)
            case Went(name=name):
                self.online.pop(name, None)

    def _being(self, name: str) -> Being:
        return Being(self.people.who(name)[0], name)
