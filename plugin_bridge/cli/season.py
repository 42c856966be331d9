"""`adr-bridge season`: ends a season, and lists those that have ended; their boards."""

import argparse
from argparse import Namespace
from dataclasses import asdict

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.amending import amend, asked_twice
from plugin_bridge.cli.ladders import known_ladder
from plugin_bridge.cli.moments import day
from plugin_bridge.cli.opening import amending, reading
from plugin_bridge.cli.orders import who
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.config.model import MAIN_LADDER
from plugin_bridge.errors import UsageError
from plugin_bridge.history.amendments import SeasonEnd
from plugin_bridge.history.revision import Revision
from plugin_bridge.present import points, tier_called
from plugin_bridge.store import Store
from plugin_bridge.text import clean_name

KEPT = 0.5
"""What a soft reset keeps of each distance from the starting rating, unless told."""


def add_to(command: Command) -> None:
    """The actions and their arguments."""
    action = command.group("season", "end a season, and those that have ended")
    end_ = action("end", end, "keep the leaderboard as it is, and start another season")
    end_.add_argument("name", help="what the season was called, such as 2026-autumn")
    how = end_.add_mutually_exclusive_group()
    how.add_argument(
        "--soft",
        dest="hard",
        action="store_false",
        help="ratings move towards the starting rating, tiers stay (this is the default)",
    )
    how.add_argument(
        "--hard", action="store_true", help="everybody begins anew: rating, placement and tier"
    )
    end_.add_argument(
        "--keep",
        type=_share,
        metavar="SHARE",
        help=f"with --soft: how much of each distance stays, up to 1 ({KEPT})",
    )
    end_.add_argument("--ladder", default=MAIN_LADDER, help="which ladder, of several")
    end_.set_defaults(hard=False)
    asked_twice(end_)
    listed = action("list", list_all, "the seasons that have ended", output=True)
    listed.add_argument("--ladder", default=None, help="those of one ladder (all)")


async def end(options: Namespace) -> int:
    if options.hard and options.keep is not None:
        raise UsageError("--keep is for --soft; after --hard nothing is kept")
    name = clean_name(options.name)
    if not name or name != options.name or name.startswith("-"):
        raise UsageError("the name of a season is 1 to 64 visible characters, without a - in front")
    async with amending(options) as (config, store):
        await known_ladder(store, options.ladder)
        await _refuse_again(store, options.ladder, name)
        if not await store.board.top(options.ladder, 1):
            raise UsageError(f"nobody has fought on the ladder {options.ladder} this season")
        amendment = SeasonEnd(
            ladder=options.ladder,
            name=name,
            kept=0.0 if options.hard else options.keep or KEPT,
            tiers=config.tier_names,
            reason=options.reason,
            by=who(),
        )
        return await amend(store, config, amendment, options)


async def _refuse_again(store: Store, ladder: str, name: str) -> None:
    for number, one in Revision(await store.history.amendments()).valid.items():
        if (
            isinstance(one, SeasonEnd)
            and one.ladder == ladder
            and one.name.casefold() == name.casefold()
        ):
            raise UsageError(
                f"there is a season {one.name} on {ladder} already; choose another name, or take "
                f"its end back: adr-bridge undo {number}"
            )


async def list_all(options: Namespace) -> int:
    async with reading(options) as (_, store):
        if options.ladder is not None:
            await known_ladder(store, options.ladder)
        seasons = await store.seasons.all(options.ladder)
    if options.json:
        print_json([asdict(season) for season in seasons])
        return 0
    print_table(
        ("season", "ladder", "ended", "players", "reset", "number"),
        [
            (
                season.name,
                season.ladder,
                day(season.ended),
                str(season.players),
                f"soft, {season.kept:g} kept" if season.kept else "hard",
                str(season.season),
            )
            for season in seasons
        ],
    )
    return 0


async def show_board(store: Store, ladder: str, options: Namespace) -> int:
    """The final board of the season that was named. Raises UsageError if there is none."""
    season = await store.seasons.called(ladder, options.season)
    if season is None:
        known = ", ".join(s.name for s in await store.seasons.all(ladder)) or "none has ended"
        raise UsageError(f"there is no season '{options.season}' on {ladder} (known: {known})")
    board = await store.seasons.board(season.season, start=0, count=options.count)
    if options.json:
        print_json(
            [asdict(line) | {"tier_name": tier_called(line.tier, season.tiers)} for line in board]
        )
        return 0
    print_table(
        ("rank", "player", "tier", "rating", "kills", "deaths"),
        [
            (
                str(line.place),
                line.name,
                tier_called(line.tier, season.tiers) or "-",
                points(line.rating),
                str(line.kills),
                str(line.deaths),
            )
            for line in board
        ],
    )
    return 0


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0.0 < share <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0 and up to 1")
    return share
