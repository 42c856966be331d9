"""The lines of a log that is being written, across rotations, and across our own restarts."""

import os
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from plugin_bridge.follow.places import CHUNK_BYTES, START, Place, is_in, place_in, whole_lines
from plugin_bridge.follow.rotated import Missed, missed_in

_HOLDS_UP_ROTATION = os.name == "nt"
"""On Windows nobody can rename a file that we have open, so it is opened anew each time."""
LOOK_SECONDS = 0.25
PATIENT_LOOKS = 20
"""So often a log that was rotated away is looked for: packing it takes a while."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines, and the place behind them. `begins`: they are the first of another file.

    missed: what of logs that were rotated away since was not read. lost: the log that was read last
    was rotated away and is not found, so that there may be such logs.
    """

    lines: tuple[str, ...]
    place: Place
    begins: bool = False
    missed: tuple[Missed, ...] = ()
    lost: bool = False


class Tail:
    """`place`: where reading goes on; None: from the beginning of the file."""

    def __init__(self, path: Path, place: Place | None) -> None:
        self._path = path
        self._place = None if place == START else place
        self._file: BinaryIO | None = None
        self._begins = self._place is None
        self._looks = 0
        """How often a log that was rotated away was not found."""

    def missed(self) -> Chunk | None:
        """What was written behind the place before the log was rotated away; None if it was not.
        Call it once, first; reading goes on at START if there was a rotation.

        Waits some seconds for a log that is being packed.
        """
        place = self._place
        if self._opened() is None:
            self._place, self._begins = None, True
        if place is None or self._place == place:
            return None
        for _ in range(PATIENT_LOOKS):
            missed = missed_in(self._path, place)
            if missed is not None:
                break
            time.sleep(LOOK_SECONDS)
        return Chunk((), START, missed=tuple(missed or ()), lost=missed is None)

    @property
    def place(self) -> Place:
        """Behind what was read so far."""
        return self._place or START

    def read(self) -> Chunk | None:
        """The next whole lines, a megabyte at most; None if there is nothing new."""
        place, file = self._place, self._opened()
        if file is None:
            return None
        if place and self._place is None:  # only where it is opened anew each time
            self._place, self._begins = place, False
            return self._gone()
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
            return self._look_for_another(file, start)
        self._place = place_in(file, start + end)
        chunk = Chunk(whole_lines(data[:end]), self._place, self._begins)
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
            if self._place and not is_in(self._file, self._place):
                self._place, self._begins = None, True
        return self._file

    def _look_for_another(self, file: BinaryIO, offset: int) -> Chunk | None:
        """The file was read to its end: has another one taken its name, or was it emptied?"""
        try:
            there = self._path.stat()
        except OSError:
            return None
        mine = os.fstat(file.fileno())
        same = (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)
        if same and there.st_size >= offset:
            return None
        file.seek(offset)
        if b"\n" in file.read(CHUNK_BYTES):
            return None  # written just before it was renamed
        if same or self._place is None:
            self._begin_another()
            return None
        return self._gone()

    def _gone(self) -> Chunk | None:
        """The log that the place is in was rotated away, and perhaps others since."""
        missed = missed_in(self._path, self._place or START)
        self._looks += 1
        if missed is None and self._looks < PATIENT_LOOKS:
            if _HOLDS_UP_ROTATION:
                self.close()
            return None
        self._begin_another()
        rest = tuple(one for one in missed or () if one.lines)
        lost = missed is None
        return Chunk((), START, missed=rest, lost=lost) if rest or lost else None

    def _begin_another(self) -> None:
        self.close()
        self._place, self._begins, self._looks = None, True, 0
