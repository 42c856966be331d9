"""`adr-bridge export`: whole tables as CSV or JSON Lines, also while the daemon runs."""

import sys
from argparse import Namespace
from pathlib import Path

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.opening import reading
from plugin_bridge.importing.exporting import TABLES, export, format_of


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("export", run, "write players, events, names or seasons as a table")
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument(
        "file", nargs="?", type=Path, help="ends in .csv or .jsonl, with .gz packed (to the screen)"
    )
    parser.add_argument("--format", choices=("csv", "jsonl"), help="if the name does not tell")


async def run(options: Namespace) -> int:
    form = format_of(options.file, options.format)
    async with reading(options) as (_, store):
        count = await export(store, options.table, options.file, form)
    if options.file:
        rows = "row" if count == 1 else "rows"
        print(f"Wrote {options.file}: {options.table}, {count} {rows}.", file=sys.stderr)
    return 0
