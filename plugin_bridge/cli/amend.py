"""`adr-bridge exclude`, `include` and `history`: taking kills out of the past, and back in."""

import asyncio
import getpass
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import time

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.moments import moment
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.cli.people import person_called
from plugin_bridge.cli.replay import SHOWN, progress_bar, show_effect, tier_names
from plugin_bridge.cli.servers import day
from plugin_bridge.config import Config, load_config
from plugin_bridge.daemon import opened
from plugin_bridge.errors import BridgeError, UsageError
from plugin_bridge.history.effect import effect
from plugin_bridge.history.historian import Historian
from plugin_bridge.history.revision import (
    Amendment,
    Exclude,
    Revision,
    Selector,
    Undo,
    read,
    written,
)
from plugin_bridge.history.verify import Progress
from plugin_bridge.ledger import Ledger
from plugin_bridge.status import last_picture
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry

LOOK_SECONDS = 0.2


def add_to(command: Command) -> None:
    out = command("exclude", exclude, "take kills out of the past, as if they had never been")
    whose = out.add_mutually_exclusive_group()
    whose.add_argument("--player", metavar="NAME", help="kills and deaths of a player")
    whose.add_argument("--pair", nargs=2, metavar="NAME", help="kills between two players")
    out.add_argument(
        "--as",
        dest="role",
        choices=("killer", "victim", "both"),
        default="both",
        help="with --player: the kills, the deaths, or both (both)",
    )
    out.add_argument("--server", metavar="NAME", help="only what that game server reported")
    out.add_argument("--since", type=moment, metavar="TIME", help="from then on (from the first)")
    out.add_argument("--until", type=moment, metavar="TIME", help="up to then (up to now)")
    _asked_twice(out)
    back = command("include", include, "take an exclusion back")
    which = back.add_mutually_exclusive_group(required=True)
    which.add_argument("number", nargs="?", type=int, help="its number in the history")
    which.add_argument("--player", metavar="NAME", help="everything excluded of a player")
    _asked_twice(back)
    command("history", history, "what was excluded and taken back, by whom", output=True)


def _asked_twice(parser: ArgumentParser) -> None:
    parser.add_argument("--reason", required=True, metavar="TEXT", help="kept in the history")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


async def exclude(options: Namespace) -> int:
    async with _opened(options) as (config, store):
        selector = await _selector(store, options)
        amendment = Exclude(select=selector, reason=options.reason, by=_who())
        return await _amend(store, config, amendment, options)


async def include(options: Namespace) -> int:
    async with _opened(options) as (config, store):
        valid = Revision(await store.history.amendments()).valid
        chosen = await _undone(store, valid, options)
        amendment = Undo(undoes=tuple(chosen), reason=options.reason, by=_who())
        return await _amend(store, config, amendment, options)


async def history(options: Namespace) -> int:
    """The amendments so far, whoever made them, also those taken back."""
    store = await Store.read_only(load_config(options.config).storage.database)
    try:
        entries = await store.history.amendments()
        valid, revised = Revision(entries).valid, await store.history.revised()
        made = [(entry, read(entry)) for entry in entries]
        names = await _names(store, [amendment for _, amendment in made])
    finally:
        await store.close()
    rows = [
        (
            str(entry.position),
            day(entry.time),
            amendment.by,
            described(amendment, names),
            amendment.reason,
            _state(entry, valid=entry.position in valid, revised=revised),
        )
        for entry, amendment in made
    ]
    headings = ("number", "when", "by", "what", "reason", "state")
    if options.json:
        print_json([dict(zip(headings, row, strict=True)) for row in rows])
    else:
        print_table(headings, rows)
    return 0


def _state(entry: LogEntry, *, valid: bool, revised: int) -> str:
    if not valid:
        return "taken back"
    return "in force" if entry.position <= revised else "being worked out"


def described(amendment: Amendment, names: dict[str, str]) -> str:
    """What an amendment does, in words."""
    if isinstance(amendment, Undo):
        return "take back " + ", ".join(map(str, amendment.undoes))
    selector = amendment.select
    who = [names.get(player, player) for player in selector.players]
    match who, selector.role:
        case [], _:
            words = "exclude all kills"
        case [one], "killer":
            words = f"exclude kills by {one}"
        case [one], "victim":
            words = f"exclude deaths of {one}"
        case [one], _:
            words = f"exclude kills and deaths of {one}"
        case _:
            words = f"exclude kills between {' and '.join(who)}"
    if selector.server:
        words += f" on {selector.server}"
    if selector.since is not None:
        words += f" since {day(selector.since)}"
    if selector.until is not None:
        words += f" until {day(selector.until)}"
    return words


async def _selector(store: Store, options: Namespace) -> Selector:
    """What the options select. Raises UsageError for what is not there."""
    typed: Sequence[str] = options.pair or ([options.player] if options.player else [])
    players = [(await person_called(store, name)).player for name in typed]
    if len(set(players)) < len(players):
        raise UsageError("--pair needs two different players")
    lanes = await store.log.lanes_of(options.server) if options.server else []
    if options.server and not lanes:
        raise UsageError(f"no events of a server '{options.server}' are in the log")
    if not (players or lanes):
        raise UsageError("name a --player, a --pair or a --server")
    now = time()
    until = now if options.until is None else options.until
    if options.since is not None and options.since > until:
        raise UsageError("--since is later than --until")
    return Selector(
        players=tuple(players),
        role=options.role,
        lanes=tuple(lanes),
        server=options.server,
        since=options.since,
        until=until,
    )


async def _undone(store: Store, valid: dict[int, Amendment], options: Namespace) -> list[int]:
    """The positions of the amendments to take back. Raises UsageError when there is none."""
    excluded = {p: one for p, one in valid.items() if isinstance(one, Exclude)}
    if options.number is not None:
        if options.number not in excluded:
            raise UsageError(
                f"no exclusion in force has the number {options.number}; see: adr-bridge history"
            )
        return [options.number]
    player = (await person_called(store, options.player)).player
    found = [p for p, one in excluded.items() if player in one.select.players]
    if not found:
        raise UsageError(f"nothing of {options.player} is excluded; see: adr-bridge history")
    return found


async def _amend(store: Store, config: Config, amendment: Amendment, options: Namespace) -> int:
    """Shows what it would do, asks, and has it done; exit code 1 if it was not wanted."""
    entries = [*await store.history.amendments(), _draft(amendment, await store.log.end())]
    with progress_bar("working out what it changes") as progress:
        found = await effect(store, progress, revision=Revision(entries))
    names = await store.people.names([move.player for move in found.moves[:SHOWN]])
    tiers = tier_names(config)
    show_effect(found, names, before=tiers, after=tiers, as_json=False)
    if not _agreed(options):
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
        position=end + 1, lane=0, seq=0, kind="", time=0, received=0, detail=written(amendment)
    )


def _agreed(options: Namespace) -> bool:
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("say --yes, where nobody can be asked")
    return input("Go ahead? [y/N] ").strip().lower() in ("y", "yes")


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
    async with opened(database) as store:
        ledger = Ledger(store)
        await ledger.load()
        historian = Historian(store=store, ledger=ledger, errand=_at_once, changed=_unheard)
        await historian.look(progress)


async def _at_once(work: Callable[[], Awaitable[None]]) -> None:
    await work()


def _unheard() -> None:
    """Nobody is connected."""


async def _names(store: Store, amendments: Sequence[Amendment]) -> dict[str, str]:
    """The names of everybody who is named by id."""
    ids = [p for one in amendments if isinstance(one, Exclude) for p in one.select.players]
    return await store.people.names(list(dict.fromkeys(ids)))


def _who() -> str:
    return getpass.getuser()


@asynccontextmanager
async def _opened(options: Namespace) -> AsyncIterator[tuple[Config, Store]]:
    """Raises StoreError where there is no database yet."""
    config = load_config(options.config)
    await (await Store.read_only(config.storage.database)).close()
    store = await Store.open(config.storage.database)
    try:
        yield config, store
    finally:
        await store.close()
