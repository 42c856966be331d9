"""What of a log was rotated away before it was read."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from plugin_bridge.files import unpacked
from plugin_bridge.follow.places import Place, digest, whole_lines
from plugin_bridge.gamelog.days import dated

ROTATED_LOOKED_AT = 50
"""The newest rotated logs among which the rest of one is looked for."""
_UNDATED = (date.min, 0)


@dataclass(frozen=True, slots=True)
class Missed:
    """What of a rotated log was read already, and what was not."""

    day: date
    before: tuple[str, ...]
    lines: tuple[str, ...]


def missed_in(path: Path, place: Place) -> list[Missed] | None:
    """What is in rotated logs behind a place in one of them; None if that is not found, or not all
    of it can be read (yet).
    """
    found = []
    try:
        for number, log in enumerate(_rotated(path, place)):
            with unpacked(log) as file:
                before = file.read(place.offset if number == 0 else 0)
                after = file.read()
            day = (dated(log.name) or _UNDATED)[0]
            found.append(Missed(day, whole_lines(before), whole_lines(after)))
    except OSError:
        return None
    return found or None


def _rotated(path: Path, place: Place) -> list[Path]:
    """The rotated log that the place is in, and those after it, in their order."""
    if not place.size:
        return []
    logs = sorted(
        (other for other in path.parent.glob("*.log*") if other != path and dated(other.name)),
        key=lambda other: (dated(other.name) or _UNDATED, other.suffix == ".gz"),
    )[-ROTATED_LOOKED_AT:]
    for number, log in enumerate(logs):
        with suppress(OSError), unpacked(log) as file:
            if digest(file.read(place.size)) == place.head:
                found: dict[object, Path] = {}  # while one is packed, it is there twice
                for other in logs[number:]:
                    if _series(other) == _series(log):
                        found.setdefault(dated(other.name), other)
                return list(found.values())
    return []


def _series(path: Path) -> str:
    """What stands in front of the date: other logs may lie in the same folder."""
    return re.split(r"\d{4}-\d\d-\d\d", path.name)[0]
