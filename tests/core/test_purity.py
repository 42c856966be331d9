"""The core stands alone: no file, no clock, no chance, no other package."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import adr_core

ALLOWED = {
    "__future__",
    "adr_core",
    "array",
    "collections",
    "dataclasses",
    "difflib",
    "fractions",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "statistics",
    "typing",
}
MODULES = sorted(Path(adr_core.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_nothing_that_reads_the_world(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        assert not (isinstance(node, ast.Name) and node.id in ("open", "print", "input", "hash"))
    assert {name.split(".")[0] for name in names} <= ALLOWED


def test_all_that_is_public_is_there_and_explained() -> None:
    assert len(MODULES) > 10
    for name in adr_core.__all__:
        assert getattr(adr_core, name).__doc__
