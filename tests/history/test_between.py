"""What moves a rating between two fights is told among them, with the reason."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ..cli.calling import call
from ..daemon.mod import Mod, awaited
from ..daemon.running import Home
from .amending import LATER, SURE, done, play_on, timed


def told(folder: Path, name: str, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(call(folder, "explain", name, "--json", *words).stdout)
    return found


@pytest.fixture
def lively(folder: Path) -> Path:
    """A past with everything in it that moves a rating."""
    steps = (
        ("set", "ann", "--rating", "1300", "--reason", "lost in the move", "--yes"),
        ("season", "end", "One", "--reason", "as announced", "--yes"),
        ("reset", "ann", "--reason", "a sold account", "--yes"),
        ("season", "end", "Two", "--hard", "--reason", "all anew", "--yes"),
        ("set", "bob", "--rating", "1400", "--reason", "not about Ann", "--yes"),
    )
    for number, words in enumerate(steps):
        done(folder, *words)
        play_on(folder, [(a, b, t + 9_000 * number) for a, b, t in LATER] + [("bob", "old", 1e6)])
    return folder


def test_the_rating_never_jumps_without_a_word(lively: Path) -> None:
    rows = told(lively, "ann", "--last", "1000")
    others = [row for row in rows if row["fight"] not in ("kill", "death")]
    assert [(row["fight"], row["note"]) for row in others] == [
        ("set", "Ann gets the rating 1300 on main: lost in the move"),
        (
            "season end",
            "end the season One on main; ratings keep 50 % of their distance: as announced",
        ),
        ("reset", "Ann begins anew on main: a sold account"),
        ("season end", "end the season Two on main; all begin anew: all anew"),
    ]
    assert [row["rating"] for row in others if row["fight"] != "season end"] == ["1300", "1000"]
    ratings = [row for row in rows if row["rating"] != "-"]
    assert len(ratings) > 40
    for before, after in pairwise(ratings):
        expected = float(before["rating"]) + float(after["change"])
        assert float(after["rating"]) == pytest.approx(expected, abs=1.1), after


def test_only_what_came_behind_the_oldest_fight_shown_is_told(lively: Path) -> None:
    rows = told(lively, "ann", "--last", "3")
    assert [row["fight"] for row in rows] == ["kill", "death", "kill"]


def test_a_merge_is_told_where_it_was_made_until_it_is_undone(folder: Path) -> None:
    before = told(folder, "newt", "--last", "1000")
    done(folder, "merge", "oldie", "newt", *SURE)
    rows = told(folder, "oldie", "--last", "1000")
    assert rows[-1]["note"] == "merge Oldie into Newt: asked for"
    rated = [row["rating"] for row in rows if row["rating"] != "-"]
    assert (rows[-1]["change"], rated[-1]) == ("+0.0", rated[-2])
    assert len(rows) == sum({"old", "new"} & {a, b} != set() for a, b, _ in timed()) + 1
    number = json.loads(done(folder, "history", "--json"))[0]["number"]
    done(folder, "undo", number, *SURE)
    assert told(folder, "newt", "--last", "1000") == before


@awaited
async def test_players_are_told_as_well(home: Home) -> None:
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("ann", "bob")
            for words in (
                ("set", "ann", "--rating", "1300", "--reason", "lost in the move", "--yes"),
                ("season", "end", "One", "--reason", "as announced", "--yes"),
                ("reset", "ann", "--reason", "sold", "--yes"),
                ("merge", "bob", "ann", "--reason", "one and the same", "--yes"),
            ):
                run = await asyncio.to_thread(call, home.folder, *words)
                assert run.returncode == 0, run.stderr
                if words[0] == "reset":
                    await mod.kill("ann", "cat")
            lines = await mod.ask("rank why")
    assert lines[1] == "→ the fights as Bob were added: one and the same"
    assert "killed Cat" in lines[2]
    assert lines[3:6] == [
        "→ the rating began anew: sold",
        "→ the season One ended: as announced",
        "→ 1300 the rating was set: lost in the move",
    ]
    assert len(lines) == 7
