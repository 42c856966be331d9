"""`adr-bridge explain`: the fights of a player, with everything that made each step."""

from argparse import Namespace

from adr_core import Parameters
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.amendments import described
from plugin_bridge.cli.ladders import known_ladder
from plugin_bridge.cli.moments import day
from plugin_bridge.cli.numbers import positive
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.cli.people import person_called
from plugin_bridge.config.model import MAIN_LADDER
from plugin_bridge.history.amendments import Merge, Place, SeasonEnd
from plugin_bridge.history.between import Change, rating_after
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.story import Part, story
from plugin_bridge.present import points
from plugin_bridge.store import Store
from plugin_bridge.store.rows import NameRow

_HEADINGS = (
    "when",
    "fight",
    "opponent",
    "chance",
    "base",
    "streak",
    "volatility",
    "trend",
    "surprise",
    "change",
    "rating",
    "note",
)


def add_to(command: Command) -> None:
    explain_ = command("explain", explain, "why a player's rating moved as it did", output=True)
    explain_.add_argument("name", nargs="+", help="the name, or the id")
    explain_.add_argument("--ladder", default=MAIN_LADDER, help="which ladder, of several")
    explain_.add_argument(
        "--last", type=positive, default=20, metavar="N", help="so many fights (20)"
    )


async def explain(options: Namespace) -> int:
    async with reading(options) as (_, store):
        person = await person_called(store, " ".join(options.name))
        await known_ladder(store, options.ladder)
        rows = await _rows(store, person, options)
    if options.json:
        print_json([dict(zip(_HEADINGS, row, strict=True)) for row in rows])
        return 0
    print_table(_HEADINGS, rows, title=f"{person.name} on {options.ladder}, the latest last")
    print("change = base × streak × volatility × trend × surprise, unless the note says otherwise.")
    return 0


async def _rows(store: Store, person: NameRow, options: Namespace) -> list[tuple[str, ...]]:
    """The fights, and what else has moved the rating between them, in their order."""
    amendments = await store.history.amendments_in_force()
    times = {entry.position: entry.time for entry in amendments}
    revision = Revision(amendments)
    ids = revision.all_ids_of(person.player)
    found = await story(store, revision, ids, options.ladder, options.last)
    rows, rating = [], None
    for position, one in found.told.items():
        rules = found.rules.at(position)
        if isinstance(one, Part):
            rows.append(_row(one, found.names, rules))
            rating = rating if one.after is None else one.after
        else:
            before = rating
            if before is not None and rules is not None:
                rating = rating_after(one, before, rules)
            rows.append(_change(one, found.names, times[position], before, rating))
    return rows


def _change(
    one: Change, names: dict[str, str], time: float, before: float | None, after: float | None
) -> tuple[str, ...]:
    step = "-" if before is None or after is None else f"{after - before:+.1f}"
    rating = "-" if after is None else points(after)
    note = f"{described(one, names)}: {one.reason}"
    return (day(time), _word(one), *["-"] * 7, step, rating, note)


def _word(one: Change) -> str:
    match one:
        case Place(rating=rating):
            return "reset" if rating is None else "set"
        case SeasonEnd():
            return "season end"
        case Merge():
            return "merge"


def _row(fight: Part, names: dict[str, str], rules: Parameters | None) -> tuple[str, ...]:
    manner = "kill" if fight.killed else "death"
    start = (day(fight.time), manner, names.get(fight.opponent, fight.opponent))
    if fight.chance is None:
        return (*start, *["-"] * 8, f"not counted: {fight.reason}")
    chance, change = f"{100 * fight.chance:.0f} %", f"{fight.change:+.1f}"
    after, found = points(fight.after or 0.0), fight.why(rules)
    if fight.step is None or found is None:
        return (*start, chance, *["-"] * 5, change, after, "rated before an update")
    away = f"after {fight.step.days:.0f} days away" if fight.step.days >= 1.0 else ""
    return (
        *start,
        chance,
        f"{found.base:.1f}",
        f"{found.streak:.2f}",
        f"{found.calm:.2f}",
        f"{found.trend:.2f}",
        f"{found.surprise:+.2f}",
        change,
        after,
        ", ".join(filter(None, (found.limit, away))),
    )
