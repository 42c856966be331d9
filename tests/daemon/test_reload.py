"""Saving config.yml while the daemon runs."""

from __future__ import annotations

import asyncio
import json
import time

from .mod import PLAYER, Mod, awaited, words
from .running import HASTY, TIERS, Daemon, Home, eventually, settings

ADMIN = (*PLAYER, "adrbridge.admin")
SOON = 2.0


async def joined(mod: Mod, *players: str) -> None:
    for player in players:
        await mod.join(player)


def shown(mod: Mod) -> dict[str, tuple[str | None, str]]:
    """Tier and prefix of every player, as they were last sent."""
    return {
        label["player"]: (label["tier"], words(label["prefix"]) if label["prefix"] else "")
        for label in mod.seen("label")
    }


@awaited
async def test_other_texts_are_shown_within_two_seconds_and_nobody_loses_the_connection(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await joined(mod, "ann", "bob", "cid")
        await mod.kill("ann", "bob")
        await mod.settled()
        assert shown(mod) == {
            "ann": ("High", "[High] "),
            "bob": ("Low", "[Low] "),
            "cid": (None, ""),
        }
        before = daemon.home.ratings()
        mod.inbox.clear()
        saved = time.monotonic()
        daemon.home.save(
            settings(
                'messages: {rank_best: "the very best"}',
                'display: {prefix: "<{label}> ", unranked: "-", tab_list: no}',
                "filters: {combat_window: 20s, combat_log: ignore}",
                tiers=TIERS.replace("High", "Lord").replace("[Low]", "Peasant"),
            )
        )
        told = await mod.take("settings")
        await mod.take("label", player="cid")
        assert time.monotonic() - saved < SOON
        assert told == {
            "type": "settings",
            "combat_window": 20.0,
            "combat_log": "ignore",
            "tab_list": False,
            "name_tag": True,
        }
        await mod.settled()
        assert shown(mod) == {"ann": ("Lord", "<[Lord]> "), "bob": ("Low", "<Peasant> ")}
        assert "the very best" in await mod.ask("rank")
        assert mod.seen("broadcast") == mod.seen("message") == []
        assert daemon.home.ratings() == before
        assert daemon.home.rows("SELECT count(*) FROM events WHERE kind = 'parameters'") == [(1,)]
        await mod.kill("ann", "bob")


@awaited
async def test_a_broken_file_changes_nothing_and_says_so_in_the_log_and_to_admins(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await joined(mod, "ann")
        await mod.kill("ann", "bob")
        await mod.settled()
        mod.inbox.clear()
        broken = settings().replace("weight", "wieght").replace('"&6[High]"', "&6[High]")
        saved = time.monotonic()
        daemon.home.save(broken)
        notice = await mod.take("broadcast", permission="adrbridge.admin")
        assert time.monotonic() - saved < SOON
        assert "config.yml has 1 problem" in words(notice["text"])
        assert "config.yml:7:25: " in words((await mod.take("broadcast"))["text"])
        assert "ERROR   config.yml is broken" in daemon.logged("config.yml is broken")
        assert (daemon.home.folder / "config.yml").read_text(encoding="utf-8") == broken
        assert mod.seen("settings") == mod.seen("label") == []
        await mod.kill("ann", "bob")
        assert (await mod.take("label"))["tier"] == "High"
        await asyncio.to_thread(daemon.apply, settings(tiers=TIERS.replace("High", "Best")))
        assert (await mod.take("label", tier="Best"))["player"] == "ann"


@awaited
async def test_a_file_that_is_just_being_written_or_gone_changes_nothing(daemon: Daemon) -> None:
    mod = Mod()
    config = daemon.home.folder / "config.yml"
    text = config.read_text(encoding="utf-8")
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob")
        for change in (lambda: config.write_bytes(b""), config.unlink):
            change()
            await asyncio.sleep(0.9)
            assert "Lord" not in (await mod.ask("rank"))[0]
        config.write_text(text.replace("High", "Lord"), encoding="utf-8")
        await asyncio.to_thread(daemon.logged, "config.yml was read again")
        assert "Lord" in (await mod.ask("rank"))[0]
    assert "ERROR" not in daemon.log
    assert daemon.log.count("config.yml was read again") == 1


@awaited
async def test_other_tiers_leave_every_rating_and_spam_nobody(daemon: Daemon) -> None:
    mod = Mod()
    players = [f"p{number}" for number in range(12)]
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await joined(mod, *players)
        for number in range(60):
            await mod.kill(players[number % 5], players[5 + number % 7])
        await mod.settled()
        before = daemon.home.ratings()
        for names, weights in (
            ("ABCDEFGH", (1,) * 8),  # more
            ("AB", (1, 1)),  # fewer
            ("XYZ", (5, 1, 1)),  # others
            ("XYZ", (1, 1, 5)),  # reweighted
        ):
            mod.inbox.clear()
            tiers = "\n".join(
                f"  - {{name: {name}, weight: {weight}}}"
                for name, weight in zip(names, weights, strict=True)
            )
            await asyncio.to_thread(daemon.apply, settings(tiers=f"tiers:\n{tiers}"))
            await mod.settled()
            assert daemon.home.ratings() == before
            labels = {label["player"]: label for label in mod.seen("label")}
            assert set(labels) == set(players)
            stored = dict(daemon.home.rows("SELECT player, tier FROM players"))
            assert {p: label["index"] for p, label in labels.items()} == stored
            assert all(label["tier"] == names[label["index"] - 1] for label in labels.values())
            best_first = sorted(players, key=lambda player: -before[player])
            order = [labels[player]["index"] for player in best_first]
            assert order == sorted(order)
            assert mod.seen("broadcast") == mod.seen("message") == []
        await mod.kill("p0", "p5")
    kinds = daemon.home.rows("SELECT count(*) FROM events WHERE kind = 'parameters'")
    assert kinds == [(5,)]


@awaited
async def test_an_admin_can_have_the_file_read_at_once(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob")
        assert await mod.ask("rankadmin reload", may=ADMIN) == ["config.yml is loaded."]
        daemon.home.save(settings(tiers=TIERS.replace("High", "Lord")))
        assert await mod.ask("rankadmin reload", by=None) == ["config.yml is loaded."]
        assert "Lord" in (await mod.ask("rank"))[0]
        daemon.home.save("tiers: []\nlanguage: klingon\n")
        headline, *problems = await mod.ask("rankadmin reload", may=ADMIN)
        assert headline.startswith("config.yml has 2 problem(s). The settings before stay in force")
        assert len(problems) == 2
        assert "`language` must be one of: en, zh_cn" in problems[1]
        assert "Lord" in (await mod.ask("rank"))[0]
        daemon.home.save(settings())
        assert await mod.ask("rankadmin reload", may=ADMIN) == ["config.yml is loaded."]
        assert "High" in (await mod.ask("rank"))[0]


@awaited
async def test_reloading_again_and_again_while_the_file_is_saved_stops_nobody(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for number in range(30):
            name = f"Tier{number}"
            daemon.home.save(settings(tiers=TIERS.replace("High", name)))
            await mod.send(mod.killed("ann", "bob"))
            assert await mod.ask("rankadmin reload", may=ADMIN) == ["config.yml is loaded."]
            assert f"[{name}]" in (await mod.ask("rank"))[0]
        await mod.acked(30)


@awaited
async def test_what_needs_a_restart_is_said_to_need_one(daemon: Daemon) -> None:
    await asyncio.to_thread(
        daemon.apply, settings().replace("{port: 0}", "{port: 1}").replace("adr.", "other.")
    )
    daemon.logged("changes of `listen` and `storage` need a restart")
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob")
    assert set(daemon.home.ratings()) == {"ann", "bob"}


def test_until_a_restart_the_old_address_is_in_force_and_only_another_one_is_warned_of(
    home: Home,
) -> None:
    moved = settings().replace("port: 0", "host: localhost, port: 1")
    home.save(settings())
    with home.serving(*HASTY) as daemon:
        daemon.apply(moved)
        assert daemon.log.count("need a restart") == 1

        def reported() -> float:
            return home.rows("SELECT max(seen) FROM health")[0][0] or 0.0

        before = reported()
        eventually(lambda: reported() > before, "another report")
        ((detail,),) = home.rows("SELECT detail FROM health WHERE subject = ''")
        assert f"ws://{json.loads(detail)['address']}/" == daemon.url
        daemon.apply(settings())
        assert daemon.log.count("need a restart") == 1
