"""Server logs, plain or packed, as kills and deaths; and what in them was not understood."""

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, tzinfo
from pathlib import Path
from typing import BinaryIO, cast

from plugin_bridge.errors import UsageError
from plugin_bridge.gamelog.days import Calendar, dated, first_day
from plugin_bridge.gamelog.lines import read_line
from plugin_bridge.gamelog.news import Died, judged, news_in, note, stranger
from plugin_bridge.gamelog.people import People, Source, read_usercache
from plugin_bridge.gamelog.shapes import Shapes
from plugin_bridge.importing.happenings import Being, Excerpt, Happening, excerpt

LONGEST_LINE = 32_768
USERCACHE = "usercache.json"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class LogReading:
    """Everything that some logs tell, log by log.

    people: names by where their ids come from. unknown, noise: shapes of lines that tell of
    nothing, with how often each was met; in `unknown` those that begin with a player's name.
    strangers: names of killers who may be players, but nothing says so; their kills are left out.
    """

    happenings: tuple[tuple[Happening, ...], ...]
    excerpts: tuple[Excerpt, ...]
    people: dict[Source, list[str]]
    unknown: list[tuple[str, int]]
    noise: list[tuple[str, int]]
    strangers: list[tuple[str, int]]


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
    shapes, strangers = Shapes(), Counter[str]()
    logs = sorted((_placed(path, first, zone) for path in paths), key=_order)
    read = [(log, *_read(log, zone, people, shapes, own)) for log in logs]
    excerpts: list[Excerpt] = []
    happenings: list[tuple[Happening, ...]] = []
    for log, lines, deaths in read:  # only now is it known who all are players
        here = _happenings(deaths, people, shapes, strangers)
        excerpts.append(excerpt(log.path.name, lines, here))
        happenings.append(tuple(here))
    names = {
        being.name for here in happenings for h in here for being in (h.killer, h.victim) if being
    }
    return LogReading(
        tuple(happenings),
        tuple(excerpts),
        people.sources(filter(None, names)),
        shapes.of_players(people.knows),
        shapes.others(people.knows),
        strangers.most_common(),
    )


def _placed(path: Path, first: date | None, zone: tzinfo | None) -> _Log:
    """The log with the day it begins: as told, by its name, or by when it was last written."""
    known = dated(path.name)
    if first or known:
        return _Log(path, first or (known or (date.min, 0))[0], known[1] if known else 0)
    return _Log(path, began(path, zone), 1_000_000)


def began(path: Path, zone: tzinfo | None) -> date:
    """The day a log without a date begins: counted back from when it was last written."""
    calendar, last = Calendar(date(2000, 1, 1), zone), time.min
    for raw in _lines(path):
        line = read_line(raw)
        if line:
            calendar.moment(line)
            last = line.clock
    return first_day(path.stat().st_mtime, last, calendar.midnights, zone)


def _order(log: _Log) -> tuple[date, int]:
    return log.first, log.number


def _read(
    log: _Log,
    zone: tzinfo | None,
    people: People,
    shapes: Shapes,
    own: Sequence[re.Pattern[str]],
) -> tuple[int, list[_Death]]:
    """The lines of one log, and its deaths; who is a player is learned on the way."""
    calendar, count = Calendar(log.first, zone), 0
    deaths: list[_Death] = []
    for raw in _lines(log.path):
        count += 1
        line = read_line(raw)
        if line is None:
            continue
        moment, news = calendar.moment(line), news_in(line.text, own)
        note(news, people)
        if isinstance(news, Died):
            deaths.append(_Death(moment, news, line.text))
        elif news is None:
            shapes.add(line.text)
    return count, deaths


def _happenings(
    deaths: Sequence[_Death], people: People, shapes: Shapes, strangers: Counter[str]
) -> list[Happening]:
    found = []
    for death in deaths:
        reading = judged(death.died, people)
        if reading is None:
            shapes.add(death.text)
            continue
        if unknown := stranger(death.died, people):
            strangers[unknown] += 1
            continue
        killer = None if reading.killer is None else _being(reading.killer, people)
        victim = _being(reading.victim, people)
        found.append(Happening(death.time, victim, killer, reading.cause))
    return found


def _being(name: str, people: People) -> Being:
    return Being(people.who(name)[0], name)


def usercaches(paths: Sequence[Path], usercache: Path | None) -> dict[str, str]:
    """Ids by name: of that file, or of those beside the others and one folder above."""
    if usercache:
        return _usercache(usercache)
    folders = dict.fromkeys(path.absolute().parent for path in paths)
    nearby = dict.fromkeys(
        place / USERCACHE for folder in folders for place in (folder.parent, folder)
    )
    found: dict[str, str] = {}
    for file in nearby:
        if file.is_file():
            found |= _usercache(file)
    return found


def _usercache(path: Path) -> dict[str, str]:
    try:
        return read_usercache(path.read_text(encoding="utf-8"), where=str(path))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: this is no usercache.json (not UTF-8)") from None


def _lines(path: Path) -> Iterator[str]:
    """The lines of a log, each cut at a length that no honest line has. Raises UsageError."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
            file.seek(0)
            source = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file
            while raw := source.readline(LONGEST_LINE):
                yield raw.decode(errors="replace")
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise UsageError(f"{path}: the file is damaged; unpack what is left of it") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
