"""Amendments of the past: `adr-bridge exclude`, `merge`, `reset` and so on, and their undoing."""

import math
from argparse import Namespace
from collections.abc import Sequence
from time import time

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.amending import agreed, amend, asked_twice, opened, who
from plugin_bridge.cli.moments import moment
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.cli.people import person_called
from plugin_bridge.cli.servers import day
from plugin_bridge.config import load_config
from plugin_bridge.config.model import MAIN_LADDER
from plugin_bridge.errors import UsageError
from plugin_bridge.history.revision import (
    Amendment,
    Exclude,
    Forget,
    Merge,
    Place,
    Revision,
    SeasonEnd,
    Selector,
    Undo,
    read,
    written,
)
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry


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
    asked_twice(out)
    back = command("include", include, "take an exclusion back")
    which = back.add_mutually_exclusive_group(required=True)
    which.add_argument("number", nargs="?", type=int, help="its number in the history")
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
    again.add_argument("number", type=int, help="its number in the history")
    asked_twice(again)
    command("history", history, "all amendments of the past: what, who, when, why", output=True)


async def exclude(options: Namespace) -> int:
    async with opened(options) as (config, store):
        selector = await _selector(store, options)
        amendment = Exclude(select=selector, reason=options.reason, by=who())
        return await amend(store, config, amendment, options)


async def include(options: Namespace) -> int:
    async with opened(options) as (config, store):
        valid = Revision(await store.history.amendments()).valid
        chosen = await _undone(store, valid, options)
        amendment = Undo(undoes=tuple(chosen), reason=options.reason, by=who())
        return await amend(store, config, amendment, options)


async def undo(options: Namespace) -> int:
    async with opened(options) as (config, store):
        valid = Revision(await store.history.amendments()).valid
        if not isinstance(valid.get(options.number), Exclude | Merge | Place | SeasonEnd):
            raise UsageError(
                f"nothing in force that can be undone has the number {options.number}; "
                "see: adr-bridge history"
            )
        amendment = Undo(undoes=(options.number,), reason=options.reason, by=who())
        return await amend(store, config, amendment, options)


async def merge(options: Namespace) -> int:
    async with opened(options) as (config, store):
        old, new = [(await person_called(store, n)).player for n in (options.old, options.new)]
        if old == new:
            raise UsageError(f"{options.old} and {options.new} are the same id already")
        amendment = Merge(old=old, new=new, reason=options.reason, by=who())
        return await amend(store, config, amendment, options)


async def reset(options: Namespace) -> int:
    return await _place(options, None)


async def place(options: Namespace) -> int:
    if not math.isfinite(options.rating):
        raise UsageError("--rating must be a number")
    return await _place(options, options.rating)


async def _place(options: Namespace, rating: float | None) -> int:
    async with opened(options) as (config, store):
        player = (await person_called(store, options.player)).player
        standings = await store.board.of(player)
        if options.ladder not in [standing.ladder for standing in standings if standing.fights]:
            raise UsageError(f"{options.player} has no rated fights on the ladder {options.ladder}")
        amendment = Place(
            ladder=options.ladder, player=player, rating=rating, reason=options.reason, by=who()
        )
        return await amend(store, config, amendment, options)


async def forget(options: Namespace) -> int:
    async with opened(options) as (_, store):
        player = (await person_called(store, options.player)).player
        print(f"The name of {player} will be erased. Fights and ratings stay, under the id alone.")
        if not agreed(options):
            print("Nothing was changed.")
            return 1
        await store.people.forget(player)
        amendment = Forget(player=player, reason=options.reason, by=who())
        await store.history.order(written(amendment), now=time())
    print("Done. Whoever plays again is noted by name again.")
    return 0


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
    match amendment:
        case Undo(undoes=undoes):
            return "take back " + ", ".join(map(str, undoes))
        case Merge(old=old, new=new):
            return f"merge {names.get(old, old)} into {names.get(new, new)}"
        case Place(ladder=ladder, player=player, rating=rating):
            what = "begins anew" if rating is None else f"gets the rating {rating:g}"
            return f"{names.get(player, player)} {what} on {ladder}"
        case SeasonEnd(ladder=ladder, name=name, kept=kept):
            how = f"ratings keep {100 * kept:g} % of their distance" if kept else "all begin anew"
            return f"end the season {name} on {ladder}; {how}"
        case Forget(player=player):
            return f"erase the name of {player}"
        case Exclude(select=selector):
            return _selected(selector, names)


def _selected(selector: Selector, names: dict[str, str]) -> str:
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


async def _names(store: Store, amendments: Sequence[Amendment]) -> dict[str, str]:
    """The names of everybody who is named by id."""
    ids: list[str] = []
    for one in amendments:
        match one:
            case Exclude(select=selector):
                ids += selector.players
            case Merge(old=old, new=new):
                ids += (old, new)
            case Place(player=player):
                ids.append(player)
    return await store.people.names(list(dict.fromkeys(ids)))
