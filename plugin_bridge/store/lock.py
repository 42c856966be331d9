"""Who works with a database: a lock of the operating system on a file beside it.

It ends with its process, however that ends, and needs no database that can be written; the file
also holds word of the process. It is never the database itself, for closing a second descriptor of
that would undo SQLite's own locks, and it is never removed, for then two could each hold one. The
system's own calls, because lock libraries empty or remove the file on their own account.
"""

import os
import platform
import sys
import time
from contextlib import suppress
from errno import EACCES, EAGAIN, EDEADLK, EWOULDBLOCK
from pathlib import Path
from secrets import token_hex

import msgspec
from msgspec import Struct

from plugin_bridge.files import make_folder
from plugin_bridge.store.database import located, make_file
from plugin_bridge.store.faults import translated

_ATTEMPTS = 10
_PAUSE_SECONDS = 0.02
"""Whoever only looks holds a lock for an instant, which must not pass for a daemon's."""
_TAKEN = {EACCES, EAGAIN, EDEADLK, EWOULDBLOCK}
_LONGEST_WORDS = 1_000
_READ_BYTES = 1 << 14


class Holder(Struct, frozen=True, omit_defaults=True):
    """A process that has, or had, the lock. `trouble`: what it cannot do, `since` when.

    `mark`: the same for all who have had it, and other than in another file of the same name.
    `errand`: what a command does, which ends by itself; '' for a daemon.
    """

    mark: str = ""
    pid: int = 0
    host: str = ""
    trouble: str = ""
    since: float = 0.0
    errand: str = ""


class Sight(Struct, frozen=True):
    """`holder`: the other process that has the lock now, None if there is none that can be seen.

    `free`: the mark of a lock that nobody else has; '' where that cannot be told.
    """

    holder: Holder | None = None
    free: str = ""


class Lock:
    """Made for a database; takes nothing yet. One to a process, for each database."""

    def __init__(self, database: Path, errand: str = "") -> None:
        """`errand`: what it is wanted for, if that ends by itself."""
        self.database = located(database)
        self._errand = errand
        self.path = Path(f"{self.database}.lock")
        self._descriptor: int | None = None
        self.mark = ""
        """Tells the file from others, while the lock is ours."""

    def take(self) -> bool:
        """Whether no other process has it. It is ours now, or the disk knows no locks.

        Raises StoreUnavailable where the file cannot be made or opened. Waits up to 0.2 s.
        """
        if self._descriptor is not None:
            return True
        with translated(self.path):
            make_folder(self.path.parent)
            make_file(self.path)
            descriptor = os.open(self.path, os.O_RDWR)
        for _ in range(_ATTEMPTS):
            try:
                _lock(descriptor)
            except OSError as error:
                if error.errno not in _TAKEN:
                    os.close(descriptor)
                    return True
                time.sleep(_PAUSE_SECONDS)
            else:
                self._descriptor = descriptor
                self.mark = _read(descriptor).mark or token_hex(8)
                self.say()
                return True
        os.close(descriptor)
        return False

    def say(self, trouble: str = "", *, since: float = 0.0) -> None:
        """Leaves word in the file, if the lock is ours. A full disk may leave it as it was."""
        if self._descriptor is None:
            return
        trouble = trouble[:_LONGEST_WORDS]
        holder = Holder(self.mark, os.getpid(), platform.node(), trouble, since, self._errand)
        word = msgspec.json.encode(holder)
        with suppress(OSError):
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, word)
            os.ftruncate(self._descriptor, len(word))

    def look(self) -> Sight:
        """Who else has it. One that cannot be looked at, or does not work, says nothing."""
        if self._descriptor is not None:
            return Sight(free=self.mark)
        try:
            descriptor = os.open(self.path, os.O_RDONLY)
        except OSError:
            return Sight()
        try:
            _lock(descriptor, shared=True)
        except OSError as error:
            return Sight(_read(descriptor)) if error.errno in _TAKEN else Sight()
        else:
            return Sight(free=_read(descriptor).mark)
        finally:
            os.close(descriptor)

    def free(self) -> None:
        """Lets others have it; nothing where it is not ours."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor, self.mark = None, ""


def _read(descriptor: int) -> Holder:
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        return msgspec.json.decode(os.read(descriptor, _READ_BYTES), type=Holder)
    except (OSError, msgspec.DecodeError):
        return Holder()


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    """Behind all words in the file: there nobody can read what another has locked."""

    def _lock(descriptor: int, *, shared: bool = False) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int, *, shared: bool = False) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
