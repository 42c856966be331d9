"""`adr-bridge forget`: erases the name of a player, and says where else it may stand."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from time import time

from plugin_bridge.cli.amending import agreed
from plugin_bridge.cli.opening import amending
from plugin_bridge.cli.orders import finished, who
from plugin_bridge.cli.people import person_called
from plugin_bridge.history.amendments import Forget, written
from plugin_bridge.history.revision import Revision
from plugin_bridge.status import last_picture
from plugin_bridge.store.erasure import without

_OF_THE_RUNNING = ("-wal", "-shm", ".lock")
"""What belongs to the database itself, by the ending of the file's name."""


async def forget(options: Namespace) -> int:
    async with amending(options) as (config, store):
        player = (await person_called(store, options.player)).player
        ids = Revision(await store.history.amendments()).all_ids_of(player)
        merged = [one for one in ids if one != player]
        alias = f", also under {', '.join(merged)}" if merged else ""
        print(
            f"The name of {player} will be erased{alias}. Fights and ratings stay, under the id "
            "alone."
        )
        if not agreed(options):
            print("Nothing was changed.")
            return 1
        reason = without(await store.people.names(ids), options.reason)
        await store.people.forget(ids)  # first: what the history says of it is true at any moment
        amendment = Forget(player=player, reason=reason, by=who())
        number = await store.history.order(written(amendment), now=time())
        runs = (await last_picture(store.health, now=time())).daemon is not None
        if not runs:
            await finished(store, number, lambda done, total: None)
    print("Done. Whoever plays again is noted by name again.")
    for line in _elsewhere(config.storage.database, runs=runs):
        print(line)
    return 0


def _elsewhere(database: Path, *, runs: bool) -> Iterator[str]:
    """Where the name can still stand, and what to do about it."""
    if runs:
        yield (
            f"Restart the daemon while the player is not online: until then {database.name}-wal "
            "beside the database can hold what was erased, and whoever is online when it starts "
            "is noted by name again."
        )
    copies = [
        path
        for path in sorted(database.parent.glob(f"{database.name}*"))
        if path != database and not path.name.endswith(_OF_THE_RUNNING)
    ]
    if copies:
        yield "Older copies beside the database hold the name; delete those that you do not need:"
        yield from (f"    {path}" for path in copies)
    yield (
        "Not looked at are the names of seasons and events, and what kills say of weapons and "
        "worlds: they stay as they were given."
    )
    yield (
        "Backups that you made hold it as well: delete them, and make a new one "
        "(adr-bridge backup FILE). So do exports, reports, and the logs of the daemon and of the "
        "game servers."
    )
