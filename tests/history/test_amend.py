"""Two ids made one, ratings set and reset, names erased: from the command line, and back again."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from argparse import Namespace
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from adr_core import Ladder, PlayerState
from plugin_bridge.arena import Arena
from plugin_bridge.cli import amending
from plugin_bridge.store.rows import LogEntry

from ..cli.calling import call
from ..store.history import LIVELY, opened, record
from ..store.replay import tables
from .amending import FIGHTS, SURE, done, fed, timed


def ratings(folder: Path) -> dict[str, tuple[float, int | None, int]]:
    with closing(sqlite3.connect(folder / "adr.sqlite3")) as connection:
        rows = connection.execute("SELECT player, mu, tier, kills FROM players").fetchall()
    return {row[0]: row[1:] for row in rows}


def test_two_ids_are_one_player_until_that_is_undone(folder: Path) -> None:
    before = tables(folder / "adr.sqlite3")
    done(folder, "merge", "oldie", "newt", *SURE)
    one = [tuple("new" if x == "old" else x for x in kill) for kill in timed()]
    expected = fed((kill for kill in one if kill[0] != kill[1]), Ladder(LIVELY))  # type: ignore[misc,arg-type]
    found = ratings(folder)
    assert {player: row[:2] for player, row in found.items()} == {
        player: (expected.player(player).mu, expected.player(player).tier)
        for player in ("new", "ann", "bob")
    }
    reasons = [row[1] for row in tables(folder / "adr.sqlite3")["outcomes"]]
    assert reasons.count("merged") == 6
    (row,) = json.loads(done(folder, "history", "--json"))
    assert row["what"] == "merge Oldie into Newt"
    done(folder, "undo", row["number"], *SURE)
    assert tables(folder / "adr.sqlite3") == before
    assert "the same id already" in call(folder, "merge", "ann", "ANN", *SURE).stderr


@pytest.mark.parametrize("rating", [1200.0, None])
def test_a_player_gets_another_rating_until_that_is_undone(
    folder: Path, rating: float | None
) -> None:
    before, path = tables(folder / "adr.sqlite3"), folder / "adr.sqlite3"
    if rating is None:
        done(folder, "reset", "ann", *SURE)
    else:
        done(folder, "set", "ann", "--rating", str(rating), *SURE)
    ladder = fed(timed(), Ladder(LIVELY))
    state = ladder.player("ann")
    assert state.tier is not None
    found = ratings(folder)
    if rating is None:
        assert found["ann"][:2] == (LIVELY.mu_0, None)
        expected = PlayerState.initial(LIVELY)
    else:
        assert found["ann"][:2] == (1200.0, 1)
        expected = replace(state, mu=1200.0, tier=1, promotion=0.0, demotion=0.0)
    assert {p: row for p, row in found.items() if p != "ann"} == {
        row[1]: (row[2], row[10], row[15]) for row in before["players"] if row[1] != "ann"
    }
    dumped = ladder.dump()
    players = tuple((p, expected if p == "ann" else s) for p, s in dumped.players)
    by_hand = Ladder.load(LIVELY, replace(dumped, players=players))
    by_hand.kill("ann", "bob", 9_999.0)

    async def later() -> None:
        async with opened(path) as store:
            (amendment,) = await store.history.amendments()
            live = Arena()
            live.load(await store.load())
            kill = LogEntry(
                position=amendment.position + 1,
                lane=2,
                seq=len(FIGHTS) + 1,
                kind="kill",
                time=9_999.0,
                received=9_999.0,
                ladder="main",
                killer="ann",
                victim="bob",
            )
            await record(store, live, [[kill]])

    asyncio.run(later())
    assert ratings(folder)["ann"][0] == by_hand.player("ann").mu
    assert call(folder, "replay", "--verify").returncode == 0
    number = json.loads(done(folder, "history", "--json"))[0]["number"]
    done(folder, "undo", number, *SURE)
    straight = fed([*timed(), ("ann", "bob", 9_999.0)], Ladder(LIVELY))
    assert {p: row[0] for p, row in ratings(folder).items()} == {
        p: straight.player(p).mu for p in straight.players
    }
    assert "nothing in force" in call(folder, "undo", number, *SURE).stderr


def test_a_forgotten_name_is_gone_and_the_ratings_stay(folder: Path) -> None:
    before = tables(folder / "adr.sqlite3")
    assert "under the id alone" in done(folder, "forget", "oldie", *SURE)
    assert tables(folder / "adr.sqlite3") == before
    assert b"Oldie" not in (folder / "adr.sqlite3").read_bytes()
    assert "nobody called" in call(folder, "player", "Oldie").stderr
    assert call(folder, "top").stdout.count("old") == 1


def test_nothing_is_done_to_somebody_who_is_not_there(folder: Path) -> None:
    for words in (["reset", "zed"], ["set", "zed", "--rating", "1"], ["forget", "zed"]):
        assert "nobody called 'zed'" in call(folder, *words, *SURE).stderr
    assert (
        "there is no ladder 'duels' (known: main)"
        in call(folder, "reset", "ann", "--ladder", "duels", *SURE).stderr
    )


@pytest.mark.parametrize(
    ("rating", "said"),
    [("nan", "must be a number"), ("4000.5", "from 0 to 4000 on"), ("-1", "from 0 to 4000 on")],
)
def test_a_rating_beyond_the_bounds_is_refused(folder: Path, rating: str, said: str) -> None:
    refused = call(folder, "set", "ann", f"--rating={rating}", *SURE)
    assert (refused.returncode, said in refused.stderr) == (1, True)
    assert json.loads(done(folder, "history", "--json")) == []


def test_it_is_said_why_somebody_has_no_rating_to_be_set(folder: Path) -> None:
    assert "1 player would have another rating" in done(folder, "reset", "ann", *SURE)
    words = ("set", "ann", "--rating", "1200", *SURE)
    assert "on the ladder main since the reset\n" in call(folder, *words).stderr
    done(folder, "season", "end", "One", "--hard", *SURE)
    assert "on the ladder main this season\n" in call(folder, *words).stderr


def test_the_rating_of_a_merged_player_can_be_set_by_any_name(folder: Path) -> None:
    done(folder, "merge", "oldie", "newt", *SURE)
    done(folder, "set", "oldie", "--rating", "1234", *SURE)
    assert ratings(folder)["new"][0] == 1234.0


def test_an_id_is_merged_only_once(folder: Path) -> None:
    done(folder, "merge", "oldie", "newt", *SURE)
    for words in (["oldie", "ann"], ["ann", "oldie"], ["oldie", "newt"], ["newt", "oldie"]):
        refused = call(folder, "merge", *words, *SURE)
        assert refused.returncode == 1
        assert "Oldie is merged into Newt already" in refused.stderr
    (row,) = json.loads(done(folder, "history", "--json"))
    assert f"adr-bridge undo {row['number']}\n" in refused.stderr
    done(folder, "merge", "newt", "ann", *SURE)
    assert set(ratings(folder)) == {"ann", "bob"}


@pytest.mark.parametrize("reason", ["", "  ", "a" * 501])
def test_a_reason_is_neither_empty_nor_longer_than_500_characters(
    folder: Path, reason: str
) -> None:
    with pytest.raises(SystemExit) as end:
        call(folder, "reset", "ann", "--reason", reason, "--yes")
    assert end.value.code == 2


def test_a_reason_of_500_characters_is_kept_whole(folder: Path) -> None:
    done(folder, "reset", "ann", "--reason", "a" * 500, "--yes")
    assert json.loads(done(folder, "history", "--json"))[0]["reason"] == "a" * 500


@pytest.mark.parametrize(
    ("typed", "agreed"), [("y\nyes\n", True), ("y\nn\n", False), ("\n", False), ("y\n\n", False)]
)
def test_it_is_asked_twice_and_both_times_no_is_what_silence_means(
    monkeypatch: pytest.MonkeyPatch, typed: str, agreed: bool
) -> None:
    keyboard = StringIO(typed)
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", keyboard)
    assert amending.agreed(Namespace(yes=False)) is agreed
