"""`adr-bridge import` with tables that `adr-bridge export` has written.

They were understood when they were written, so the preview is short.
"""

from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from plugin_bridge.alone import opened
from plugin_bridge.cli.import_preview import told, wanted
from plugin_bridge.cli.moments import day
from plugin_bridge.cli.progress import progress_bar
from plugin_bridge.config import Config
from plugin_bridge.errors import UsageError
from plugin_bridge.importing import exported
from plugin_bridge.store.rows import NameRow


async def take_back(
    options: Namespace, config: Config, events: Sequence[Path], names: Sequence[Path]
) -> int:
    """Raises UsageError for what cannot have come out of an export, and changes nothing then."""
    people: list[NameRow] = [row for path in names for row in exported.read_names(path)]
    if len(events) > 1:
        raise UsageError("one exported log at a time: a database has one past")
    count = 0
    for path in events:
        count, last = exported.surveyed(path)
        print(f"{path.name}: {count} log entries, the last of {day(last)}")
    if people:
        print(f"names: {len(people)}")
    if not wanted(options, count + len(people)):
        return 0
    fresh = 0
    async with opened(config.storage.database, errand="importing kills") as store:
        for path in events:
            with progress_bar("rating them") as bar:
                fresh = await exported.write_events(store, path, told=partial(told, bar, count))
        named = await exported.write_names(store, people)
    said = [f"{fresh} log entries"] * bool(fresh) + [f"{named} names"] * bool(named)
    print(f"Imported {' and '.join(said)}." if said else "Nothing new: all of it is there already.")
    return 0
