"""What commands print: tables for people, plain lines for pipes, JSON for programs."""

import io
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from plugin_bridge.config.source import shown


def tolerate_any_console() -> None:
    """A console that cannot show a name shows its numbers, instead of ending the command."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (for good)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def leave_the_pipe() -> None:
    """After the reader has gone: nothing more can be said, also not at the exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def said_yes(question: str) -> bool:
    """What somebody at a terminal answers; the end of the input (Ctrl+D) means no."""
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def print_error(text: str) -> None:
    lines = "\n".join(map(shown, text.split("\n")))
    print(f"adr-bridge: {lines}", file=sys.stderr)


def print_json(value: Any) -> None:
    """Letters as they are where the console has them all, else as JSON writes them in ASCII."""
    universal = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(value, ensure_ascii=not universal, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> None:
    """A table on a terminal; else one line a row with tabs between, the column names first."""
    if not sys.stdout.isatty():
        for row in (columns, *rows):
            print("\t".join(map(shown, row)))
        return
    table = Table(*columns, title=title or None, box=box.SIMPLE_HEAD, title_justify="left")
    for row in rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    Console().print(table)


def print_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{name:<{width}}  {shown(value)}")
