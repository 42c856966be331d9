"""What game servers are told of a kill: labels for whom it concerns, and the news."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from .mod import Mod, Packet, awaited, words
from .running import Daemon, Home, settings


def news(mod: Mod) -> list[str]:
    """All that was announced so far, in public or in private."""
    said = [*mod.seen("broadcast"), *mod.seen("message")]
    return [words(packet["text"]) for packet in said]


def labels(mod: Mod) -> dict[str, Packet]:
    """The latest label of each player."""
    return {packet["player"]: packet for packet in mod.seen("label")}


@awaited
async def test_a_label_goes_to_every_server_where_the_player_is_and_to_no_other(
    home: Home,
) -> None:
    home.save(settings())
    await asyncio.to_thread(home.add, "duels", "lobby")
    with home.serving() as daemon:
        mods = {server: Mod(f"spool-{server}") for server in ("survival", "duels", "lobby")}
        async with AsyncExitStack() as stack:
            for server, mod in mods.items():
                await stack.enter_async_context(mod.connected(daemon.url, home.tokens[server]))
            survival, duels, lobby = mods.values()
            await survival.join("ann")
            await survival.join("bob")
            await duels.join("ann")
            await lobby.join("cid")
            for mod in mods.values():
                await mod.settled()
                mod.inbox.clear()
            await survival.kill("ann", "bob")
            for mod in mods.values():
                await mod.settled()
            assert set(labels(survival)) == {"ann", "bob"}
            assert set(labels(duels)) == {"ann"}
            assert labels(lobby) == {}
            assert labels(survival)["ann"] == labels(duels)["ann"]
            assert labels(survival)["ann"] == {
                "type": "label",
                "player": "ann",
                "prefix": {
                    "text": "",
                    "extra": [{"text": "[High]", "color": "gold"}, {"text": " "}],
                },
                "tier": "High",
                "index": 1,
                "rating": 1018,
                "rank": 1,
            }
            assert (labels(survival)["bob"]["tier"], labels(survival)["bob"]["rank"]) == ("Low", 2)
            assert len(survival.seen("label")) == 2


@awaited
async def test_whoever_joins_later_gets_the_label_then_and_whoever_left_gets_none(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.join("bob")
        await mod.quit("bob")
        await mod.settled()
        mod.inbox.clear()
        await mod.kill("ann", "bob")
        await mod.settled()
        assert labels(mod) == {}
        await mod.join("ann")
        assert (await mod.take("label"))["tier"] == "High"
        await mod.join("new")
        assert (await mod.take("label"))["tier"] is None
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.settled()
        assert {player: label["tier"] for player, label in labels(mod).items()} == {
            "ann": "High",
            "new": None,
        }


@awaited
async def test_a_move_between_tiers_is_announced_once_and_as_the_admin_wants_it(
    home: Home,
) -> None:
    home.save(settings("announcements: {placement: 'off', promotion: broadcast}"))
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("ann")
            await mod.join("bob")
            await mod.kill("ann", "bob")
            await mod.settled()
            assert news(mod) == []
            await mod.kill("bob", "ann")
            await mod.settled()
            assert len(news(mod)) == 1
            assert "Bob is now [Middle], up from [Low]" in news(mod)[0]
            assert mod.seen("broadcast")
            mod.inbox.clear()
            await mod.kill("bob", "ann")
            await mod.settled()
            (private,) = mod.seen("message")
            assert (private["player"], private["where"]) == ("ann", "chat")
            assert "Ann drops to [Middle], down from [High]" in words(private["text"])
            (public,) = mod.seen("broadcast")
            assert "Bob is now [High]" in words(public["text"])


@awaited
async def test_news_reach_the_server_of_the_kill_and_those_where_the_player_is(
    home: Home,
) -> None:
    await asyncio.to_thread(home.add, "duels", "lobby")
    with home.serving() as daemon:
        mods = {server: Mod(f"spool-{server}") for server in ("survival", "duels", "lobby")}
        async with AsyncExitStack() as stack:
            for server, mod in mods.items():
                await stack.enter_async_context(mod.connected(daemon.url, home.tokens[server]))
            await mods["survival"].join("ann")
            await mods["duels"].join("ann")
            await mods["duels"].settled()
            await mods["survival"].kill("ann", "bob")
            heard = {}
            for server, mod in mods.items():
                await mod.settled()
                heard[server] = [line.split()[1] for line in news(mod)]
            assert heard == {"survival": ["Ann", "Bob"], "duels": ["Ann"], "lobby": []}


@awaited
async def test_old_news_shows_in_the_labels_but_is_not_announced(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.join("ann")
        await mod.kill("ann", "bob", time=mod.now - 700)
        assert (await mod.take("label", tier="High"))["rating"] == 1018
        await mod.settled()
        assert news(mod) == []
        await mod.kill("cid", "dan", time=mod.now - 500)
        await mod.settled()
        assert len(news(mod)) == 2


@awaited
async def test_a_silenced_line_is_not_announced(home: Home) -> None:
    home.save(settings('messages: {placement: ""}'))
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("ann", "bob")
            await mod.settled()
            assert news(mod) == []


@awaited
async def test_a_name_is_shown_letter_by_letter(daemon: Daemon) -> None:
    mod = Mod()
    names = ("&c&lAdmin", "<red>x", "{tier}", "Abc | 😺 тест スカ", ".Two Words", "A_word_")
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for number, name in enumerate(names):
            await mod.kill("ann", "bob", killer={"id": f"k{number}", "name": name})
        await mod.settled()
        said = news(mod)
    for name in names:
        assert any(f"{name} is placed in [High]" in line for line in said), said
