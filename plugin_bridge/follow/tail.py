"""The lines of a log that is being written, across rotations, and across our own restarts."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import BinaryIO, cast

from plugin_bridge.gamelog.days import dated

HEAD_BYTES = 512
CHUNK_BYTES = 1 << 20
_HOLDS_UP_ROTATION = os.name == "nt"
"""On Windows nobody can rename a file that we have open, so it is opened anew each time. What is
written in the quarter of a second before a rotation may be missed there."""
_UNDATED = (date.min, 0)
ROTATED_LOOKED_AT = 50
"""The newest rotated logs among which the rest of one is looked for."""


@dataclass(frozen=True, slots=True)
class Place:
    """How far a log was read, and which: `head` is a hash of its first `size` bytes."""

    inode: int
    offset: int
    head: str
    size: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines, and the place behind them. `begins`: they are the first of another file."""

    lines: tuple[str, ...]
    place: Place
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Missed:
    """What of a rotated log was read already, and what was not."""

    day: date
    before: tuple[str, ...]
    lines: tuple[str, ...]


START = Place(0, 0, "", 0)
"""The beginning of whatever log there is."""


class Tail:
    """`place`: where reading goes on; None: from the beginning of the file."""

    def __init__(self, path: Path, place: Place | None) -> None:
        self._path = path
        self._place = None if place == START else place
        self._file: BinaryIO | None = None
        self._begins = self._place is None

    def missed(self) -> list[Missed]:
        """What was written behind the place before the log was rotated away. Call it once, first;
        reading goes on at START if there was a rotation.
        """
        place = self._place
        if self._opened() is None:
            self._place, self._begins = None, True
        if place is None or self._place == place:
            return []
        found = []
        for number, path in enumerate(_rotated(self._path, place)):
            with _opened(path) as file:
                before = file.read(place.offset if number == 0 else 0)
                after = file.read()
            found.append(Missed((dated(path.name) or _UNDATED)[0], _lines(before), _lines(after)))
        return found

    @property
    def place(self) -> Place:
        """Behind what was read so far."""
        return self._place or START

    def read(self) -> Chunk | None:
        """The next whole lines, a megabyte at most; None if there is nothing new."""
        file = self._opened()
        if file is None:
            return None
        start = self._place.offset if self._place else 0
        file.seek(start)
        data = file.read(CHUNK_BYTES)
        if _HOLDS_UP_ROTATION and len(data) < CHUNK_BYTES:
            self._file = None
            with closing(file):
                return self._chunk(file, data, start)
        return self._chunk(file, data, start)

    def _chunk(self, file: BinaryIO, data: bytes, start: int) -> Chunk | None:
        end = data.rfind(b"\n") + 1
        if not end and len(data) == CHUNK_BYTES:
            end = len(data)  # no line is that long
        if not end:
            self._look_for_another(file, start)
            return None
        self._place = _place_in(file, start + end)
        chunk = Chunk(_lines(data[:end]), self._place, self._begins)
        self._begins = False
        return chunk

    def close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _opened(self) -> BinaryIO | None:
        """The log, at its beginning where it is another one than before."""
        if self._file is None:
            try:
                self._file = self._path.open("rb")
            except OSError:
                return None
            if self._place and not _is_in(self._file, self._place):
                self._place, self._begins = None, True
        return self._file

    def _look_for_another(self, file: BinaryIO, offset: int) -> None:
        """The file was read to its end: has another one taken its name, or was it emptied?"""
        try:
            there = self._path.stat()
        except OSError:
            return
        mine = os.fstat(file.fileno())
        if (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino) and there.st_size >= offset:
            return
        file.seek(offset)
        if b"\n" in file.read(CHUNK_BYTES):
            return  # written just before it was renamed
        self.close()
        self._place, self._begins = None, True


def _place_in(file: BinaryIO, offset: int) -> Place:
    file.seek(0)
    head = file.read(min(HEAD_BYTES, offset))
    return Place(os.fstat(file.fileno()).st_ino, offset, _hash(head), len(head))


def end_of(path: Path) -> Place | None:
    """The place behind the last whole line that is there now; None where there is no file."""
    try:
        with path.open("rb") as file:
            size, end = file.seek(0, os.SEEK_END), 0
            step = min(size, 1 << 16)
            while step and not end:
                file.seek(size - step)
                found = file.read(step).rfind(b"\n")
                end = size - step + found + 1 if found >= 0 else 0
                step = min(size, step * 2) if step < size else 0
            return _place_in(file, end)
    except OSError:
        return None


def lines_before(path: Path, place: Place) -> Iterator[str]:
    """The lines of the log in front of a place in it; none if it is another log by now."""
    with path.open("rb") as file:
        if not _is_in(file, place):
            return
        file.seek(0)
        left = place.offset
        while left > 0 and (raw := file.readline(min(left, CHUNK_BYTES))):
            left -= len(raw)
            yield raw.decode(errors="replace")


def _is_in(file: BinaryIO, place: Place) -> bool:
    """Whether a file is the one that was read. Two logs do not begin with the same 512 bytes."""
    there = os.fstat(file.fileno())
    if there.st_size < place.offset:
        return False
    if not place.size:
        return there.st_ino == place.inode
    file.seek(0)
    return _hash(file.read(place.size)) == place.head


def _rotated(path: Path, place: Place) -> list[Path]:
    """The rotated log that the place is in, and those after it, in their order."""
    if not place.size:
        return []
    logs = sorted(
        (other for other in path.parent.glob("*.log*") if other != path and dated(other.name)),
        key=lambda other: dated(other.name) or _UNDATED,
    )[-ROTATED_LOOKED_AT:]
    for number, log in enumerate(logs):
        try:
            with _opened(log) as file:
                if _hash(file.read(place.size)) == place.head:
                    return logs[number:]
        except (OSError, EOFError, zlib.error):
            continue
    return []


def _opened(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def _lines(data: bytes) -> tuple[str, ...]:
    """Only \\n ends a line: other breaks come from players, who could make up lines with them."""
    return tuple(line.decode(errors="replace") + "\n" for line in data.split(b"\n") if line)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
