"""`adr-bridge import`: logs, tables of kills, and exported tables, with a preview first."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from time import time

from plugin_bridge.alone import opened
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.import_exported import take_back
from plugin_bridge.cli.import_preview import described, show, told, wanted
from plugin_bridge.cli.log_options import add_reading, death_messages, first_day, time_zone
from plugin_bridge.cli.moments import day
from plugin_bridge.cli.output import print_json
from plugin_bridge.cli.progress import progress_bar
from plugin_bridge.config import Config, load_config
from plugin_bridge.errors import StoreRefused, UsageError
from plugin_bridge.importing import exported, writing
from plugin_bridge.importing.happenings import Excerpt, Happening, excerpt
from plugin_bridge.importing.kills_csv import is_kills, read_kills
from plugin_bridge.importing.log_files import usercaches
from plugin_bridge.importing.logs import LogReading, read_logs
from plugin_bridge.importing.merging import Merged, merged, united
from plugin_bridge.importing.recorded import Recorded, recorded, recorded_in
from plugin_bridge.importing.tables import columns_of
from plugin_bridge.store.registry import check_id


@dataclass(slots=True)
class _Files:
    logs: list[Path] = field(default_factory=list)
    kills: list[Path] = field(default_factory=list)
    events: list[Path] = field(default_factory=list)
    names: list[Path] = field(default_factory=list)


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("import", import_, "bring in old kills: logs, tables, exports", output=True)
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="server logs (.log, .log.gz), a table `time,killer,victim` (.csv), or what "
        "`adr-bridge export` wrote",
    )
    parser.add_argument("--server", metavar="NAME", help="the id of the server they are from")
    parser.add_argument("--world", metavar="NAME", help="the world they happened in, if it matters")
    parser.add_argument(
        "--zone", metavar="ZONE", help="where the clock was, as Europe/Berlin (here)"
    )
    parser.add_argument("--date", metavar="YYYY-MM-DD", help="the day a log without a date begins")
    parser.add_argument(
        "--usercache", type=Path, metavar="FILE", help="usercache.json (looked for beside the log)"
    )
    add_reading(parser)
    parser.add_argument("--dry-run", action="store_true", help="show the preview, import nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask after the preview")


async def import_(options: Namespace) -> int:
    config, files = load_config(options.config), _sorted(options.files)
    if files.events or files.names:
        if files.logs or files.kills:
            raise UsageError("exported tables are imported by themselves, without other files")
        return await take_back(options, config, files.events, files.names)
    if options.server is None:
        raise UsageError("say with --server which game server these kills are from (its id)")
    check_id(options.server)
    zone, now = time_zone(options.zone), time()
    there = await _there(options, config)
    reading, excerpts, found = _read(options, files, there, zone=zone, now=now)
    news = merged(found, there)
    if options.json:
        print_json(described(reading, excerpts, news))
    else:
        show(reading, excerpts, news)
    for doubt in _doubts(options, config, news, there):
        print(doubt, file=sys.stderr)
    if not wanted(options, len(news.fresh)):
        return 0
    return await _take_in(options, config, found, now=now)


def _read(
    options: Namespace, files: _Files, there: Recorded, *, zone: tzinfo | None, now: float
) -> tuple[LogReading, list[Excerpt], list[Happening]]:
    """What logs and tables tell: in words, and together. Raises UsageError."""
    reading = read_logs(
        files.logs,
        usercache=options.usercache,
        recorded=there.ids,
        players=options.player,
        first=first_day(options.date),
        zone=zone,
        own=death_messages(options.pattern),
    )
    tables = {
        path: read_kills(
            path, cache={**there.ids, **usercaches([path], options.usercache)}, zone=zone, now=now
        )
        for path in files.kills
    }
    found = united((*reading.happenings, *tables.values()))
    if found and found[-1].time > now + 86_400:
        raise UsageError(
            f"the last of these is of {day(found[-1].time)}, which is yet to come; "
            "say with --date when the log began, or with --zone where its clock was"
        )
    if options.world:
        found = [one if one.world else replace(one, world=options.world) for one in found]
    excerpts = [*reading.excerpts, *(excerpt(p.name, len(k), k) for p, k in tables.items())]
    return reading, excerpts, found


def _doubts(options: Namespace, config: Config, news: Merged, there: Recorded) -> Iterator[str]:
    """What may not be meant."""
    if any(not config.rates(one.world) for one in news.fresh):
        yield (
            "Some of these are not rated, for `filters.worlds` in config.yml rates only "
            "some worlds. Logs do not tell them: --world NAME does."
        )
    known = sorted({*there.servers, *(server.name for server in config.servers)})
    if news.fresh and known and options.server not in known:
        yield (
            f"There is no server `{options.server}` yet; known: {', '.join(known)}. The same "
            "kills under two names of one server count twice."
        )


async def _there(options: Namespace, config: Config) -> Recorded:
    """What the database knows; one of an earlier version is migrated, unless nothing may change."""
    try:
        return await recorded(config.storage.database, options.server)
    except StoreRefused:
        if options.dry_run:
            raise
    async with opened(config.storage.database, errand="importing kills") as store:
        return await recorded_in(store, options.server)


def _sorted(paths: Sequence[Path]) -> _Files:
    files = _Files()
    for path in dict.fromkeys(paths):
        if not {ending.lower() for ending in path.suffixes} & {".csv", ".jsonl", ".ndjson", ".tsv"}:
            files.logs.append(path)
            continue
        columns = columns_of(path)
        if exported.is_events(columns):
            files.events.append(path)
        elif exported.is_names(columns):
            files.names.append(path)
        elif is_kills(columns):
            files.kills.append(path)
        else:
            raise UsageError(
                f"{path}:1:1: the first line must be `time,killer,victim`, or of a table that "
                f"`adr-bridge export` has written, not `{','.join(columns)[:100]}`"
            )
    return files


async def _take_in(
    options: Namespace, config: Config, found: Sequence[Happening], *, now: float
) -> int:
    """Writes what is new, now that nobody else can write."""
    async with opened(config.storage.database, errand="importing kills") as store:
        fresh = merged(found, await recorded_in(store, options.server)).fresh
        writer = writing.Writer(store, config, now=now)
        with progress_bar("rating them") as bar:
            progress = partial(told, bar, len(fresh))
            result = await writer.write(options.server, fresh, progress)
    if not options.json:
        _report(result)
    return 0


def _report(result: writing.Written) -> None:
    counted = result.kills.get(None, 0)
    left = {reason: count for reason, count in result.kills.items() if reason}
    why = ", ".join(f"{count} not ({reason})" for reason, count in sorted(left.items()))
    print(
        f"Imported. Kills that count: {counted}{f'; {why}' if why else ''}. "
        f"Other deaths: {result.deaths}. Calibrations on the way: {result.calibrations}."
    )
