"""Whether the files of a database are still those that it was opened with, and whole."""

import os
import threading
from pathlib import Path

from plugin_bridge.errors import JournalGone, StoreError, StoreRefused, StoreUnavailable
from plugin_bridge.store.faults import is_damage

_Identity = tuple[int, int]


class Place:
    """One for all connections of a store: what one of them has seen, the others know.

    While a connection is open, SQLite keeps the journal and its index; nor does it ever shorten
    the journal, unless somebody asks it to (PRAGMA wal_checkpoint(TRUNCATE)).
    """

    def __init__(self, path: Path) -> None:
        """Of a file that is open."""
        self.path = path
        self.cut = False
        """Whether the journal was found shorter than before. The index then tells of parts of it
        that are not there, and nothing may be moved into the file by it any more.
        """
        self._looking = threading.Lock()
        self._file = _identity(_status(path))
        self._beside = Path(f"{path}-wal"), Path(f"{path}-shm")
        self._journal: tuple[_Identity | None, ...] = ()
        self._size = 0
        self._damage: StoreRefused | None = None

    def check(self) -> None:
        """SQLite goes on writing into a deleted file, which nobody would ever read again.

        Raises StoreUnavailable or JournalGone, and what was found damaged once again and again.
        Cost: three looks at the disk, some microseconds.
        """
        if self._damage:
            raise self._damage
        if _identity(_status(self.path)) != self._file:
            raise StoreUnavailable(
                f"{self.path}: the file was deleted, moved or replaced while it was in use; "
                "put it back, or restart the daemon to go on with what is there now"
            )
        self.check_journal()

    def check_journal(self) -> None:
        """Raises JournalGone. Of two who look at once, the earlier look is judged first."""
        with self._looking:
            self._judge(self._look_at_journal())

    def _judge(self, journal: tuple[os.stat_result | None, ...]) -> None:
        if self._journal and _identities(journal) != self._journal:
            raise JournalGone(
                f"{self.path}: its journal ({self._beside[0].name} and {self._beside[1].name} "
                "beside it) was deleted, moved or replaced while it was in use"
            )
        size = journal[0].st_size if journal[0] else 0
        if size < self._size:
            self.cut = True
            raise JournalGone(
                f"{self.path}: its journal ({self._beside[0].name} beside it) was cut short by "
                f"another program, from {self._size} bytes to {size}"
            )
        self._size = size

    def blame(self, error: StoreError) -> None:
        """Told of everything that goes wrong. Raises JournalGone if the journal is the cause; else
        damage is remembered, for nothing may be stored beside it.
        """
        if isinstance(error, JournalGone):
            return
        try:
            self.check_journal()
        except JournalGone as gone:
            raise gone from error
        if isinstance(error, StoreRefused) and is_damage(error.__cause__):
            self._damage = error

    def remember_journal(self) -> None:
        """Only in a transaction: before the first one there may be no journal yet."""
        if not self._journal:
            self._journal = _identities(self._look_at_journal())

    def journal_is_elsewhere(self) -> bool:
        return bool(self._journal) and _identities(self._look_at_journal()) != self._journal

    def _look_at_journal(self) -> tuple[os.stat_result | None, ...]:
        return tuple(map(_status, self._beside))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _identity(status: os.stat_result | None) -> _Identity | None:
    """What tells a file from another one of the same name; None where there is none."""
    return status and (status.st_dev, status.st_ino)


def _identities(statuses: tuple[os.stat_result | None, ...]) -> tuple[_Identity | None, ...]:
    return tuple(map(_identity, statuses))
