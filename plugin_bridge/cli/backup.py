"""`adr-bridge backup` and `restore`."""

from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path
from time import time

from plugin_bridge.alone import refuse_beside
from plugin_bridge.cli.adding import Command
from plugin_bridge.config import load_config
from plugin_bridge.errors import StoreError
from plugin_bridge.status import DaemonStatus, last_picture, other_holder
from plugin_bridge.store import Store
from plugin_bridge.store import backup as copies
from plugin_bridge.store.lock import Lock


def add_to(command: Command) -> None:
    """The commands and their arguments."""
    copy = command("backup", backup, "copy the database, also while the daemon runs")
    copy.add_argument("file", type=Path, help="the copy to make")
    back = command("restore", restore, "put a copy back, while the daemon is stopped")
    back.add_argument("file", type=Path, help="the copy to put back")


async def backup(options: Namespace) -> int:
    database = load_config(options.config).storage.database
    await copies.back_up(database, options.file)
    size = options.file.stat().st_size / 1e6
    print(f"Wrote {options.file} ({size:.1f} MB). It holds names and ratings: keep it private.")
    return 0


async def restore(options: Namespace) -> int:
    database = load_config(options.config).storage.database
    lock = Lock(database, "putting a copy back")
    try:
        refuse_beside(await _at_work(database) or other_holder(lock, now=time()))
        stamp = datetime.fromtimestamp(time(), UTC).strftime("%Y%m%d-%H%M%S")
        aside = await copies.restore(options.file, database, stamp=stamp)
    finally:
        lock.free()
    print(f"{options.file} is now {database}.")
    if aside:
        print(f"What was there before is kept as {aside}.")
    return 0


async def _at_work(database: Path) -> DaemonStatus | None:
    """A database that cannot be read is no sign of anybody: it may be why somebody restores."""
    try:
        store = await Store.read_only(database)
    except StoreError:
        return None
    try:
        return (await last_picture(store.health, now=time())).at_work
    except StoreError:
        return None
    finally:
        await store.close()
