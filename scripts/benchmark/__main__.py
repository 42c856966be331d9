"""Runs the parts of the benchmark, shows how far it is, and writes JSON and a table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from benchmark.compiled import let_daemons_have_it
from benchmark.parts import PARTS, Plan
from benchmark.table import table

PACKAGES = ("openskill", "trueskill", "elote", "glicko2", "mypy", "websockets", "msgspec")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description="Measures how fast everything is, side by side."
    )
    parser.add_argument("--quick", action="store_true", help="a small form of everything")
    parser.add_argument("--out", type=Path, default=Path("data/bench"), metavar="FOLDER")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument(
        "--compiled", action="store_true", help="daemons run with the compiled core, too"
    )
    parser.epilog = f"parts: {', '.join(PARTS)}"
    return parser.parse_args()


def machine() -> dict[str, Any]:
    """On what it was measured, and how busy that was with other things."""
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load": [round(one, 1) for one in os.getloadavg()],
        "versions": {name: version(name) for name in PACKAGES},
    }


def plain(value: Any) -> Any:
    """The same in values that JSON has."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def main() -> None:
    options = arguments()
    plan = Plan.quick() if options.quick else Plan()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.compiled:
        let_daemons_have_it(options.out)
    results: dict[str, Any] = {"machine": machine(), "daemon compiled": options.compiled}
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console) as progress:
        for name in options.only:
            task = progress.add_task(name, total=1)

            def tick(done: str, task: Any = task, name: str = name) -> None:
                progress.update(task, description=f"{name}: {done}")

            began = time.monotonic()
            with tempfile.TemporaryDirectory(dir=options.out) as left:
                results[name] = plain(PARTS[name](plan, options.out, Path(left), tick))
            took = time.monotonic() - began
            progress.update(task, description=f"{name}: {took:.0f} s", completed=1)
            for note in results[name].get("notes", ()):
                console.print(f"{name}: {note}")
            # written after every part, so that a stopped run leaves much
            text = json.dumps(results, indent=1)
            (options.out / "results.json").write_text(text + "\n", encoding="utf-8")
            (options.out / "table.md").write_text(table(results), encoding="utf-8")
    print(table(results))
    print(f"written: {options.out / 'results.json'} and table.md", file=sys.stderr)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
