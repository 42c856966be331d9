"""`adr-bridge contest`: contests that were, and ratings of contests from outside.

`list`, `show` and `export` read the database, also while the daemon runs; `rate` needs none.
"""

import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from adr_core import rate_contest
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.moments import day
from plugin_bridge.cli.numbers import positive
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_facts, print_json, print_table
from plugin_bridge.contests import results
from plugin_bridge.contests.charter import read
from plugin_bridge.contests.notices import title
from plugin_bridge.errors import UsageError
from plugin_bridge.files import destination
from plugin_bridge.present import points
from plugin_bridge.spreadsheets import csv_writer
from plugin_bridge.store import Store
from plugin_bridge.store.rows import ContestRow, StandingRow

_EXPORTED = ("place", "player", "name", "kills", "deaths", "score", "contests", "before", "after")


def add_to(command: Command) -> None:
    """The actions and their arguments."""
    action = command.group("contest", "events that were, and results from outside")
    known = action("list", list_all, "the latest events of all servers", output=True)
    known.add_argument("count", nargs="?", type=positive, default=20, help="how many (20)")
    one = action("show", show, "an event, and how everybody did in it", output=True)
    one.add_argument("number", type=positive)
    copied = action("export", export, "an event as CSV, on the screen")
    copied.add_argument("number", type=positive)
    outside = action(
        "rate", rate, "rate a CSV file of results (player, score, rating, contests), of any game"
    )
    outside.add_argument("file", type=Path)
    outside.add_argument("-o", "--output", type=Path, help="the file to write (FILE-rated.csv)")
    outside.add_argument("--dry-run", action="store_true", help="show the ratings, write nothing")
    outside.add_argument("--force", action="store_true", help="write over an older file")


async def list_all(options: Namespace) -> int:
    async with reading(options) as (_, store):
        rows = await store.contests.latest(options.count)
        sizes = await store.contests.sizes([row.contest for row in rows])
    if options.json:
        print_json([_described(row) | {"players": sizes.get(row.contest, 0)} for row in rows])
        return 0
    print_table(
        ("contest", "server", "ladder", "started", "players", "state"),
        [
            (
                title(row),
                row.server,
                row.ladder,
                day(row.started),
                str(sizes.get(row.contest, 0)),
                row.state,
            )
            for row in rows
        ],
    )
    return 0


async def show(options: Namespace) -> int:
    async with reading(options) as (_, store):
        row, standings, names = await _found(store, options.number)
    if options.json:
        listed = [_standing(standing, names) for standing in standings]
        print_json(_described(row) | {"standings": listed})
        return 0
    charter = read(row.rules)
    print_facts(
        [
            ("contest", title(row)),
            ("server", row.server),
            ("ladder", row.ladder),
            ("started", day(row.started)),
            ("ended", "-" if row.ended is None else day(row.ended)),
            ("state", row.state),
            ("score", charter.score.replace("_", " ")),
        ]
    )
    print()
    print_table(
        ("place", "player", "kills", "deaths", "score", "before", "change", "after"),
        [_cells(standing, names) for standing in standings],
    )
    return 0


async def export(options: Namespace) -> int:
    """Writes one contest as CSV."""
    async with reading(options) as (_, store):
        _, standings, names = await _found(store, options.number)
    write = csv_writer(sys.stdout)
    write(_EXPORTED)
    for standing in standings:
        described = _standing(standing, names)
        write(described[column] for column in _EXPORTED)
    return 0


async def rate(options: Namespace) -> int:
    """Rates a list of results that has nothing to do with any game server."""
    entered = results.read(options.file)
    rated = rate_contest(entered)
    if options.dry_run:
        print_table(
            ("player", "rating", "change", "new rating", "contests"),
            [
                (s.player, points(s.rating), f"{r.delta:+.2f}", points(r.rating), str(r.contests))
                for s, r in zip(entered, rated, strict=True)
            ],
        )
        print(f"{len(rated)} participants. Nothing was written.")
        return 0
    target = options.output or options.file.with_name(f"{options.file.stem}-rated.csv")
    destination(target)
    if target.exists() and not options.force:
        raise UsageError(f"{target} is there already; name another one with -o, or use --force")
    results.write(target, entered, rated)
    print(f"Wrote {target}: {len(rated)} participants.")
    return 0


async def _found(store: Store, number: int) -> tuple[ContestRow, list[StandingRow], dict[str, str]]:
    found = await store.contests.one(number)
    if found is None:
        raise UsageError(f"there is no contest {number}; see: adr-bridge contest list")
    row, standings = found
    return row, standings, await store.people.names([s.player for s in standings])


def _described(row: ContestRow) -> dict[str, object]:
    rules = read(row.rules)
    return asdict(row) | {"rules": {"score": rules.score, "entry": rules.entry}}


def _standing(standing: StandingRow, names: dict[str, str]) -> dict[str, object]:
    return asdict(standing) | {"name": names.get(standing.player, standing.player)}


def _cells(standing: StandingRow, names: dict[str, str]) -> tuple[str, ...]:
    name = names.get(standing.player, standing.player)
    done = (str(standing.kills), str(standing.deaths))
    if standing.place is None or standing.score is None:
        return ("-", name, *done, "-", "-", "-", "-")
    judged = (str(standing.place), name, *done, f"{standing.score:.3f}")
    if standing.before is None or standing.after is None:
        return (*judged, "-", "-", "-")
    change = f"{standing.after - standing.before:+.1f}"
    return (*judged, points(standing.before), change, points(standing.after))
