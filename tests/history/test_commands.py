"""`/rankadmin exclude` and `include`, typed in the game."""

from __future__ import annotations

import asyncio

from ..cli.calling import call
from ..daemon.mod import PLAYER, Mod, awaited
from ..daemon.running import Home, eventually

ADMIN = (*PLAYER, "adrbridge.admin")


@awaited
async def test_a_cheater_is_taken_out_and_put_back_from_within_the_game(home: Home) -> None:
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("bob")
            await mod.kill("eve", "bob")
            await mod.kill("bob", "cat")
            before = home.ratings()
            assert "not allowed" in (await mod.ask("rankadmin exclude eve aimbot"))[0]
            (asked,) = await mod.ask("rankadmin exclude eve fly hack", may=ADMIN)
            assert "1 kills and 0 deaths of Eve would no longer count" in asked
            command = asked.partition("To do it: /")[2]
            assert command == "rankadmin exclude eve confirm fly hack"
            assert home.ratings() == before
            mod.inbox.clear()
            (told,) = await mod.ask(command, may=ADMIN)
            assert "being taken out" in told
            label = await mod.take("label", player="bob")
            assert set(home.ratings()) == {"bob", "cat"}
            assert label["rating"] == round(home.ratings()["bob"]) > before["bob"]
            assert home.rows("SELECT reason FROM outcomes ORDER BY position") == [
                ("excluded",),
                (None,),
            ]
            detail = home.rows("SELECT detail FROM events WHERE kind = 'exclude'")[0][0]
            assert '"reason":"fly hack","by":"ann"' in detail
            (told,) = await mod.ask("rankadmin include EVE it was a friend", by=None, may=())
            assert "being put back" in told
            await asyncio.to_thread(eventually, lambda: home.ratings() == before, "all is back")
            (told,) = await mod.ask("rankadmin include eve again", may=ADMIN)
            assert told == "Nothing of Eve is taken out."
            assert "Nobody called zed" in (await mod.ask("rankadmin exclude zed x", may=ADMIN))[0]
            await mod.join("ann")
            nothing = await mod.ask("rankadmin exclude ann aimbot", may=ADMIN)
            assert nothing == ["No fights of Ann count, so there is nothing to take out."]
            await mod.ask("rankadmin exclude eve confirm fly hack", may=ADMIN)
            await asyncio.to_thread(eventually, lambda: "eve" not in home.ratings(), "it is out")
            number = home.rows("SELECT max(position) FROM events WHERE kind = 'exclude'")[0][0]
            (told,) = await mod.ask(f"rankadmin include {number} it was a friend", may=ADMIN)
            assert f"exclusion {number} took out is being put back" in told
            await asyncio.to_thread(eventually, lambda: home.ratings() == before, "all is back")
    await home.replays()


@awaited
async def test_what_an_answer_lacks_is_named_with_the_usage(home: Home) -> None:
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("eve", "bob")
            for words, said, usage in (
                ("rankadmin exclude", "Say whom you mean.", "/rankadmin exclude <player>"),
                ("rankadmin exclude eve", "Say why:", "/rankadmin exclude <player>"),
                ("rankadmin exclude eve confirm", "Say why:", "/rankadmin exclude <player>"),
                ("rankadmin include", "Say whom you mean.", "/rankadmin include <player or"),
                ("rankadmin include eve", "Say why:", "/rankadmin include <player or"),
                ("rank top --season", "Say which season", "/rank top [page]"),
                ("rank top 2 --season", "Say which season", "/rank top [page]"),
                ("rank top -1 --season Live", "-1 is no page", "/rank top [page]"),
                ("rank top 1 2", "1 2 is no page", "/rank top [page]"),
            ):
                lines = await mod.ask(words, may=(*ADMIN, "adrbridge.top"))
                assert lines[0].startswith(said), lines
                assert lines[1].startswith(usage), lines
    assert home.rows("SELECT count(*) FROM orders") == [(0,)]


@awaited
async def test_who_plays_on_under_a_merged_id_has_the_label_and_rank_of_the_other(
    home: Home,
) -> None:
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("old")
            await mod.kill("new", "bob")
            await mod.kill("new", "cat")
            mod.inbox.clear()
            words = ("merge", "old", "new", "--reason", "renamed", "--yes")
            merged = await asyncio.to_thread(call, home.folder, *words)
            assert merged.returncode == 0, merged.stderr
            label = await mod.take("label", player="old")
            assert label["rating"] == round(home.ratings()["new"]) > 1000
            mod.inbox.clear()
            await mod.kill("old", "bob")
            higher = await mod.take("label", player="old")
            assert higher["rating"] == round(home.ratings()["new"]) > label["rating"]
            assert "old" not in home.ratings()
            own = await mod.ask("rank", by="old")
            assert any("Kills 3, deaths 0" in line for line in own), own
            (asked,) = await mod.ask("rankadmin exclude old aimbot", may=ADMIN)
            assert "3 kills and 0 deaths of Old" in asked
            await mod.ask("rankadmin exclude old confirm aimbot", may=ADMIN)
            await asyncio.to_thread(eventually, lambda: not home.ratings(), "both ids are out")
    await home.replays()
