"""Nothing has become much slower: ratios, never times, against those that were kept.

A ratio compares things that took turns, so it holds on a slow and on a busy machine. After a change
for the better (or one that is worth its cost): `pytest tests/bench --keep` writes the new ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from benchmark.small import core_ratios, durable_ratio

pytestmark = pytest.mark.alone
KEPT = Path(__file__).with_name("kept.json")
LEAST = 0.5
"""A ratio may fall to this share of the kept one: the weather does less, a mistake does more."""


def held(seen: dict[str, float], measured: Callable[[str], None], keep: bool) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    if keep:
        kept |= {name: round(ratio, 3) for name, ratio in seen.items()}
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for name, ratio in seen.items():
        measured(f"speed: {name} {ratio:.3g} (kept: {kept[name]:.3g})")
    assert {name: ratio for name, ratio in seen.items() if ratio < LEAST * kept[name]} == {}


def test_a_kill_costs_no_more_beside_others_than_it_did(
    compiled: ModuleType,
    tmp_path: Path,
    measured: Callable[[str], None],
    request: pytest.FixtureRequest,
) -> None:
    held(core_ratios(compiled, tmp_path), measured, request.config.getoption("--keep"))


def test_the_daemon_stores_as_many_kills_beside_bare_sqlite_as_it_did(
    tmp_path: Path, measured: Callable[[str], None], request: pytest.FixtureRequest
) -> None:
    held(durable_ratio(tmp_path), measured, request.config.getoption("--keep"))
