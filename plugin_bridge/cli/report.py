"""`adr-bridge report`: one HTML file about a ladder, for admins."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from time import time

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.ladders import known_ladder
from plugin_bridge.cli.numbers import positive
from plugin_bridge.cli.opening import reading
from plugin_bridge.config import Config
from plugin_bridge.errors import UsageError
from plugin_bridge.files import destination, replacing
from plugin_bridge.report.facts import DAY, Facts, TierShare, activity
from plugin_bridge.report.page import page
from plugin_bridge.report.suspects import suspects
from plugin_bridge.store import Store
from plugin_bridge.store.survey import Sighting
from plugin_bridge.study.bounds import at_bounds, cure, is_active, since

DAYS = 30
MOST_DAYS = 366


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("report", report, "write an HTML page about a ladder, for admins")
    parser.add_argument("file", type=Path, help="the page to make, such as report.html")
    parser.add_argument("--ladder", default=None, help="which ladder, where there are several")
    parser.add_argument(
        "--days",
        type=positive,
        default=DAYS,
        help=f"look back so many days ({DAYS}; at most {MOST_DAYS})",
    )
    parser.add_argument("--force", action="store_true", help="write over an existing file")


async def report(options: Namespace) -> int:
    if options.days > MOST_DAYS:
        raise UsageError(f"--days {options.days}: a report looks back {MOST_DAYS} days at most")
    destination(options.file)
    if options.file.exists() and not options.force:
        raise UsageError(f"{options.file} is there already; --force writes over it")
    async with reading(options) as (config, store):
        ladder = await known_ladder(store, options.ladder)
        facts = await _facts(config, store, ladder, days=options.days)
    with replacing(options.file, mode=0o600) as file:
        file.write_text(page(facts), encoding="utf-8", errors="replace", newline="\n")
    print(f"Wrote {options.file}. It holds names: keep it private.")
    return 0


async def _facts(config: Config, store: Store, ladder: str, *, days: int) -> Facts:
    now = time()
    end = await store.log.end()
    (row,) = [one for one in await store.projection.ladders() if one.ladder == ladder]
    clock, parameters = row.clock or 0.0, row.parameters
    seen = await store.survey.lately(ladder, since=since(clock, parameters))
    active = [one for one in seen if is_active(one.recent, clock, parameters)]
    last = int(now) // DAY
    first = last - days + 1
    after = float(first * DAY)
    pairs = await store.survey.pair_days(ladder, since=after, end=end)
    found = suspects(pairs)
    return Facts(
        ladder=ladder,
        made=now,
        days=days,
        players=await store.survey.players(ladder),
        tiers=_tiers(config, parameters.shares, active),
        unplaced=sum(one.tier is None for one in active),
        bounds=at_bounds(((one.mu, one.recent) for one in active), clock, parameters),
        cure=cure(parameters),
        calibration=await store.survey.calibration(ladder, since=after, end=end),
        activity=activity(pairs, first=first, last=last),
        suspects=found,
        names=await store.people.names([who for one in found for who in (one.one, one.other)]),
    )


def _tiers(config: Config, shares: Sequence[float], active: Sequence[Sighting]) -> list[TierShare]:
    """By the stored ladder, which may have other tiers than config.yml until the daemon starts."""
    names = config.tier_names
    if len(names) != len(shares):
        names = tuple(f"#{number}" for number in range(1, len(shares) + 1))
    return [
        TierShare(name, share, sum(one.tier == number for one in active))
        for number, (name, share) in enumerate(zip(names, shares, strict=True), start=1)
    ]
