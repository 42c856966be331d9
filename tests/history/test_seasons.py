"""Seasons: their ends, their boards, and what everybody starts into the next one with."""

from __future__ import annotations

import asyncio
import csv
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from adr_core import Ladder, LadderState
from plugin_bridge.arena import Arena
from plugin_bridge.draft import Draft
from plugin_bridge.history.seasons import restarted

from ..cli.calling import call
from ..daemon.mod import PLAYER, Mod, awaited
from ..daemon.running import Home
from ..store.history import LIVELY, exact, history, opened
from ..store.replay import tables
from .amending import LATER, SURE, done, fed, play_on, timed


def loaded(folder: Path) -> Ladder:
    """The ladder as a daemon would load it."""

    async def scenario() -> Ladder:
        async with opened(folder / "adr.sqlite3") as store:
            arena = Arena()
            arena.load(await store.load())
            return arena.ladders["main"]

    return asyncio.run(scenario())


def board(folder: Path, season: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = shown(folder, "top", "--season", season, "--json")
    return found


def shown(folder: Path, *words: str) -> Any:
    """What a command that only reads prints, from JSON."""
    result = call(folder, *words)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def counts(kills: Iterable[tuple[str, str, float]], player: str) -> tuple[int, int]:
    killers, victims, _ = zip(*kills, strict=True)
    return killers.count(player), victims.count(player)


def test_after_a_hard_reset_the_ladder_is_a_new_one_and_the_old_board_is_kept(
    folder: Path,
) -> None:
    before, ladder = tables(folder / "adr.sqlite3"), fed(timed(), Ladder(LIVELY))
    said = done(folder, "season", "end", "One", "--hard", *SURE)
    assert "4 players would have another rating" in said
    assert "Rated kills: 30 now, 30 then." in said
    assert not loaded(folder).players
    assert shown(folder, "top", "--json") == []
    described = call(folder, "player", "ann").stdout
    assert "rank        -" in described
    assert "{} kills, {} deaths, 0 rated".format(*counts(timed(), "ann")) in described
    kept = board(folder, "one")
    assert [(row["player"], row["rating"], row["uncertainty"], row["tier"]) for row in kept] == [
        (player, state.mu, state.sigma, state.tier) for player, state in ladder.top(9)
    ]
    assert [row["place"] for row in kept] == [ladder.rank(player) for player, _ in ladder.top(9)]
    for row in kept:
        assert (row["kills"], row["deaths"]) == counts(timed(), row["player"])
    play_on(folder, LATER)
    fresh = fed(LATER, Ladder(LIVELY))
    assert exact(loaded(folder)) == exact(fresh)
    assert board(folder, "One") == kept
    number = shown(folder, "season", "list", "--json")[0]["season"]
    (row,) = shown(folder, "history", "--json")
    assert (row["number"], row["reason"]) == (str(number), "asked for")
    assert row["what"] == "end the season One on main; all begin anew"
    done(folder, "undo", str(number), *SURE)
    assert exact(loaded(folder)) == exact(fed([*timed(), *LATER], Ladder(LIVELY)))
    assert shown(folder, "season", "list", "--json") == []
    assert tables(folder / "adr.sqlite3")["season_places"] == []
    assert before["season_places"] == []


def test_a_soft_reset_moves_ratings_and_borders_together_and_opens_the_uncertainty(
    folder: Path,
) -> None:
    old = fed(timed(), Ladder(LIVELY)).dump()
    assert old.boundaries is not None
    done(folder, "season", "end", "One", "--keep", "0.25", *SURE)
    found = loaded(folder).dump()
    assert found.boundaries == tuple(1000.0 + 0.25 * (b - 1000.0) for b in old.boundaries)
    assert found.pairs == old.pairs
    states = dict(found.players)
    for player, state in old.players:
        assert states[player] == replace(
            state,
            mu=1000.0 + 0.25 * (state.mu - 1000.0),
            sigma=max(state.sigma, 390.0),
            streak=0,
            trend=0.0,
            pool=0.0,
            promotion=0.0,
            demotion=0.0,
        )
    play_on(folder, LATER)
    assert exact(loaded(folder)) == exact(fed(LATER, Ladder.load(LIVELY, found)))
    with closing(sqlite3.connect(folder / "adr.sqlite3")) as connection, connection:
        connection.execute("UPDATE season_places SET kills = kills + 1 WHERE player = 'ann'")
    damaged = call(folder, "replay", "--verify")
    assert damaged.returncode == 1
    assert "season place" in damaged.stdout


def test_each_season_counts_its_own_fights_and_a_cheater_leaves_the_old_boards_too(
    folder: Path,
) -> None:
    done(folder, "season", "end", "One", *SURE)
    play_on(folder, LATER)
    done(folder, "season", "end", "Two", "--hard", *SURE)
    play_on(folder, [(a, b, t + 9_000) for a, b, t in LATER])
    for row in board(folder, "Two"):
        assert (row["kills"], row["deaths"]) == counts(LATER, row["player"])
    records = {row[1]: row[15:17] for row in tables(folder / "adr.sqlite3")["players"]}
    assert records["ann"] == counts([*timed(), *LATER, *LATER], "ann")
    done(folder, "exclude", "--player", "ann", "--reason", "aimbot", "--yes")
    honest = fed((kill for kill in timed() if "ann" not in kill), Ladder(LIVELY))
    first = board(folder, "One")
    assert [(row["player"], row["rating"]) for row in first] == [
        (player, state.mu) for player, state in honest.top(9)
    ]
    assert "ann" not in {row["player"] for row in first}


def test_an_exported_past_with_seasons_is_imported_as_it_was(folder: Path) -> None:
    done(folder, "season", "end", "One", *SURE)
    play_on(folder, LATER)
    done(folder, "season", "end", "Two", "--hard", *SURE)
    play_on(folder, [(a, b, t + 9_000) for a, b, t in LATER])
    for table in ("events", "names", "seasons"):
        assert call(folder, "export", table, f"{table}.csv").returncode == 0
    again = folder / "again"
    again.mkdir()
    (again / "config.yml").write_text("storage: {database: adr.sqlite3}\n", encoding="utf-8")
    done(again, "import", "../events.csv", "../names.csv", "--yes")
    assert tables(again / "adr.sqlite3") == tables(folder / "adr.sqlite3")
    rows = list(csv.DictReader((folder / "seasons.csv").read_text("utf-8").splitlines()))
    assert [row["season"] for row in rows] == ["One"] * 4 + ["Two"] * 5
    wanted = board(folder, "One")[0]
    assert {key: rows[0][key] for key in ("ladder", "rank", "player", "name", "tier_name")} == {
        "ladder": "main",
        "rank": "1",
        "player": wanted["player"],
        "name": wanted["name"],
        "tier_name": wanted["tier_name"],
    }
    assert float(rows[0]["rating"]) == wanted["rating"]
    assert (int(rows[0]["kills"]), int(rows[0]["deaths"])) == (wanted["kills"], wanted["deaths"])


def test_nobody_changes_tier_in_a_soft_reset_and_nothing_is_left_of_a_hard_one() -> None:
    for seed in range(6):
        arena = Arena()
        for batch in history(seed, batches=60):
            draft = Draft()
            for entry in batch:
                arena.apply(entry, draft)
        for ladder in arena.ladders.values():
            for kept in (1e-9, 0.3, 0.5, 1.0):
                soft = restarted(ladder, kept)
                borders = list(zip(ladder.boundaries, soft.boundaries, strict=True))
                for player, before in ladder.dump().players:
                    after = soft.player(player)
                    assert after.tier == before.tier
                    for old, new in borders:
                        assert after.mu >= new if before.mu >= old else after.mu <= new
            assert restarted(ladder, 0.0).dump() == LadderState(
                boundaries=Ladder(ladder.parameters).boundaries, clock=ladder.clock
            )


def test_a_season_is_not_ended_twice_nor_without_fights_nor_under_a_strange_name(
    folder: Path,
) -> None:
    done(folder, "season", "end", "One", "--hard", *SURE)
    before = tables(folder / "adr.sqlite3")
    for words, said in (
        (["One"], "a season One on main already"),
        (["ONE"], "a season One on main already"),
        (["Two", "--ladder", "duels"], "no ladder 'duels' (known: main)"),
        (["Two", "--hard", "--keep", "0.5"], "--keep is for --soft"),
        ([" two"], "visible characters"),
        (["Two"], "nobody has fought on the ladder main this season"),
    ):
        result = call(folder, "season", "end", *words, *SURE)
        assert (result.returncode, said in result.stderr) == (1, True), result.stderr
    assert tables(folder / "adr.sqlite3") == before
    listed = call(folder, "season", "list", "--ladder", "duels")
    assert "no ladder 'duels' (known: main)" in listed.stderr
    wrong = call(folder, "top", "--season", "zero")
    assert "no season 'zero' on main (known: One)" in wrong.stderr
    assert "no rated fights" in call(folder, "set", "ann", "--rating", "1", *SURE).stderr


@awaited
async def test_a_season_ends_under_a_running_daemon_and_its_board_is_read_in_the_game(
    home: Home,
) -> None:
    mod = Mod()
    top = (*PLAYER, "adrbridge.top")
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("ann")
            (none,) = await mod.ask("rank top --season Spring", may=top)
            assert "No season has ended" in none
            await mod.kill("ann", "bob")
            await mod.kill("ann", "cat")
            old = home.ratings()
            mod.inbox.clear()
            words = ("season", "end", "Spring 26", "--hard", *SURE)
            ended = await asyncio.to_thread(call, home.folder, *words)
            assert ended.returncode == 0, ended.stderr
            label = await mod.take("label", player="ann")
            assert label.get("rating") != round(old["ann"])
            (empty,) = await mod.ask("rank top", may=top)
            assert "Nobody" in empty
            await mod.kill("bob", "ann")
            lines = await mod.ask("rank top --season spring 26", may=top)
            assert lines[0].startswith("Season Spring 26")
            assert lines[1].split()[0] == "#1"
            assert "Ann" in lines[1]
            assert str(round(old["ann"])) in lines[1]
            assert len(lines) == 4
            (far,) = await mod.ask('rank top 2 --season "SPRING 26"', may=top)
            assert "no page 2" in far
            (other,) = await mod.ask("rank top --season autumn", may=top)
            assert "Spring 26" in other
            assert len(await mod.ask("rank top --season", may=top)) > 1
    await home.replays()
