"""Opening a database: made or migrated where needed, refused where it is not what we know."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from plugin_bridge.errors import StoreRefused, StoreUnavailable
from plugin_bridge.files import make_folder
from plugin_bridge.store.database import Database, connect, located, make_file
from plugin_bridge.store.faults import DAMAGED, translated
from plugin_bridge.store.place import Place
from plugin_bridge.store.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION

log = logging.getLogger(__name__)

FOREIGN = "name another file under storage.database"
NEWER = "update adr-bridge or restore an older copy of the file"
_PARTS = """
SELECT part.type, part.name, field.name
FROM sqlite_schema part LEFT JOIN pragma_table_info(part.name) field
WHERE part.name NOT LIKE 'sqlite_%'
"""
"""Tables, indices and triggers, and the columns of those that have any."""


def restoring(path: Path) -> Path:
    """Where a copy is whole that is about to take the place of the database."""
    return path.with_name(f"{path.name}.restoring")


async def open_writer(path: Path, place: Place | None = None) -> Database:
    """Opens the file for writing; makes it (for its owner only) or migrates it where needed.

    `place`: that of the store's other connections. Raises StoreRefused for a file that is foreign,
    newer or damaged, StoreUnavailable when it cannot be opened or written now.
    """
    _refuse_half_restored(path)
    with translated(path):
        make_folder(path.parent)
        make_file(path)
    if Path(f"{path}-wal").exists():
        await _look_before(path)
    database = await connect(path, "rwc", place)
    try:
        await _migrate(database, path)
        await _check_tables(database, path)
    except BaseException:
        await database.close()
        raise
    return database


def _refuse_half_restored(path: Path) -> None:
    copy = restoring(path)
    if copy.exists() and not path.exists():
        raise StoreRefused(
            f"{path}: a restore was broken off before its end; to finish it: "
            f"adr-bridge restore {copy}"
        )


async def _look_before(path: Path) -> None:
    """Raises StoreRefused for what is no database of ours, without the right to write: SQLite
    removes the journal beside a file that it does not understand, and with it what could be saved.
    """
    database = await connect(path, "ro")
    try:
        await _version(database, path)
    finally:
        await database.close()


async def open_reader(path: Path, place: Place | None = None, *, earlier: bool = False) -> Database:
    """Opens an existing file for reading only; also one of an `earlier` version, for who can read
    that. Raises as `open_writer`.
    """
    _refuse_half_restored(path)
    if not path.exists():
        raise StoreUnavailable(
            f"{path}: there is no database yet; start the daemon once to make it"
        )
    database = await connect(path, "ro", place)
    try:
        version = await _version(database, path)
        if version != SCHEMA_VERSION and not (earlier and version):
            raise StoreRefused(
                f"{path}: start this version's daemon once, so that it migrates the file"
            )
        await _check_tables(database, path, version)
    except BaseException:
        await database.close()
        raise
    return database


async def open_any(path: Path) -> Database:
    """Opens an existing file of this version or an earlier one for reading only, with all that
    lies beside it; where nothing does, in a folder that may be read-only. Raises as `open_writer`.
    """
    alone = not Path(f"{located(path)}-wal").exists()
    database = await connect(path, "ro&immutable=1" if alone else "ro")
    try:
        version = await _version(database, path)
        if not version:
            raise StoreRefused(f"{path}: there is nothing in it; {DAMAGED}")
        await _check_tables(database, path, version)
    except BaseException:
        await database.close()
        raise
    return database


async def _version(database: Database, path: Path) -> int:
    """The schema version of a file of ours; 0 for an empty one."""
    tables = await database.one("SELECT 1 FROM sqlite_schema LIMIT 1")
    # in this order: where another process has just made tables, the marks are there as well
    mark = (await database.rows("PRAGMA application_id"))[0][0]
    version: int = (await database.rows("PRAGMA user_version"))[0][0]
    if tables and mark != APPLICATION_ID:
        raise StoreRefused(f"{path}: this is another program's database; {FOREIGN}")
    if version > SCHEMA_VERSION:
        raise StoreRefused(
            f"{path}: written by a newer adr-bridge (schema {version}, this one knows up to "
            f"{SCHEMA_VERSION}); {NEWER}"
        )
    return version if tables else 0


async def _migrate(database: Database, path: Path) -> None:
    found = await _version(database, path)
    if 0 < found < SCHEMA_VERSION and await database.one("SELECT 1 FROM events LIMIT 1"):
        await _keep(database, path, found)
    await database.rows("PRAGMA journal_mode = WAL")
    await database.run("PRAGMA synchronous = FULL")
    await database.run("PRAGMA foreign_keys = ON")
    while await _version(database, path) < SCHEMA_VERSION:
        async with database.transaction():
            step = await _version(database, path)  # again: another process may have been faster
            if step < SCHEMA_VERSION:
                for statement in statements(MIGRATIONS[step]):
                    await database.run(statement)
                await database.run(f"PRAGMA application_id = {APPLICATION_ID}")
                await database.run(f"PRAGMA user_version = {step + 1}")


async def _keep(database: Database, path: Path, version: int) -> None:
    """Keeps a copy of what is about to be migrated, for there is no other way back.

    Cost: linear in the size of the database, once for each new schema.
    """
    kept = path.with_name(f"{path.name}.before-schema{version}")
    partial = kept.with_name(f"{kept.name}.{os.getpid()}.part")
    try:
        await database.copy_to(partial)
        with translated(kept), closing(sqlite3.connect(partial)) as copy:
            faster = copy.execute("PRAGMA user_version").fetchone() != (version,)
        if faster:  # another process has migrated it meanwhile, and has kept its own copy
            return
        with translated(kept):
            partial.replace(kept)
    finally:
        partial.unlink(missing_ok=True)
    log.warning(
        "%s: changing it for this version of adr-bridge; to go back to the one before, install "
        "that and run: adr-bridge restore %s",
        path,
        kept,
    )


async def _check_tables(database: Database, path: Path, version: int | None = None) -> None:
    """Sees that all is there that the migrations up to a version make, all of them for None; what
    somebody has added does not matter.
    """
    with closing(sqlite3.connect(":memory:")) as model:
        for migration in MIGRATIONS[:version]:
            model.executescript(migration)
        wanted = model.execute(_PARTS).fetchall()
    there = await database.rows(_PARTS)
    lacking = sorted({f"{kind} {name}" for kind, name, column in set(wanted) - set(there)})
    if lacking:
        raise StoreRefused(
            f"{path}: another program has changed {', '.join(lacking[:3])} in it; {DAMAGED}"
        )


def statements(script: str) -> Iterator[str]:
    """Splits a script: sqlite3's own way to run one would commit the transaction around it."""
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            yield text
            text = ""
