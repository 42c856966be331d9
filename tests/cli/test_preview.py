"""`adr-bridge preview` against what saving the same tiers really does."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from ..daemon.running import Home, settings
from .calling import call

NAMES = [f"Player{number:02}" for number in range(30)]
ONE_MORE = """
tiers:
  - {name: Top, label: "Top", weight: 1}
  - {name: High, label: "High", weight: 2}
  - {name: Middle, label: "Middle", weight: 3}
  - {name: Low, label: "Low", weight: 4}
"""
OTHER_WEIGHTS = """
tiers:
  - {name: High, label: "High", weight: 1}
  - {name: Middle, label: "Middle", weight: 1}
  - {name: Low, label: "Low", weight: 8}
"""
RENAMED = """
tiers:
  - {name: A, label: "A"}
  - {name: B, label: "B"}
  - {name: C, label: "C"}
"""
RATING = "rating: {parameters: {n_min: 3, sigma_place: 400, spread: 60, p_min: 5, n_active: 3}}\n"


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Thirty players who have fought, most of them enough to be active."""
    home = Home(tmp_path_factory.mktemp("crowd"))
    home.save(settings(rating=RATING))
    chance = random.Random(3)
    rows = ["time,killer,victim"]
    for number in range(300):
        killer, victim = sorted(chance.sample(range(30), 2))
        rows.append(f"{1.7e9 + 61 * number},{NAMES[killer]},{NAMES[victim]}")
    (home.folder / "kills.csv").write_text("\n".join(rows), encoding="utf-8")
    done = call(home.folder, "import", "kills.csv", "--server", "survival", "--yes")
    assert done.returncode == 0, done.stderr
    return home


def tiers(home: Home) -> dict[str, int]:
    return dict(home.rows("SELECT player, tier FROM players WHERE tier IS NOT NULL"))


@pytest.mark.parametrize("edited", [ONE_MORE, OTHER_WEIGHTS])
def test_a_preview_is_what_saving_does(crowd: Home, tmp_path: Path, edited: str) -> None:
    home = Home(tmp_path)
    home.database.write_bytes(crowd.database.read_bytes())
    home.save(settings(rating=RATING))
    (tmp_path / "edited.yml").write_text(settings(tiers=edited, rating=RATING), encoding="utf-8")
    before = tiers(home)
    done = call(home.folder, "preview", "edited.yml", "--json")
    assert done.returncode == 0, done.stderr
    (told,) = json.loads(done.stdout)
    assert tiers(home) == before
    home.save(settings("calibration: {interval: 30d}", tiers=edited, rating=RATING))
    with home.serving():
        pass
    after = tiers(home)
    held = Counter(after.values())
    assert told["active"] == 30
    assert told["waiting"] == 0
    assert told["then"] == [held[tier] for tier in range(1, len(told["tiers"]) + 1)]
    names = told["tiers"]
    assert told["moves"]
    for move in told["moves"]:
        assert names[after[move["player"]] - 1] == move["after"]
        assert ("High", "Middle", "Low")[before[move["player"]] - 1] == move["before"]


def test_a_preview_for_people_names_who_would_move(crowd: Home) -> None:
    edited = crowd.folder / "edited.yml"
    edited.write_text(settings(tiers=OTHER_WEIGHTS, rating=RATING), encoding="utf-8")
    said = call(crowd.folder, "preview", "edited.yml").stdout
    assert "tier\tshare\tplayers now\tplayers then" in said
    assert "active players on main would change their tier." in said
    assert "    Player" in said
    assert " -> Low" in said


def test_new_names_for_the_same_tiers_move_nobody(crowd: Home) -> None:
    edited = crowd.folder / "edited.yml"
    edited.write_text(settings(tiers=RENAMED, rating=RATING), encoding="utf-8")
    said = call(crowd.folder, "preview", "edited.yml").stdout
    assert "A\t33.3 %" in said
    assert "0 of" in said


def test_check_config_tells_it_too_and_a_mistake_is_named(crowd: Home) -> None:
    said = call(crowd.folder, "check-config")
    assert "0 of" in said.stdout
    assert said.stdout.endswith("all is well\n")
    (crowd.folder / "edited.yml").write_text("tiers: 3\n", encoding="utf-8")
    wrong = call(crowd.folder, "preview", "edited.yml")
    assert wrong.returncode == 1
    assert "edited.yml:1:" in wrong.stderr
