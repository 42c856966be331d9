"""Amendments of the past: `adr-bridge exclude`, `merge`, `reset` and so on, and their undoing."""

from argparse import Namespace
from itertools import chain

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.amending import agreed, amend, asked_twice
from plugin_bridge.cli.amendments import history, names_in, waiting_number
from plugin_bridge.cli.forget import forget
from plugin_bridge.cli.moments import last_moment, moment
from plugin_bridge.cli.numbers import logged, logged_or_waiting
from plugin_bridge.cli.opening import amending
from plugin_bridge.cli.orders import who
from plugin_bridge.cli.people import person_called
from plugin_bridge.cli.placing import place, reset
from plugin_bridge.cli.selection import selector, show_selected
from plugin_bridge.config.model import MAIN_LADDER
from plugin_bridge.errors import UsageError
from plugin_bridge.history.amendments import Amendment, Exclude, Merge, Place, SeasonEnd, Undo
from plugin_bridge.history.revision import Revision
from plugin_bridge.store import Store
from plugin_bridge.store.rows import OrderRow


def add_to(command: Command) -> None:
    out = command("exclude", exclude, "take kills out of the past, as if they had never been")
    whose = out.add_mutually_exclusive_group()
    whose.add_argument("--player", metavar="NAME", help="kills and deaths of a player")
    whose.add_argument("--pair", nargs=2, metavar="NAME", help="kills between two players")
    out.add_argument(
        "--as",
        dest="role",
        choices=("killer", "victim", "both"),
        help="with --player: the kills, the deaths, or both (both)",
    )
    out.add_argument("--server", metavar="NAME", help="only what that game server reported")
    out.add_argument("--since", type=moment, metavar="TIME", help="from then on (from the first)")
    out.add_argument("--until", type=last_moment, metavar="TIME", help="up to then (up to now)")
    out.epilog = (
        "A TIME is a day such as 2026-11-30, the whole of it; or '2026-11-30 18:00' (UTC), "
        "2026-11-30T18:00+01:00, or 3d, 12h, 90m ago."
    )
    asked_twice(out)
    back = command("include", include, "take an exclusion back")
    which = back.add_mutually_exclusive_group(required=True)
    which.add_argument("number", nargs="?", type=logged, help="its number in the history")
    which.add_argument("--player", metavar="NAME", help="everything excluded of a player")
    asked_twice(back)
    merge_ = command("merge", merge, "make one player of two ids, such as a renamed account")
    merge_.add_argument("old", help="name or id that is no longer used")
    merge_.add_argument("new", help="name or id that gets its fights, also those still to come")
    asked_twice(merge_)
    for name, run, text in (
        ("reset", reset, "let a player begin anew, from now on"),
        ("set", place, "give a player another rating, from now on"),
        ("forget", forget, "erase the name of a player; it cannot be undone"),
    ):
        one = command(name, run, text)
        one.add_argument("player", metavar="PLAYER", help="the name, or the id")
        if name != "forget":
            one.add_argument("--ladder", default=MAIN_LADDER, help="which ladder, of several")
        if name == "set":
            one.add_argument("--rating", type=float, required=True, help="the rating to give")
        asked_twice(one)
    again = command(
        "undo", undo, "take back an exclusion, a merge, a reset, a set or the end of a season"
    )
    again.add_argument(
        "number", type=logged_or_waiting, help="its number in the history, such as 57, or w2"
    )
    asked_twice(again)
    command("history", history, "all amendments of the past: what, who, when, why", output=True)


async def exclude(options: Namespace) -> int:
    async with amending(options) as (config, store):
        selected = await selector(store, options)
        amendment = Exclude(select=selected, reason=options.reason, by=who())
        await show_selected(store, selected)
        return await amend(store, config, amendment, options)


async def include(options: Namespace) -> int:
    async with amending(options) as (config, store):
        valid = Revision(await store.history.amendments()).valid
        chosen = await _undone(store, valid, options)
        amendment = Undo(undoes=tuple(chosen), reason=options.reason, by=who())
        return await amend(store, config, amendment, options)


async def undo(options: Namespace) -> int:
    async with amending(options) as (config, store):
        for order in await store.history.waiting():
            if waiting_number(order.number) == options.number:
                return await _withdraw(store, order, options)
        valid = Revision(await store.history.amendments()).valid
        number = 0 if options.number.startswith("w") else int(options.number)
        if not isinstance(valid.get(number), Exclude | Merge | Place | SeasonEnd):
            raise UsageError(
                f"nothing in force that can be undone has the number {options.number}; "
                "see: adr-bridge history"
            )
        amendment = Undo(undoes=(number,), reason=options.reason, by=who())
        return await amend(store, config, amendment, options)


async def _withdraw(store: Store, order: OrderRow, options: Namespace) -> int:
    """Of an order that waits nothing is left."""
    print("This still waits; it will be as if it had never been ordered.")
    if not agreed(options):
        print("Nothing was changed.")
        return 1
    if not await store.history.withdraw(order.number):
        raise UsageError("it has just been begun with; see: adr-bridge history")
    print("Done.")
    return 0


async def merge(options: Namespace) -> int:
    async with amending(options) as (config, store):
        old, new = [(await person_called(store, n)).player for n in (options.old, options.new)]
        if old == new:
            raise UsageError(f"{options.old} and {options.new} are the same id already")
        await _refuse_merged(store, old, new)
        amendment = Merge(old=old, new=new, reason=options.reason, by=who())
        return await amend(store, config, amendment, options)


async def _refuse_merged(store: Store, *ids: str) -> None:
    """Raises UsageError for an id that has been merged into another one."""
    for number, one in Revision(await store.history.amendments()).valid.items():
        if isinstance(one, Merge) and one.old in ids:
            names = await names_in(store, [one])
            raise UsageError(
                f"{names.get(one.old, one.old)} is merged into {names.get(one.new, one.new)} "
                f"already; name that one, or take it back: adr-bridge undo {number}"
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
    found = [p for p, one in excluded.items() if player in chain(*one.select.ids)]
    if not found:
        raise UsageError(f"nothing of {options.player} is excluded; see: adr-bridge history")
    return found
