"""How the past is amended from the command line: shown, asked, and carried out."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from time import time

from plugin_bridge.cli.amendments import described, names_in
from plugin_bridge.cli.effects import SHOWN, show_effect
from plugin_bridge.cli.orders import carry_out
from plugin_bridge.cli.output import said_yes
from plugin_bridge.cli.progress import progress_bar
from plugin_bridge.config import Config
from plugin_bridge.errors import UsageError
from plugin_bridge.history.amendments import Amendment, Undo, entry_of, read, written
from plugin_bridge.history.effect import effect
from plugin_bridge.history.revision import Revision
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry, OrderRow

LONGEST_REASON = 500
"""Characters: it is shown in tables, and in the game."""


def asked_twice(parser: ArgumentParser) -> None:
    """The arguments that every amendment has."""
    parser.add_argument(
        "--reason", required=True, type=_reason, metavar="TEXT", help="kept in the history"
    )
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def _reason(text: str) -> str:
    if not text.strip():
        raise ArgumentTypeError("it is empty; say why")
    if len(text.strip()) > LONGEST_REASON:
        raise ArgumentTypeError(f"it is longer than {LONGEST_REASON} characters")
    return text.strip()


async def amend(store: Store, config: Config, amendment: Amendment, options: Namespace) -> int:
    """Shows what it would do, asks, and has it done; exit code 1 if it was not wanted."""
    asked = OrderRow(0, time(), written(amendment))
    orders, end = [*await store.history.waiting(), asked], await store.log.end()
    drafts = [entry_of(order, position) for position, order in enumerate(orders, start=end + 1)]
    await _say(store, drafts)
    revision = Revision([*await store.history.amendments(), *drafts])
    with progress_bar("working out what it changes") as progress:
        found = await effect(store, progress, revision=revision, then=drafts)
    names = await store.people.names([move.player for move in found.moves[:SHOWN]])
    tiers = config.tier_names
    show_effect(found, names, before=tiers, after=tiers, as_json=False)
    if not agreed(options):
        print("Nothing was changed.")
        return 1
    with progress_bar("rating the past again") as progress:
        position = await carry_out(store, amendment, progress)
    back = "" if isinstance(amendment, Undo) else f" To take it back: adr-bridge undo {position}"
    print(f"Done.{back}")
    return 0


async def _say(store: Store, drafts: Sequence[LogEntry]) -> None:
    """What is asked for, and what others have ordered before and will be done with it."""
    *before, asked = map(read, drafts)
    names = await names_in(store, [*before, asked])
    for one in before:
        print(f"Done with it, as it was ordered before: {described(one, names)} ({one.reason}).")
    print(f"What is asked for: {described(asked, names)}.")


def agreed(options: Namespace) -> bool:
    """Asks twice, unless --yes was said. Raises UsageError where nobody can be asked."""
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("say --yes, where nobody can be asked")
    return all(map(said_yes, ("Go ahead? [y/N] ", "Are you sure? [y/N] ")))
