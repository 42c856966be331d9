"""`adr-bridge explain`: the fights of a player, with everything that made each step."""

from argparse import Namespace

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.amendments import described, names_in
from plugin_bridge.cli.ladders import known_ladder
from plugin_bridge.cli.numbers import positive
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.cli.people import person_called
from plugin_bridge.cli.servers import day
from plugin_bridge.config import load_config
from plugin_bridge.config.model import MAIN_LADDER
from plugin_bridge.history.between import Change, changes, rating_after
from plugin_bridge.history.revision import Merge, Place, Revision, SeasonEnd
from plugin_bridge.history.steps import steps, why
from plugin_bridge.present import points
from plugin_bridge.store import Store
from plugin_bridge.store.fights import RulesThen
from plugin_bridge.store.rows import FightRow, NameRow

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
    store = await Store.read_only(load_config(options.config).storage.database)
    try:
        person = await person_called(store, " ".join(options.name))
        await known_ladder(store, options.ladder)
        rows = await _rows(store, person, options)
    finally:
        await store.close()
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
    fights = await store.fights.of(ids, options.ladder, options.last)
    oldest = fights[-1].position if fights else 0
    between = changes(revision, ids, options.ladder, behind=oldest)
    names = await store.people.names([fight.against(ids) for fight in fights])
    names |= await names_in(store, between.values())
    rules = await store.fights.rules(options.ladder)
    rows, rating = [], None
    told: dict[int, FightRow | Change] = {fight.position: fight for fight in fights} | between
    for position, one in sorted(told.items()):
        if isinstance(one, FightRow):
            rows.append(_row(one, ids, names, rules))
            after = one.killer_after if one.killer in ids else one.victim_after
            rating = rating if after is None else after
        else:
            before, then = rating, rules.at(position)
            if before is not None and then is not None:
                rating = rating_after(one, before, then)
            rows.append(_change(one, names, times[position], before, rating))
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


def _row(
    fight: FightRow, ids: list[str], names: dict[str, str], rules: RulesThen
) -> tuple[str, ...]:
    killed, other = fight.killer in ids, fight.against(ids)
    start = (day(fight.time), "kill" if killed else "death", names.get(other, other))
    if fight.reason is not None or fight.probability is None:
        return (*start, *["-"] * 8, f"not counted: {fight.reason}")
    after = fight.killer_after if killed else fight.victim_after
    chance = f"{100 * fight.probability:.0f} %"
    then = rules.at(fight.position)
    if not fight.steps or then is None:
        before = fight.killer_before if killed else fight.victim_before
        change = f"{(after or 0.0) - (before or 0.0):+.1f}"
        return (*start, chance, *["-"] * 5, change, points(after or 0.0), "rated before an update")
    step = steps(fight.steps)[0 if killed else 1]
    found = why(step, fight.probability, then, killed=killed)
    away = f"after {step.days:.0f} days away" if step.days >= 1.0 else ""
    return (
        *start,
        chance,
        f"{found.base:.1f}",
        f"{found.streak:.2f}",
        f"{found.calm:.2f}",
        f"{found.trend:.2f}",
        f"{found.surprise:+.2f}",
        f"{step.change:+.1f}",
        points(after or 0.0),
        ", ".join(filter(None, (found.limit, away))),
    )
