"""Whole copies of the database: made while the daemon runs, put back while it does not."""

import os
from pathlib import Path

from plugin_bridge.errors import UsageError
from plugin_bridge.files import make_folder
from plugin_bridge.store.opening import open_reader

_COMPANIONS = ("", "-wal", "-shm")
"""What SQLite keeps beside a database, by the ending of the file's name."""


async def back_up(database: Path, target: Path) -> None:
    """Copies a database into a new file, which appears only when it is complete.

    Raises UsageError when the target exists, and StoreError when either cannot be used.
    """
    if target.exists():
        raise UsageError(f"{target} is there already; nothing was changed")
    partial = target.with_name(target.name + ".part")
    partial.unlink(missing_ok=True)
    reader = await open_reader(database)
    try:
        await reader.copy_to(partial)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    finally:
        await reader.close()
    _sync(partial)
    partial.replace(target)


async def restore(source: Path, database: Path, *, stamp: str) -> Path | None:
    """Puts a copy back; where the database that was there has gone, None if there was none.

    The caller sees to it that no daemon runs. Raises StoreRefused, with nothing changed, for a
    copy that is damaged, foreign or newer.
    """
    await check(source)
    fresh = database.with_name(f"{database.name}.restoring")
    fresh.unlink(missing_ok=True)
    make_folder(database.parent)
    await back_up(source, fresh)
    aside = database.with_name(f"{database.name}.before-{stamp}")
    there = database.exists()
    for ending in _COMPANIONS:
        old = Path(f"{database}{ending}")
        if old.exists():
            old.rename(f"{aside}{ending}")
    fresh.rename(database)
    _sync(database)
    return aside if there else None


async def check(database: Path) -> None:
    """Reads every page. Raises StoreError for a database that cannot be used."""
    reader = await open_reader(database)
    try:
        await reader.check()
    finally:
        await reader.close()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
