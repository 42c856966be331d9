"""Several ladders beside each other, and kills that are not rated at all."""

from __future__ import annotations

import asyncio

import pytest

from .mod import Mod, awaited
from .running import Home, settings

LADDERS = """
ladders:
  duels: {servers: [duels]}
  arena: {servers: [survival], worlds: [Arena], rating: {preset: consistent}}
filters:
  worlds: {ignore: [creative]}
messages:
  rank_placed: "placed {player} {tier} {rating} #{rank}/{players}"
  rank_next: ""
  rank_best: ""
  rank_record: "record {kills} {deaths}"
  rank_no_fights: "no fights {player}"
  rank_other_ladder: "on {ladder} {tier} {rating} #{rank}"
  top_header: "top {ladder}"
  top_line: "{player} {rating}"
  top_empty: "top is empty"
"""


@pytest.fixture
def home(home: Home) -> Home:
    home.save(settings(LADDERS))
    home.add("duels")
    return home


@awaited
async def test_a_kill_is_rated_on_the_ladder_of_its_place_and_on_no_other(home: Home) -> None:
    with home.serving() as daemon:
        survival, duels = Mod("spool-survival"), Mod("spool-duels")
        async with (
            survival.connected(daemon.url, home.tokens["survival"]),
            duels.connected(daemon.url, home.tokens["duels"]),
        ):
            await survival.kill("ann", "bob", world="world")
            await survival.kill("bob", "ann", world="arena")
            await duels.kill("cid", "ann", world="arena")
            await survival.kill("ann", "dan", world="Creative")
            await survival.kill("ann", "bob")
    assert set(home.ratings("main")) == {"ann", "bob"}
    assert set(home.ratings("arena")) == {"ann", "bob"}
    assert set(home.ratings("duels")) == {"ann", "cid"}
    assert home.ratings("main")["ann"] > 1000 > home.ratings("arena")["ann"]
    rows = home.rows(
        "SELECT ladder, world, reason FROM events JOIN outcomes USING (position) ORDER BY position"
    )
    assert rows == [
        ("main", "world", None),
        ("arena", "arena", None),
        ("duels", "arena", None),
        (None, "Creative", "world"),
        ("main", None, None),
    ]


@awaited
async def test_where_only_some_worlds_are_rated_a_kill_in_no_known_world_is_not(
    home: Home,
) -> None:
    home.save(settings("filters: {worlds: {only: [arena, pit], ignore: [pit]}}"))
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for number, world in enumerate(("ARENA", "pit", "world", None)):
                await mod.kill(f"p{number}", "ann", world=world)
    assert set(home.ratings()) == {"p0", "ann"}
    reasons = [reason for (reason,) in home.rows("SELECT reason FROM outcomes ORDER BY position")]
    assert reasons == [None, "world", "world", "world"]


@awaited
async def test_ladders_never_touch_each_other(home: Home) -> None:
    """The cool-down of a pair, the crowd, the ranks: each ladder is as if it were alone."""
    rules = "rating: {parameters: {n_min: 1, sigma_place: 400, t_cooldown: 1h}}"
    home.save(settings(LADDERS, rating=rules))
    with home.serving() as daemon:
        survival, duels = Mod("spool-survival"), Mod("spool-duels")
        async with (
            survival.connected(daemon.url, home.tokens["survival"]),
            duels.connected(daemon.url, home.tokens["duels"]),
        ):
            for number in range(10):
                await survival.kill("ann", f"p{number}")
            before = home.ratings("main")
            await duels.kill("ann", "p0")
            await duels.kill("p1", "ann")
            assert home.ratings("main") == before
            assert home.ratings("duels")["ann"] < home.ratings("main")["ann"]
            assert home.rows("SELECT DISTINCT reason FROM outcomes") == [(None,)]


@awaited
async def test_rank_speaks_of_the_ladder_that_is_played_and_names_the_others(home: Home) -> None:
    with home.serving() as daemon:
        survival, duels = Mod("spool-survival"), Mod("spool-duels")
        async with (
            survival.connected(daemon.url, home.tokens["survival"]),
            duels.connected(daemon.url, home.tokens["duels"]),
        ):
            await survival.kill("ann", "bob", world="world")
            await survival.kill("bob", "ann", world="arena")
            await duels.kill("ann", "cid")
            on_main = "[High] 1018 #1"
            assert await survival.ask("rank", world="world") == [
                f"placed Ann {on_main}/2",
                "record 1 0",
                "on arena [Low] 986 #2",
                f"on duels {on_main}",
            ]
            assert (await survival.ask("rank", world="ARENA"))[:2] == [
                "placed Ann [Low] 986 #2/2",
                "record 0 1",
            ]
            assert await duels.ask("rank bob") == [
                "no fights Bob",
                "on arena [High] 1018 #1",
                "on main [Low] 986 #2",
            ]
            assert await survival.ask("rank top", world="arena") == [
                "top arena",
                "Bob 1018",
                "Ann 986",
            ]
            assert await duels.ask("rank top", by=None) == ["top duels", "Ann 1018", "Cid 986"]


@awaited
async def test_the_label_changes_with_the_world_and_a_command_need_not_repeat_it(
    home: Home,
) -> None:
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("ann", world="world")
            await mod.kill("ann", "bob", world="world")
            await mod.kill("bob", "ann", world="arena")
            await mod.settled()
            mod.inbox.clear()
            await mod.send({"type": "world", "player": "ann", "world": "arena"})
            assert (await mod.take("label"))["tier"] == "Low"
            assert (await mod.ask("rank"))[0].startswith("placed Ann [Low]")
            await mod.kill("ann", "bob", world="world")
            await mod.settled()
            assert mod.seen("label") == []  # not the ladder she is on
            await mod.send({"type": "world", "player": "ann", "world": "world"})
            assert (await mod.take("label"))["tier"] == "High"
            assert (await mod.ask("rank"))[0].startswith("placed Ann [High]")
            await mod.send({"type": "world", "player": "nobody", "world": "arena"})
            await mod.settled()
            assert mod.seen("label") == []


@awaited
async def test_a_ladder_that_config_drops_is_kept_and_comes_back_as_it_was(home: Home) -> None:
    with home.serving() as daemon:
        mod = Mod("spool-duels")
        async with mod.connected(daemon.url, home.tokens["duels"]):
            for number in range(6):
                await mod.kill(f"p{number}", "ann")
            kept = home.ratings("duels")
            two_tiers = "tiers: [{name: Top}, {name: Rest}]"
            without = LADDERS.replace("duels: {servers: [duels]}", "")
            await asyncio.to_thread(daemon.apply, settings(without, tiers=two_tiers))
            assert await mod.ask("rank") == ["no fights Ann"]
            await mod.kill("ann", "p1")
            assert set(home.ratings("main")) == {"ann", "p1"}
            await asyncio.to_thread(daemon.apply, settings(LADDERS, tiers=two_tiers))
            (placed, *_) = await mod.ask("rank p0")
            assert placed == "placed P0 Top 1018 #1/7"
            assert home.ratings("duels") == kept
    await home.replays()


@awaited
async def test_news_of_a_ladder_are_for_where_it_is_played(home: Home) -> None:
    with home.serving() as daemon:
        survival, duels = Mod("spool-survival"), Mod("spool-duels")
        async with (
            survival.connected(daemon.url, home.tokens["survival"]),
            duels.connected(daemon.url, home.tokens["duels"]),
        ):
            await duels.join("ann")
            await survival.kill("ann", "bob")
            await survival.take("broadcast")
            await duels.kill("cid", "ann")
            await duels.take("broadcast")
            assert duels.seen("label", player="ann", rank=1) == []
        assert not any("Bob" in str(packet) for packet in duels.inbox)
