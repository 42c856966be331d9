"""What SQLite and the system complain of, in our own errors: what it is, and what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EPERM, EROFS
from pathlib import Path

from plugin_bridge.errors import StoreError, StoreRefused, StoreUnavailable

DAMAGED = "move it away and restore your last backup"
_FOR_GOOD = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_ACCESS = "see that whoever runs this may write both the file and its folder"
_ADVICE = {
    sqlite3.SQLITE_BUSY: "another program is writing to it; if that lasts, stop that program",
    sqlite3.SQLITE_FULL: "free some space on the disk",
    sqlite3.SQLITE_IOERR: "see whether the disk is full or failing",
    sqlite3.SQLITE_READONLY: _ACCESS,
    sqlite3.SQLITE_CANTOPEN: _ACCESS,
    sqlite3.SQLITE_PERM: _ACCESS,
}


def is_damage(error: BaseException | None) -> bool:
    """Whether it is SQLite's complaint that a file is no whole database."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _FOR_GOOD


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raises them in the place of what is raised inside."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        kind = getattr(error, "sqlite_errorcode", None)
        transient = isinstance(error, sqlite3.OperationalError)
        undecodable = transient and kind is None  # a text that is no text
        if undecodable or is_damage(error):
            raise StoreRefused(
                f"{path}: the file is damaged or no database ({error}); {DAMAGED}"
            ) from error
        words = "; ".join(filter(None, (str(error), kind and _ADVICE.get(kind & 0xFF))))
        raise (StoreUnavailable if transient else StoreError)(f"{path}: {words}") from error
    except UnicodeDecodeError as error:  # even the words of SQLite's complaint are damaged
        raise StoreRefused(f"{path}: the file is damaged; {DAMAGED}") from error
    except OSError as error:
        advice = f"; {_ACCESS}" if error.errno in (EACCES, EPERM, EROFS) else ""
        raise StoreUnavailable(f"{path}: {error.strerror or error}{advice}") from error
