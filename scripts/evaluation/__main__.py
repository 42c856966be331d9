"""Runs the parts of the evaluation, shows how far it is, and writes what came out."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from evaluation.parts import PARTS, Plan
from evaluation.real import COLUMNS, read
from plugin_bridge.errors import UsageError

PACKAGES = ("numpy", "trueskill", "openskill", "trueskillthroughtime", "adr-bridge")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/evaluate", description="The evaluation of section 10 of the paper."
    )
    parser.add_argument("--seeds", type=int, help="streams per study (default 10)")
    parser.add_argument("--players", type=int, help="in the simulated arena (default 100)")
    parser.add_argument("--length", type=int, help="kills in each stream (default 40000)")
    parser.add_argument(
        "--kills",
        type=Path,
        metavar="FILE",
        help="kills of real servers (CSV), judged in the part `real`",
    )
    parser.add_argument(
        "--columns",
        nargs="+",
        default=[],
        metavar="WHAT=NAME",
        help=f"names of the columns in FILE ({' '.join(f'{a}={b}' for a, b in COLUMNS.items())})",
    )
    parser.add_argument("--quick", action="store_true", help="a small form of everything")
    parser.add_argument("--out", type=Path, default=Path("data/evaluation"), metavar="FOLDER")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.epilog = f"parts: {', '.join(PARTS)}"
    return parser.parse_args()


def plan_of(options: argparse.Namespace) -> Plan:
    plan = Plan.quick() if options.quick else Plan()
    for option, name, least in (
        ("seeds", "seeds", 1),
        ("players", "players", 40),
        ("length", "kills", 2000),
    ):
        value = getattr(options, option)
        if value is not None:
            if value < least:
                sys.exit(f"--{option} must be at least {least}")
            setattr(plan, name, value)
    if options.kills is not None:
        try:
            plan.real = read(options.kills, columns_of(options.columns))
        except UsageError as error:
            sys.exit(str(error))
    return plan


def columns_of(given: list[str]) -> dict[str, str]:
    """The names of the columns. Exits where one cannot be meant."""
    found = dict(COLUMNS)
    for words in given:
        what, _, name = words.partition("=")
        if what not in COLUMNS or not name:
            sys.exit(f"--columns {words}: write WHAT=NAME, with one of {', '.join(COLUMNS)}")
        found[what] = name.lower()
    return found


def chosen(asked: list[str], plan: Plan) -> list[str]:
    """The parts to run. Without a file of kills there is nothing real to judge."""
    if plan.real is None and asked == ["real"]:
        sys.exit("the part `real` needs a file: --kills FILE")
    return [name for name in asked if name != "real" or plan.real is not None]


def plain(value: Any) -> Any:
    """The same for JSON, which knows neither infinity nor NaN."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def main() -> None:
    options = arguments()
    plan = plan_of(options)
    options.out.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {"versions": {name: version(name) for name in PACKAGES}}
    sections = [
        "# Evaluation of ADR (section 10)\n\n"
        f"Made by `scripts/evaluate` with {replace(plan, real=None)}.\n"
    ]
    columns = (
        TextColumn("{task.description:<44}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        for name in chosen(options.only, plan):
            part = PARTS[name]
            task = progress.add_task(name, total=part.steps(plan))

            def tick(done: str, task: Any = task, name: str = name) -> None:
                progress.update(task, advance=1, description=f"{name}: {done}")

            started = time.monotonic()
            numbers, section = part.run(plan, options.out, tick)
            progress.update(task, description=name, completed=part.steps(plan))
            results[name] = numbers | {"seconds": round(time.monotonic() - started, 1)}
            sections.append(section)  # written after every part, so that a stopped run leaves much
            text = json.dumps(plain(results), indent=1)
            (options.out / "results.json").write_text(text + "\n", encoding="utf-8")
            (options.out / "report.md").write_text("\n".join(sections), encoding="utf-8")
    print(f"written: {options.out / 'report.md'}")


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
