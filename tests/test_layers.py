"""Imports point one way: the order of the modules, held against what they really import."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = ("adr_core", "plugin_bridge")

RANKS: tuple[tuple[str, ...], ...] = (
    ("adr_core",),
    ("errors", "files", "heap", "logs", "ping", "spreadsheets", "text"),
    ("protocol", "config", "gamelog", "study"),
    ("session", "store", "gate", "roster", "inbox", "outbox", "links"),
    (
        "draft",
        "contests",
        "arena",
        "intake",
        "present",
        "numbering",
        "ledger",
        "herald",
        "arrivals",
        "answers",
        "pipeline",
        "engine",
        "monitor",
        "status",
        "alone",
        "report",
        "commands",
        "upkeep",
        "importing",
        "diagnosis",
        "foresight",
        "history",
        "host",
        "watch",
        "periodic",
        "reporter",
    ),
    ("server", "follow"),
    ("daemon",),
    ("serving",),
    ("cli",),
    ("__main__",),
)
"""Parts of the program from the ground up. A part may import what stands in earlier rows."""

OPEN_RANKS = {3, 4}
"""Rows whose parts may also import each other, without going round in circles."""

ONLY_IN = {
    "websockets": ("server", "follow.client"),  # the two ends of the link
    "aiosqlite": ("store.database",),
    "yaml": ("config",),
    "mcstatus": ("ping",),
    "rich": ("cli",),
    "trueskill": ("study.packages",),
    "openskill": ("study.packages",),
}
"""Third parties that these parts alone may know."""

EVERYWHERE = {"msgspec"}
NEVER_IN_THE_CORE = {"asyncio", "io", "os", "pathlib", "random", "socket", "sqlite3", "time"}
RANK = {part: rank for rank, row in enumerate(RANKS) for part in row}


def modules() -> dict[str, Path]:
    """Every module of ours, with its dotted name."""
    found = {}
    for package in OURS:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "node_modules" not in path.parts:
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                found[name.removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imported(name: str) -> Iterator[str]:
    """Dotted names that a module imports anywhere in it, ours as far down as they are modules."""
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                assert level == 0 and module, f"{name}: imports are written in full"
                for alias in names:
                    below = f"{module}.{alias.name}"
                    yield below if below in MODULES else module


def part(name: str) -> str:
    """`plugin_bridge.store.log` belongs to the part `store`; the core is one part."""
    root, *rest = name.split(".")
    return rest[0] if root == "plugin_bridge" and rest else root


def ours(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] in OURS


def test_every_part_has_a_rank_and_every_rank_has_its_parts() -> None:
    found = {part(name) for name in MODULES} - {"plugin_bridge"}
    assert found == set(RANK)


def test_the_package_itself_imports_nothing_so_that_anything_may_ask_for_its_version() -> None:
    assert list(imported("plugin_bridge")) == []


@pytest.mark.parametrize("name", [name for name in MODULES if name != "plugin_bridge"])
def test_a_module_imports_only_what_stands_below_it(name: str) -> None:
    here = part(name)
    for other in filter(ours, imported(name)):
        there = part(other)
        if there in (here, "plugin_bridge"):
            continue
        below = RANK[there] < RANK[here]
        beside = RANK[there] == RANK[here] and RANK[here] in OPEN_RANKS
        assert below or beside, f"{name} imports {other}"
        if there == "adr_core":
            assert RANK[here] >= RANK["config"] and here != "protocol", f"{name} imports {other}"


def test_no_module_imports_itself_through_others() -> None:
    graph = {name: {other for other in imported(name) if ours(other)} - {name} for name in MODULES}
    TopologicalSorter(graph).prepare()


def test_the_core_needs_nothing_but_the_pure_part_of_the_standard_library() -> None:
    for name in (name for name in MODULES if part(name) == "adr_core"):
        for other in imported(name):
            root = other.split(".")[0]
            assert root == "adr_core" or root in sys.stdlib_module_names, f"{name}: {other}"
            assert root not in NEVER_IN_THE_CORE, f"{name}: {other}"


def test_each_third_party_is_known_only_where_it_is_at_home() -> None:
    seen = set()
    for name in MODULES:
        for other in imported(name):
            root = other.split(".")[0]
            if ours(other) or root in sys.stdlib_module_names or root in EVERYWHERE:
                continue
            homes = [f"plugin_bridge.{home}" for home in ONLY_IN[root]]
            at_home = any(name == home or name.startswith(f"{home}.") for home in homes)
            assert at_home, f"{name} imports {other}"
            seen.add(root)
    assert seen == set(ONLY_IN)
