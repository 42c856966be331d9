"""Whole copies of the database: made while the daemon runs, put back while it does not."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from plugin_bridge.errors import StoreError, StoreRefused, UsageError
from plugin_bridge.files import destination, make_folder
from plugin_bridge.store.database import Database, connect, located
from plugin_bridge.store.faults import DAMAGED, translated
from plugin_bridge.store.health import forget
from plugin_bridge.store.opening import FOREIGN, NEWER, open_any, open_reader, restoring

_COMPANIONS = ("-wal", "-shm")
"""What SQLite keeps beside a database, by the ending of the file's name."""
_UNUSABLE = "nothing was changed; name another copy"


async def back_up(database: Path, target: Path) -> None:
    """Copies a database into a new file, which appears only when it is complete.

    Raises UsageError when the target exists, StoreError when either cannot be used, and OSError
    where no file can be made of that name.
    """
    if target.exists():
        raise UsageError(f"{target} is there already; nothing was changed")
    target = destination(target)
    reader = await open_reader(located(database), earlier=True)
    try:
        await _copy(reader, target)
    finally:
        await reader.close()


async def restore(source: Path, database: Path, *, stamp: str) -> Path | None:
    """Puts a copy back; where the database that was there has gone, None if there was none.

    The caller sees to it that nobody else works with the database. Whenever this is broken off,
    the old one or the new one is whole in its place, or, where a damaged one had to be moved with
    its journal, `open_writer` knows of it; and what was there is whole. Raises StoreError or
    UsageError, with nothing changed, for a copy that is damaged, foreign or newer.
    """
    database = located(database)
    fresh = restoring(database)
    await _check_copy(source)
    with translated(database):
        make_folder(database.parent)
    if located(source) != fresh:
        fresh.unlink(missing_ok=True)
        reader = await open_any(source)
        try:
            await _copy(reader, fresh)
        finally:
            await reader.close()
    aside = _unused(database.with_name(f"{database.name}.before-{stamp}"))
    there = database.exists()
    await _settle(database)
    with translated(database):
        _move(database, aside, fresh)
    return aside if there else None


def _unused(path: Path) -> Path:
    """The path, or one with a number behind it: one restore may follow another within a second."""
    names = (path, *(path.with_name(f"{path.name}-{number}") for number in range(2, 1_000)))
    return next(name for name in names if not name.exists())


async def _copy(reader: Database, target: Path) -> None:
    partial = target.with_name(target.name + ".part")
    partial.unlink(missing_ok=True)
    try:
        await reader.copy_to(partial)
        copy = await connect(partial, "rw")
        try:
            await forget(copy)
        finally:
            await copy.close()
        with translated(target):
            _sync(partial)
            partial.replace(target)
            _sync_folder(target.parent)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


async def _check_copy(source: Path) -> None:
    """Reads every page. Raises StoreError or UsageError, in words about a copy."""
    if not source.exists():
        raise UsageError(f"{source}: there is no such file; {_UNUSABLE}")
    if not source.is_file():
        raise UsageError(f"{source}: this is no file; {_UNUSABLE}")
    try:
        await _check(source)
    except StoreRefused as error:
        words = str(error).replace(NEWER, f"{_UNUSABLE}, or update adr-bridge")
        for advice in (DAMAGED, FOREIGN):  # for a database in use
            words = words.replace(advice, _UNUSABLE)
        raise StoreRefused(words) from error


async def _check(database: Path) -> None:
    """Reads every page. Raises StoreError for a database that cannot be used."""
    reader = await open_any(database)
    try:
        await reader.check()
    finally:
        await reader.close()


async def _settle(database: Path) -> None:
    """Moves a journal that an end without notice has left into the file it belongs to.

    A damaged one keeps its journal beside it; SQLite would remove it.
    """
    if not Path(f"{database}-wal").exists() or not database.exists():
        return
    with suppress(StoreError):
        await _check(database)
        last = await connect(database, "rw")
        try:
            await last.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            await last.close()


def _move(database: Path, aside: Path, fresh: Path) -> None:
    """The new file must never lie beside the journal of the old one, nor the old one without."""
    left = [ending for ending in _COMPANIONS if Path(f"{database}{ending}").exists()]
    for ending in ("", *left):
        if Path(f"{database}{ending}").exists():
            _name_too(Path(f"{database}{ending}"), Path(f"{aside}{ending}"))
    _sync_folder(database.parent)
    if left:
        database.unlink(missing_ok=True)
        _sync_folder(database.parent)
        for ending in left:
            Path(f"{database}{ending}").unlink()
    fresh.replace(database)
    _sync_folder(database.parent)


def _name_too(old: Path, new: Path) -> None:
    try:
        os.link(old, new)
    except OSError:  # a disk on which a file has but one name
        shutil.copy2(old, new)
        _sync(new)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Makes sure of the names in it. Windows knows no such thing."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
