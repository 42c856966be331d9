"""Places in a log: they are found again in whatever file the log is by then."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

HEAD_BYTES = 512
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """How far a log was read, and which: `head` is a hash of its first `size` bytes."""

    inode: int
    offset: int
    head: str
    size: int


START = Place(0, 0, "", 0)
"""The beginning of whatever log there is."""


def place_in(file: BinaryIO, offset: int) -> Place:
    file.seek(0)
    head = file.read(min(HEAD_BYTES, offset))
    return Place(os.fstat(file.fileno()).st_ino, offset, digest(head), len(head))


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
            return place_in(file, end)
    except OSError:
        return None


def lines_before(path: Path, place: Place) -> Iterator[str]:
    """The lines of the log in front of a place in it; none if it is another log by now."""
    with path.open("rb") as file:
        if not is_in(file, place):
            return
        file.seek(0)
        left = place.offset
        while left > 0 and (raw := file.readline(min(left, CHUNK_BYTES))):
            left -= len(raw)
            yield raw.decode(errors="replace")


def is_in(file: BinaryIO, place: Place) -> bool:
    """Whether a file is the one that was read. Two logs do not begin with the same 512 bytes."""
    there = os.fstat(file.fileno())
    if there.st_size < place.offset:
        return False
    if not place.size:
        return there.st_ino == place.inode
    file.seek(0)
    return digest(file.read(place.size)) == place.head


def whole_lines(data: bytes) -> tuple[str, ...]:
    """Only \\n ends a line: other breaks come from players, who could make up lines with them."""
    return tuple(line.decode(errors="replace") + "\n" for line in data.split(b"\n") if line)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
