"""How the past is amended from the command line: shown, asked, ordered, and waited for."""

import asyncio
import getpass
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import time

from plugin_bridge.alone import opened as alone
from plugin_bridge.cli.amendments import described, names_in
from plugin_bridge.cli.replay import SHOWN, progress_bar, show_effect, tier_names
from plugin_bridge.config import Config, load_config
from plugin_bridge.errors import BridgeError, UsageError
from plugin_bridge.history.effect import effect
from plugin_bridge.history.historian import Historian
from plugin_bridge.history.revision import Amendment, Revision, written
from plugin_bridge.history.verify import Progress
from plugin_bridge.ledger import Ledger
from plugin_bridge.status import last_picture
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry

LOOK_SECONDS = 0.2


def asked_twice(parser: ArgumentParser) -> None:
    """The arguments that every amendment has."""
    parser.add_argument("--reason", required=True, metavar="TEXT", help="kept in the history")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


async def amend(store: Store, config: Config, amendment: Amendment, options: Namespace) -> int:
    """Shows what it would do, asks, and has it done; exit code 1 if it was not wanted."""
    names = await names_in(store, [amendment])
    print(f"What is asked for: {described(amendment, names)}.")
    entry = _draft(amendment, await store.log.end())
    revision = Revision([*await store.history.amendments(), entry])
    with progress_bar("working out what it changes") as progress:
        found = await effect(store, progress, revision=revision, then=[entry])
    names = await store.people.names([move.player for move in found.moves[:SHOWN]])
    tiers = tier_names(config)
    show_effect(found, names, before=tiers, after=tiers, as_json=False)
    if not agreed(options):
        print("Nothing was changed.")
        return 1
    number = await store.history.order(written(amendment), now=time())
    with progress_bar("rating the past again") as progress:
        if (await last_picture(store.health, now=time())).daemon:
            await _wait(store, number)
        else:
            await _do(config.storage.database, progress)
    print("Done. To take it back, see: adr-bridge history")
    return 0


def _draft(amendment: Amendment, end: int) -> LogEntry:
    """The entry as it would stand in the log."""
    return LogEntry(
        position=end + 1,
        lane=0,
        seq=0,
        kind=str(amendment.__struct_config__.tag),
        time=0,
        received=0,
        detail=written(amendment),
    )


def agreed(options: Namespace) -> bool:
    """Asks twice, unless --yes was said. Raises UsageError where nobody can be asked."""
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("say --yes, where nobody can be asked")
    questions = ("Go ahead? [y/N] ", "Are you sure? [y/N] ")
    return all(input(question).strip().lower() in ("y", "yes") for question in questions)


async def _wait(store: Store, number: int) -> None:
    """Until the running daemon has done it, or is gone."""
    while not await store.history.done(number):
        await asyncio.sleep(LOOK_SECONDS)
        if not (await last_picture(store.health, now=time())).daemon:
            raise BridgeError(
                "the daemon has stopped meanwhile; it goes on with this when it is started again"
            )


async def _do(database: Path, progress: Progress) -> None:
    """Does it here, in the place of a daemon, which cannot start meanwhile.

    Raises BridgeError if one has just started: then it is the daemon that does it.
    """
    async with alone(database) as store:
        ledger = Ledger(store)
        await ledger.load()
        historian = Historian(store=store, ledger=ledger, errand=_at_once, changed=_unheard)
        await historian.look(progress)


async def _at_once(work: Callable[[], Awaitable[None]]) -> None:
    await work()


def _unheard() -> None:
    """Nobody is connected."""


def who() -> str:
    """Who orders it: the user of this machine."""
    return getpass.getuser()


@asynccontextmanager
async def opened(options: Namespace) -> AsyncIterator[tuple[Config, Store]]:
    """Settings and database, for amending. Raises StoreError where there is no database yet."""
    config = load_config(options.config)
    await (await Store.read_only(config.storage.database)).close()
    store = await Store.open(config.storage.database)
    try:
        yield config, store
    finally:
        await store.close()
