"""`adr-bridge status`, `top` and `player`: reading, also while the daemon runs."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from time import time

import msgspec

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.ladders import known_ladder
from plugin_bridge.cli.moments import day
from plugin_bridge.cli.numbers import positive
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_facts, print_json, print_table
from plugin_bridge.cli.people import person_called
from plugin_bridge.cli.season import show_board
from plugin_bridge.config import Config
from plugin_bridge.diagnosis.crowds import Crowd, crowds
from plugin_bridge.monitor import ServerView
from plugin_bridge.present import duration, points, tier_called
from plugin_bridge.status import Picture, far, last_picture, named
from plugin_bridge.store.board import Standing


def add_to(command: Command) -> None:
    """The commands and their arguments."""
    command("status", status, "how the daemon and the game servers are", output=True)
    board = command("top", top, "the leaderboard", output=True)
    board.add_argument("count", nargs="?", type=positive, default=10, help="how many (10)")
    board.add_argument("--ladder", default=None, help="which ladder, where there are several")
    board.add_argument("--season", metavar="NAME", help="as it was at the end of a season")
    person = command("player", player, "everything about one player", output=True)
    person.add_argument("name", nargs="+", help="the name, or the id")


async def status(options: Namespace) -> int:
    """Exit code 0 if the daemon runs, 1 if not."""
    async with reading(options) as (_, store):
        now = time()
        picture = await last_picture(store.health, now=now)
        found = await crowds(store)
    daemon, heard = picture.daemon, _heard(picture.seen, now)
    if options.json:
        bounds = [{"ladder": c.ladder, **asdict(c.bounds), "cure": c.cure} for c in found]
        print_json(msgspec.to_builtins(picture) | {"bounds": bounds})
        return 0 if daemon else 1
    if daemon is None:
        print(f"The daemon is not running{_instead(picture, heard)}")
        _warn(found)
        return 1
    print_facts(
        [
            ("daemon", f"running for {duration(now - daemon.started)} (process {daemon.pid})"),
            *([("trouble", picture.trouble)] if picture.trouble else []),
            *([("rating the past again", far(daemon))] if daemon.rated_again else []),
            ("last heard of", heard or "not yet"),
            ("version", daemon.version or "not known yet"),
            ("listening", daemon.address),
            ("events", str(daemon.events)),
            *((f"players on {ladder}", str(count)) for ladder, count in daemon.players.items()),
        ]
    )
    headings = ("server", "mod", "game server", "players", "version", "latency")
    print_table(headings, _rows(picture.servers))
    _warn(found)
    return 0


def _instead(picture: Picture, heard: str) -> str:
    """What there is to be said in the place of a daemon, and to be done."""
    if picture.command:
        return f": {named(picture.command)}. One that is started waits until that has ended."
    ended = f" It was last heard of {heard}, and was not told to stop." if heard else ""
    return f".{ended} Start it with: adr-bridge serve"


def _warn(found: Sequence[Crowd]) -> None:
    for one in found:
        if one.cure:
            bounds = one.bounds
            print(
                f"\nWARNING: {bounds.bottom + bounds.top} of the {bounds.active} active players on "
                f"{one.ladder} ({100 * bounds.share:.0f} %) sit at the lowest or the highest "
                "possible rating, where they can no longer be told apart. What helps, under "
                f"`rating` in config.yml:\n    {one.cure}"
            )


def _heard(seen: float | None, now: float) -> str:
    return "" if seen is None else f"{duration(max(0.0, now - seen))} ago"


def _rows(views: tuple[ServerView, ...]) -> list[tuple[str, ...]]:
    return [
        (
            view.server,
            "connected" if view.connected else "missing",
            _state(view),
            str(view.players) if view.up else "-",
            view.version or "-",
            "-" if view.latency is None else f"{view.latency:.0f} ms",
        )
        for view in views
    ]


def _state(view: ServerView) -> str:
    if not view.watched:
        return "not watched"
    return {True: "up", False: "down", None: "not asked yet"}[view.up]


async def top(options: Namespace) -> int:
    async with reading(options) as (config, store):
        ladder = await known_ladder(store, options.ladder)
        if options.season is not None:
            return await show_board(store, ladder, options)
        standings = await store.board.top(ladder, options.count)
    if options.json:
        print_json([_described(config, standing) for standing in standings])
        return 0
    print_table(
        ("rank", "player", "tier", "rating", "kills", "deaths", "streak"),
        [
            (
                str(s.rank),
                s.name,
                tier_called(s.tier, config.tier_names) or "-",
                points(s.rating),
                str(s.kills),
                str(s.deaths),
                str(s.streak),
            )
            for s in standings
        ],
        title=f"Ladder {ladder}",
    )
    return 0


async def player(options: Namespace) -> int:
    async with reading(options) as (config, store):
        person = await person_called(store, " ".join(options.name))
        standings = await store.board.of(person.player)
    if options.json:
        ladders = [_described(config, standing) for standing in standings]
        print_json({"id": person.player, "name": person.name, "ladders": ladders})
        return 0
    print_facts([("player", person.name), ("id", person.player)])
    for s in standings:
        print()
        print_facts(
            [
                ("ladder", s.ladder),
                ("tier", tier_called(s.tier, config.tier_names) or "not placed yet"),
                ("rating", f"{points(s.rating)} ± {points(s.uncertainty)}"),
                ("rank", str(s.rank) if s.fights else "-"),
                ("record", f"{s.kills} kills, {s.deaths} deaths, {s.fights} rated fights"),
                ("streak", f"{s.streak} (best {s.best_streak})"),
                ("last fight", "-" if s.last_event is None else day(s.last_event)),
            ]
        )
    if not standings:
        print("no rated fights yet")
    return 0


def _described(config: Config, standing: Standing) -> dict[str, object]:
    return asdict(standing) | {"tier_name": tier_called(standing.tier, config.tier_names)}
