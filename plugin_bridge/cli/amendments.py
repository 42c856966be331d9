"""Amendments of the past in words, for those who are asked about them or look them up."""

from argparse import Namespace
from collections.abc import Iterable
from itertools import chain
from time import time

from plugin_bridge.cli.moments import day
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.history.amendments import (
    Amendment,
    Exclude,
    Forget,
    Merge,
    Place,
    SeasonEnd,
    Selector,
    Undo,
    entry_of,
    read,
)
from plugin_bridge.history.revision import Revision
from plugin_bridge.status import far, last_picture
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry


async def history(options: Namespace) -> int:
    """The amendments so far, whoever made them, also those taken back."""
    async with reading(options) as (_, store):
        async with store.snapshot():
            entries = await store.history.amendments()
            revised = await store.history.revised()
            waiting = [entry_of(order, 0) for order in await store.history.waiting()]
        worked_out = far((await last_picture(store.health, now=time())).daemon)
        valid = Revision(entries).valid
        made = [(entry, read(entry)) for entry in (*entries, *waiting)]
        names = await names_in(store, (amendment for _, amendment in made))
    rows = [
        (
            str(entry.position or waiting_number(entry.seq)),
            day(entry.time),
            amendment.by,
            described(amendment, names),
            amendment.reason,
            _state(entry, valid=entry.position in valid, revised=revised, worked_out=worked_out),
        )
        for entry, amendment in made
    ]
    headings = ("number", "when", "by", "what", "reason", "state")
    if options.json:
        print_json([dict(zip(headings, row, strict=True)) for row in rows])
    else:
        print_table(headings, rows)
    return 0


def waiting_number(number: int) -> str:
    """What an order is called while it has no place in the log yet."""
    return f"w{number}"


def _state(entry: LogEntry, *, valid: bool, revised: int, worked_out: str) -> str:
    if not entry.position:
        return "waits for the daemon"
    if not valid:
        return "taken back"
    if entry.position <= revised:
        return "in force"
    return f"being worked out: {worked_out}" if worked_out else "being worked out"


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
    who = [" alias ".join(names.get(one, one) for one in ids) for ids in selector.ids]
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


async def names_in(store: Store, amendments: Iterable[Amendment]) -> dict[str, str]:
    """The names of everybody who is named by id."""
    ids: list[str] = []
    for one in amendments:
        match one:
            case Exclude(select=selector):
                ids += chain.from_iterable(selector.ids)
            case Merge(old=old, new=new):
                ids += (old, new)
            case Place(player=player):
                ids.append(player)
    return await store.people.names(list(dict.fromkeys(ids)))
