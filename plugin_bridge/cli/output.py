"""What commands print: tables for people, plain lines for pipes, JSON for programs."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> None:
    """A table on a terminal; else one line a row with tabs between, the column names first."""
    if not sys.stdout.isatty():
        for row in (columns, *rows):
            print("\t".join(row))
        return
    table = Table(*columns, title=title or None, box=box.SIMPLE_HEAD, title_justify="left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def print_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{name:<{width}}  {value}")
