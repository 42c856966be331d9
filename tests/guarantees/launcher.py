"""Runs the real command with misfortunes built in of which the product itself knows nothing.

    launcher.py die:before:plugin_bridge.store.store:Store.commit:3 -- serve --config config.yml

die:WHEN:MODULE:CLASS.METHOD:N  SIGKILL before or after the Nth call of a method or function
fail:MODULE:CLASS.METHOD:WORD   a bug: every call that has this word among its arguments raises
set:MODULE:NAME:VALUE           another number in the place of a constant
powerless                       root gets no more access to files than anybody else
bewitched                       what the file `spell` says: see `_bewitch`
ageing                          a second version of the schema, which no release has yet
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import inspect
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from plugin_bridge.cli import main
from plugin_bridge.store import database, opening

SPELL = Path("spell")
NEXT_VERSION = """
CREATE TABLE chapters (chapter INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
ALTER TABLE people ADD COLUMN locale TEXT;
UPDATE people SET locale = 'en';
INSERT INTO chapters VALUES (1, 'first');
CREATE INDEX people_by_locale ON people (locale);
"""

FAULTS: dict[str, sqlite3.DatabaseError] = {
    "unreadable": sqlite3.OperationalError("disk I/O error"),
    "damaged": sqlite3.DatabaseError("database disk image is malformed"),
}
FAULTS["unreadable"].sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
FAULTS["damaged"].sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def _die(when: str, module: str, path: str, count: str) -> None:
    owner_name, _, name = path.rpartition(".")
    owners = filter(None, owner_name.split("."))
    owner = functools.reduce(getattr, owners, importlib.import_module(module))
    real = getattr(owner, name)
    left = int(count)

    def pass_by(moment: str) -> None:
        nonlocal left
        if moment == when:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    @functools.wraps(real)
    async def waited(*args: Any, **named: Any) -> Any:
        pass_by("before")
        result = await real(*args, **named)
        pass_by("after")
        return result

    @functools.wraps(real)
    def called(*args: Any, **named: Any) -> Any:
        pass_by("before")
        result = real(*args, **named)
        pass_by("after")
        return result

    setattr(owner, name, waited if inspect.iscoroutinefunction(real) else called)


def _fail(module: str, path: str, word: str) -> None:
    owner_name, _, name = path.rpartition(".")
    owner = functools.reduce(getattr, owner_name.split("."), importlib.import_module(module))
    real = getattr(owner, name)

    @functools.wraps(real)
    def called(*args: Any, **named: Any) -> Any:
        if word in str(args):
            raise ZeroDivisionError(word)
        return real(*args, **named)

    setattr(owner, name, called)


def _set(module: str, name: str, value: str) -> None:
    owner = importlib.import_module(module)
    assert isinstance(getattr(owner, name), float)
    setattr(owner, name, float(value))


def _powerless() -> None:
    """Gives up the capabilities by which root reads and writes what is forbidden."""
    if os.geteuid():
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3 of the interface, this process
    sets = (ctypes.c_uint32 * 6)()
    override, read_search, owner = 1, 2, 3
    forbidden = 1 << override | 1 << read_search | 1 << owner
    if libc.capget(header, sets):
        raise OSError(ctypes.get_errno(), "capget")
    for low in range(3):  # effective, permitted, inheritable
        sets[low] &= ~forbidden
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")


def _bewitch() -> None:
    """Obeys each line of the file `spell`, as long as it is there.

    `PRAGMA ...` is said to a connection before each of its transactions.
    `unreadable WORD` makes every query with that word fail, as on a disk that does not answer;
    `damaged WORD` makes it fail as if what it touches were no longer a database.
    """

    def lines(kind: str) -> list[str]:
        spells = SPELL.read_text(encoding="utf-8").splitlines() if SPELL.exists() else []
        return [line for line in spells if line.startswith(kind)]

    begin, in_one_go = database.Database.transaction, database.Database.transact

    @asynccontextmanager
    async def transaction(self: database.Database) -> AsyncIterator[None]:
        for pragma in lines("PRAGMA"):
            await self._connection.execute_fetchall(pragma)
        async with begin(self):
            yield

    async def transact(self: database.Database, work: database.Work) -> None:
        for pragma in lines("PRAGMA"):
            await self._connection.execute_fetchall(pragma)
        await in_one_go(self, work)

    def unreadable(real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def query(self: Any, sql: str, *rest: Any) -> Any:
            for kind, error in FAULTS.items():
                if any(line.split()[1] in sql for line in lines(kind)):
                    raise error
            return real(self, sql, *rest)

        return query

    class Connection(sqlite3.Connection):
        execute = unreadable(sqlite3.Connection.execute)
        executemany = unreadable(sqlite3.Connection.executemany)

    database.Database.transaction = transaction  # type: ignore[method-assign]
    database.Database.transact = transact  # type: ignore[method-assign]
    sqlite3.connect = functools.partial(sqlite3.connect, factory=Connection)


def _age() -> None:
    opening.MIGRATIONS += (NEXT_VERSION,)
    opening.SCHEMA_VERSION += 1


MISFORTUNES: dict[str, Callable[..., None]] = {
    "die": _die,
    "fail": _fail,
    "set": _set,
    "powerless": _powerless,
    "bewitched": _bewitch,
    "ageing": _age,
}

if __name__ == "__main__":
    misfortunes, _, words = " ".join(sys.argv[1:]).partition(" -- ")
    for misfortune in misfortunes.split():
        kind, *details = misfortune.split(":")
        MISFORTUNES[kind](*details)
    sys.exit(main(words.split()))
