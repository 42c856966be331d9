"""What was understood of old logs and tables, and what was not, before anything is written."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict

from plugin_bridge.cli.moments import day
from plugin_bridge.cli.output import print_facts, print_table, said_yes
from plugin_bridge.errors import UsageError
from plugin_bridge.history.verify import Progress
from plugin_bridge.importing.happenings import Excerpt
from plugin_bridge.importing.logs import LogReading
from plugin_bridge.importing.merging import Merged

_SHOWN = 12
"""So much of a kind is listed; --json lists all."""
_SOURCES = {
    "log": "named by the log itself",
    "usercache": "from usercache.json",
    "database": "of who has the name in the database",
    "name": "made of the name, as servers in offline mode do",
}


def show(reading: LogReading, excerpts: Sequence[Excerpt], news: Merged) -> None:
    print_table(
        ("file", "lines", "kills", "other deaths", "from", "to"),
        [
            (e.file, str(e.lines), str(e.kills), str(e.deaths), _day(e.since), _day(e.until))
            for e in excerpts
        ],
    )
    facts = [
        (f"ids {_SOURCES[source]}", f"{len(names)}{_some(names) if source == 'name' else ''}")
        for source, names in reading.people.items()
        if names
    ]
    if news.before:
        facts.append(("imported before", f"{news.before}, left out"))
    if news.live:
        facts.append(("recorded by the mod already", f"{news.live}, left out"))
    if reading.strangers:
        count = sum(number for _, number in reading.strangers)
        names = [f"{name} {number}" for name, number in reading.strangers]
        facts.append(("killed by unknown names", f"{count}, left out{_some(names)}"))
    print_facts([*facts, ("new", str(len(news.fresh)))])
    if reading.strangers:
        print(
            "Unknown names are players whom neither the logs, usercache.json nor the database "
            "tell of, or mobs\nthat were given a name. If they are players: --usercache FILE, "
            "the logs in which they came, or --player NAME."
        )
    for name, here, known in news.otherwise[:_SHOWN]:
        print(
            f"{name} is {here} here, but {known} in the database; if that is the same player, "
            f"run afterwards: adr-bridge merge {known} {here}"
        )
    if len(news.otherwise) > _SHOWN:
        print(f"... and {len(news.otherwise) - _SHOWN} more names with another id")
    _list("Not understood, and about players:", reading.unknown)
    _list("Other lines, taken for noise:", reading.noise)
    _list("Without a time at the beginning, taken for the rest of other lines:", reading.headless)


def _list(title: str, shapes: Sequence[tuple[str, int]]) -> None:
    if shapes:
        kinds = f"{len(shapes)} kind{'' if len(shapes) == 1 else 's'}"
        print(f"{title} {sum(count for _, count in shapes)} lines of {kinds}")
        print_facts([(f"{count:>8}", shape) for shape, count in shapes[:_SHOWN]])


def _some(names: Sequence[str]) -> str:
    return f": {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"


def _day(seconds: float | None) -> str:
    return "-" if seconds is None else day(seconds)


def described(reading: LogReading, excerpts: Sequence[Excerpt], news: Merged) -> dict[str, object]:
    return {
        "files": [asdict(one) for one in excerpts],
        "ids": reading.people,
        "new": len(news.fresh),
        "imported_before": news.before,
        "recorded_by_the_mod": news.live,
        "not_understood": dict(reading.unknown),
        "noise": dict(reading.noise),
        "without_a_time": dict(reading.headless),
        "unknown_killers": dict(reading.strangers),
        "other_ids": [
            {"name": name, "here": here, "database": known} for name, here, known in news.otherwise
        ],
    }


def wanted(options: Namespace, fresh: int) -> bool:
    """Whether to go on after the preview. Raises UsageError where nobody can be asked."""
    if options.dry_run or not fresh:
        return False
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("nothing was imported yet: look at the preview, then add --yes")
    return said_yes(f"Import these {fresh}? [y/N] ")


def told(bar: Progress, total: int, done: int) -> None:
    """How far the writing has come."""
    bar(done, total)
