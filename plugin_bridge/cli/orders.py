"""An order to amend the past: carried out by the daemon or here, or else taken back."""

import asyncio
import getpass
from contextlib import suppress
from pathlib import Path
from time import time

from plugin_bridge.alone import opened as alone
from plugin_bridge.cli.output import print_error
from plugin_bridge.errors import BridgeError, DatabaseInUse
from plugin_bridge.history.amendments import Amendment, Undo, written
from plugin_bridge.history.historian import Historian, unattended
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.verify import Progress
from plugin_bridge.ledger import Ledger
from plugin_bridge.status import last_picture
from plugin_bridge.store import Store

LOOK_SECONDS = 0.2


async def carry_out(store: Store, amendment: Amendment, progress: Progress) -> int:
    """Has it done; its position in the log.

    If that fails or is interrupted, it is taken back, where it is not too late, and said what has
    become of it. Raises BridgeError.
    """
    ordering = asyncio.ensure_future(store.history.order(written(amendment), now=time()))
    try:
        number = await asyncio.shield(ordering)
        return await finished(store, number, progress)
    except BaseException:
        await _take_back(store, await ordering)
        raise


async def finished(store: Store, number: int, progress: Progress) -> int:
    """Waits until an order is done, by the daemon or another command, or does it as soon as nobody
    else works with the database; its position in the log. Raises BridgeError.
    """
    while not await store.history.done(number):
        if await store.history.withdrawn(number):
            raise BridgeError("somebody else has withdrawn this order; nothing was changed")
        other = (await last_picture(store.health, now=time())).at_work
        if other and other.rated_again:
            progress(*other.rated_again)
        if not other:
            with suppress(DatabaseInUse):  # somebody else was faster: then it is their turn
                await _work(store.path, number, progress)
                continue
        await asyncio.sleep(LOOK_SECONDS)
    position = await store.history.logged(number)
    assert position is not None  # it is done
    return position


async def _work(database: Path, number: int, progress: Progress) -> None:
    """Does it here, in the place of a daemon, which cannot start meanwhile."""
    async with alone(database, errand="rating the past again") as store:
        ledger = Ledger(store)
        await ledger.load()
        historian = unattended(store, ledger)
        looking = asyncio.ensure_future(historian.look(progress))
        try:
            await asyncio.shield(looking)
        except BaseException:
            historian.stop()
            await asyncio.wait([looking])
            await _overrule(store, historian, number)
            raise


async def _overrule(store: Store, historian: Historian, number: int) -> None:
    """Takes back what is in the log but not in force yet, so that it never will be."""
    position = await store.history.logged(number)
    if position is None or await store.history.done(number):
        return
    undo = Undo(undoes=(position,), reason="it was broken off", by=who())
    with suppress(BridgeError):  # then it stays, and that is said
        await store.history.order(written(undo), now=time())
        await historian.look()


async def _take_back(store: Store, number: int) -> None:
    """Takes back an order that nobody has begun with; says what has become of it."""
    if await store.history.withdrawn(number):
        return  # somebody else was faster, and that is said
    if await store.history.withdraw(number):
        print_error("broken off; nothing was changed")
        return
    position = await store.history.logged(number)
    if position is None:
        print_error("the daemon goes on with this; see: adr-bridge history")
    elif position not in Revision(await store.history.amendments()).valid:
        print_error("broken off; nothing was changed")
    elif await store.history.done(number):
        print_error(f"it was done before that; to take it back: adr-bridge undo {position}")
    else:
        print_error(
            f"whoever works with the database goes on with this, or the daemon when it is started "
            f"again; to take it back: adr-bridge undo {position}"
        )


def who() -> str:
    """Who orders it: the user of this machine."""
    return getpass.getuser()
