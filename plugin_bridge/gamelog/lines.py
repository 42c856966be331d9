"""Lines of a server's log, whatever wrote it: their clock, and their text without colours."""

import re
from dataclasses import dataclass
from datetime import date, time

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
YEARS = range(1970, 2100)
_READ = "INFO"
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\xa7\x7f].?|\ufeff|\r")
_CLOCK = r"(?P<h>[01]\d|2[0-3]):(?P<m>[0-5]\d):(?P<s>[0-5]\d)(?:[.,](?P<f>\d{1,6}))?"
_ISO = r"(?P<year>\d{4})[-/](?P<month>\d\d)[-/](?P<day>\d\d)[ T]"
_FORGE = r"(?P<d>\d\d?)(?P<mon>[A-Za-z]{3})[a-z]*\.?(?P<y>\d{4}) "
_THREAD = r"\[[^\]]*?/?(?P<level>[A-Z]+)\](?:(?: \[[^\]]*\])?:| \([^)]*\)) ?"
_HEADS = tuple(
    re.compile(head)
    for head in (
        # [12:34:56] [Server thread/INFO]: text    also with a date, and a logger's name behind
        rf"\[(?:{_ISO}|{_FORGE})?{_CLOCK}\] {_THREAD}",
        # 2019-05-01 [12:34:56] [Server thread/INFO]: text
        rf"{_ISO}\[{_CLOCK}\] {_THREAD}",
        # [12:34:56 INFO]: text
        rf"\[(?:{_ISO})?{_CLOCK} (?P<level>[A-Z]+)\]: ?",
        # 2013-05-01 12:34:56 [INFO] text
        rf"(?:{_ISO})?{_CLOCK} \[(?P<level>[A-Z]+)\]:? ?",
        # [12:34:56] [INFO] text
        rf"\[(?:{_ISO})?{_CLOCK}\] \[(?P<level>[A-Z]+)\] ?",
    )
)
"""Vanilla, Paper, Forge and Fabric write the first, PocketMine the second, Paper's console the
third, servers up to 1.6 and Glowstone the fourth, some wrappers the last. What has no such head is
the rest of the line before it: a stack trace, say. Dates like 11/01/2026 are not read: whether that
is in January or November, no line tells."""
_BEFORE = re.compile(
    r"(?:[\w.-]+ +\| )?"  # docker compose logs
    r"(?:\d{4}-\d\d-\d\dT[\d:.,]+(?:Z|[+-]\d\d:?\d\d) )?"  # docker logs -t, journalctl -o short-iso
    r"(?:(?:[^\W\d]{3,4}\.? [ \d]\d \d\d:\d\d:\d\d )?\S+ [^\s:\[\]]+\[\d+\]: )?"  # journalctl
    r"(?:> ?)*"  # the prompt of a console
)
"""What others put in front of a head. The time is taken from the head."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its clock; `day` only where the line itself names one."""

    clock: time
    text: str
    day: date | None = None


def read_line(raw: str) -> Line | None:
    """None for what is no line of its own, and for warnings and errors. Cost: O(length)."""
    bare = _COLOURS.sub("", raw).rstrip("\n")
    head = _head(bare)
    return _line(head, bare[head.end() :].strip()) if head else None


def has_head(raw: str) -> bool:
    """Whether it is a line of its own, of whatever level."""
    head = _head(_COLOURS.sub("", raw))
    return head is not None and (head["level"] != _READ or _line(head, "") is not None)


def _head(bare: str) -> re.Match[str] | None:
    found = _head_at(bare, 0)
    before = None if found else _BEFORE.match(bare)
    return _head_at(bare, before.end()) if before and before.end() else found


def _head_at(bare: str, start: int) -> re.Match[str] | None:
    for head in _HEADS:
        found = head.match(bare, start)
        if found:
            return found
    return None


def _line(head: re.Match[str], text: str) -> Line | None:
    parts = head.groupdict()
    if parts["level"] != _READ:
        return None
    clock = time(
        int(parts["h"]), int(parts["m"]), int(parts["s"]), int((parts["f"] or "").ljust(6, "0"))
    )
    try:
        return Line(clock, text, _day(parts))
    except ValueError:  # the 31st of February, or the year 1
        return None


def _day(parts: dict[str, str]) -> date | None:
    if parts.get("year"):
        return likely_date(int(parts["year"]), int(parts["month"]), int(parts["day"]))
    if parts.get("mon"):
        month = _MONTHS.get(parts["mon"].lower())
        return likely_date(int(parts["y"]), month, int(parts["d"])) if month else None
    return None


def likely_date(year: int, month: int, day: int) -> date:
    """Raises ValueError for what is no date, or of another century than game servers are."""
    if year not in YEARS:
        raise ValueError(f"the year {year} is not from {YEARS[0]} to {YEARS[-1]}")
    return date(year, month, day)
