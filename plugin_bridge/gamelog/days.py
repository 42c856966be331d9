"""From the clocks in a log to moments: they say the hour, and often not the day."""

import re
from datetime import date, datetime, time, timedelta, tzinfo

from plugin_bridge.gamelog.lines import Line, likely_date

_BACKWARDS = timedelta(hours=2)
"""A clock that goes back by more has passed midnight; by less, it was set, or lines got mixed."""
_MIXED = timedelta(minutes=30)
_DATED = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:-(?P<number>\d+))?\b")


def dated(name: str) -> tuple[date, int] | None:
    """Day and number in a file's name, such as `2024-05-01-2.log.gz`; None where there is none."""
    found = _DATED.search(name)
    if not found:
        return None
    try:
        day = likely_date(int(found["y"]), int(found["m"]), int(found["d"]))
    except ValueError:
        return None
    return day, int(found["number"] or 0)


class Calendar:
    """Follows the lines of one log from its first day on.

    zone: where the server's clock was; None: this machine's own.
    """

    def __init__(self, first: date, zone: tzinfo | None) -> None:
        self._day = first
        self._zone = zone
        self._last: datetime | None = None
        self._again = False
        self.midnights = 0

    def moment(self, line: Line) -> float:
        """Seconds since 1970. Call it for every line, in the order of the file. O(1)."""
        if line.day:
            self._day = line.day
        elif self._last and self._last - datetime.combine(self._day, line.clock) > _BACKWARDS:
            self._day += timedelta(days=1)
            self.midnights += 1
            self._again = False
        local = datetime.combine(self._day, line.clock)
        if self._last and self._last - local > _MIXED:
            self._again = True  # the hour that comes twice when summer ends
        self._last = local
        return seconds(local.replace(fold=int(self._again)), self._zone)


def seconds(local: datetime, zone: tzinfo | None) -> float:
    """The moment of a local time; None is this machine's own zone."""
    return (local.replace(tzinfo=zone) if zone else local).timestamp()


def first_day(changed: float, last: time, midnights: int, zone: tzinfo | None) -> date:
    """The day a log began that was last written at `changed` and passed so many midnights.

    Its last line cannot be later than the file, but for a moment.
    """
    written = datetime.fromtimestamp(changed, zone) + timedelta(minutes=5)
    day = written.date()
    if last > written.time():
        day -= timedelta(days=1)
    return day - timedelta(days=midnights)
