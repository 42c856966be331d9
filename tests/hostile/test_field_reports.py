"""What has gone wrong with other rating plugins, bridges and libraries, and must not here.

Not tested, because it cannot occur:
- A webhook that turns a name into markup: there is none. Names reach a game as texts whose words
  nobody reads again, and a console letter by letter.
- A board on which a bot or a figure without a player stands: who is no player is no killer and no
  victim in any packet of a mod; whoever only joins or dies has no rating.
- Two accounts of one person who feed each other, told apart from two people: a mod knows no more
  than ids. Each kill of one victim is worth less than the one before, which is tested.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plugin_bridge.config import default_config_text

from ..daemon.mod import Mod, awaited
from ..daemon.running import Daemon, Home, run_cli, settings
from .raw import PING, upgraded
from .watching import LAUNCHER, in_a_hurry

COOLDOWN = "rating: {parameters: {n_min: 1, sigma_place: 400, t_cooldown: 60}}\n"
DAY = 86_400.0
RECORD = "SELECT kills, deaths, streak FROM players WHERE player = ?"
WORDING = """
messages:
  rank_placed: "{player} {rating}"
  rank_record: "streak {streak}"
  rank_no_fights: "no fights {player}"
  top_header: ""
  top_line: "{player} {rating}"
  unknown_player: "nobody {name}"
"""


def reasons(home: Home) -> list[str | None]:
    return [reason for (reason,) in home.rows("SELECT reason FROM outcomes ORDER BY position")]


# ---- who is credited


@awaited
async def test_an_own_arrow_is_nobodys_kill_and_costs_neither_rating_nor_streak(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob")
        await mod.kill("ann", "bob")
        before = daemon.home.rows("SELECT * FROM players ORDER BY player")
        await mod.kill("ann", "ann", cause="projectile")  # a mod that does not know better
        assert (await mod.take("error"))["code"] == "bad_packet"
        await mod.send(mod.spooled({"type": "death", "victim": {"id": "ann"}}))
        await mod.acked(4)
        assert daemon.home.rows("SELECT * FROM players ORDER BY player") == before


@awaited
async def test_leaving_a_fight_is_one_rated_kill_and_dying_again_on_return_is_no_second(
    home: Home,
) -> None:
    home.save(settings(rating=COOLDOWN))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("ann", "bob", cause="combat_log")
            await mod.quit("bob")
            await mod.join("bob")
            await mod.kill("ann", "bob")
    assert reasons(home) == [None, "cooldown"]
    assert home.rows(RECORD, "bob") == [(0, 1, 0)]


@awaited
async def test_a_burning_body_that_dies_until_it_respawns_dies_once(home: Home) -> None:
    home.save(settings(rating=COOLDOWN))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for number in range(20):
                mod.killed("ann", "bob", cause="fire", time=mod.now - 2 + number / 10)
                mod.spooled({"type": "death", "victim": {"id": "bob"}, "cause": "fire"})
            await mod.send(*mod.kept.values())
            await mod.acked(40)
    assert reasons(home) == [None] + 19 * ["cooldown"]
    assert home.rows(RECORD, "bob") == [(0, 1, 0)]
    assert home.rows("SELECT count(*) FROM events WHERE kind = 'death'") == [(20,)]


@awaited
async def test_a_death_without_a_message_is_a_death(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for message in (None, "", "   ", "\n", {"text": ""}):
            await mod.kill("ann", "bob", message=message, death_message=message)
            await mod.kill("ann", "bob", killer={"id": "ann", "name": message or None})
    stored = daemon.home.rows("SELECT kind FROM events WHERE lane > 1")
    assert stored.count(("kill",)) == 9
    assert stored.count(("rejected",)) == 1  # a name that is no text at all


@awaited
async def test_among_own_deaths_the_kills_of_others_are_counted_right(daemon: Daemon) -> None:
    chance, mod = random.Random(5), Mod()
    kills, deaths = dict.fromkeys("abcd", 0), dict.fromkeys("abcd", 0)
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for _ in range(300):
            killer, victim = chance.choice("abcd"), chance.choice("abcd")
            if chance.random() < 0.2:
                mod.spooled({"type": "death", "victim": {"id": victim}})
                continue
            mod.killed(killer, victim)
            if killer != victim:
                kills[killer] += 1
                deaths[victim] += 1
        await mod.send(*mod.kept.values())
        await mod.acked(300)
    records = daemon.home.rows("SELECT player, kills, deaths FROM players ORDER BY player")
    assert records == [(player, kills[player], deaths[player]) for player in "abcd"]
    assert daemon.home.rows("SELECT count(*) FROM events WHERE kind = 'rejected'") != [(0,)]


# ---- bots and farming


@awaited
async def test_who_only_joins_or_dies_has_no_rating_and_stands_on_no_board(home: Home) -> None:
    home.save(settings('messages: {top_empty: "nobody"}'))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("npc", name="[NPC] Trader")
            await mod.send(mod.spooled({"type": "death", "victim": {"id": "npc"}}))
            await mod.acked(1)
            assert await mod.ask("rank top") == ["nobody"]
    assert home.rows("SELECT * FROM players") == []


@awaited
async def test_dying_by_a_bot_or_a_monster_costs_nothing(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob")
        before = daemon.home.rows("SELECT * FROM players ORDER BY player")
        for cause in ("mob", "zombie", "bot", "attack", "other"):
            await mod.send(mod.spooled({"type": "death", "victim": {"id": "ann"}, "cause": cause}))
        await mod.acked(6)
        assert daemon.home.rows("SELECT * FROM players ORDER BY player") == before


@awaited
async def test_what_is_not_rated_is_not_rated_by_whatever_cause(home: Home) -> None:
    home.save(settings("filters: {worlds: {ignore: [lobby]}}"))
    causes = ["attack", "projectile", "explosion", "crystal", "anchor", "bed", "pet", "lightning"]
    causes += ["magic", "fall", "lava", "fire", "void", "drowning", "suffocation", "combat_log"]
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for cause in [*causes, "other", "my_own", "streak_bonus"]:
                await mod.kill("ann", "bob", cause=cause, world="lobby")
                await mod.kill("ann", "bob", cause=cause, world="Lobby")
            assert home.rows("SELECT * FROM players") == []
            await mod.kill("ann", "bob", world="arena")
    assert reasons(home) == 38 * ["world"] + [None]


@awaited
async def test_killing_two_victims_in_turn_does_not_beat_the_cooldown(home: Home) -> None:
    home.save(settings(rating=COOLDOWN))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for number in range(12):
                await mod.kill("ann", "xy"[number % 2], time=mod.now - 30 + number)
    assert reasons(home) == [None, None] + 10 * ["cooldown"]


# ---- numbers


@awaited
async def test_what_is_shown_follows_the_rating_all_the_way_down_and_up(home: Home) -> None:
    home.save(settings(WORDING))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("bob")
            await mod.take("label", player="bob")
            seen: list[int] = []
            for killer, victim in [("ann", "bob")] * 150 + [("bob", "ann")] * 50:
                await mod.kill(killer, victim)
                label = await mod.take("label", player="bob")
                mu = home.ratings()["bob"]
                assert label["rating"] == round(mu)
                assert (await mod.ask("rank", by="bob"))[0] == f"Bob {round(mu)}"
                mod.inbox.clear()
                seen.append(round(mu))
            assert min(seen) < 700
            assert len(set(seen)) > 100


@awaited
async def test_profile_board_label_and_database_say_the_same_after_each_kill(home: Home) -> None:
    home.save(settings(WORDING))
    mod, chance = Mod(), random.Random(2)
    players = [f"p{number}" for number in range(8)]
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for player in players:
                await mod.join(player)
            shown: dict[str, int] = {}
            for _ in range(40):
                await mod.kill(*chance.sample(players, 2))
                await mod.settled()
                shown |= {label["player"]: label["rating"] for label in mod.seen("label")}
                mod.inbox.clear()
                stored = {name: round(mu) for name, mu in home.ratings().items()}
                board = dict(line.split() for line in await mod.ask("rank top"))
                assert board == {name.capitalize(): str(mu) for name, mu in stored.items()}
                assert {name: shown[name] for name in stored} == stored
                for name, mu in stored.items():
                    assert (await mod.ask("rank", by=name))[0] == f"{name.capitalize()} {mu}"
            status = json.loads(run_cli(home.folder, "top", "--json").stdout)
            assert {row["player"]: round(row["rating"]) for row in status} == stored


@awaited
async def test_a_streak_is_not_lost_by_leaving(home: Home) -> None:
    home.save(settings(WORDING))
    mod = Mod()
    token = home.tokens["survival"]
    with home.serving() as daemon:
        async with mod.connected(daemon.url, token):
            await mod.join("ann")
            for _ in range(3):
                await mod.kill("ann", "bob")
            await mod.quit("ann")
            await mod.join("ann")
            assert (await mod.ask("rank"))[-1] == "streak 3"
        async with mod.connected(daemon.url, token):
            assert (await mod.ask("rank"))[-1] == "streak 3"
    with home.serving() as daemon:
        async with mod.connected(daemon.url, token):
            await mod.kill("ann", "bob")
            assert (await mod.ask("rank"))[-1] == "streak 4"


# ---- names


@awaited
async def test_names_that_differ_in_case_alone_are_two_players_and_ids_that_do_are_one(
    home: Home,
) -> None:
    home.save(settings(WORDING))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            small = {"id": "5C1BE1A4-0001", "name": "abcdef"}
            large = {"id": "93ee2f70-0002", "name": "Abcdef"}
            await mod.kill("x", "y", killer=small)
            await mod.kill("x", "y", killer=small | {"id": "5c1be1a4-0001"})
            await mod.kill("x", "y", killer=large)
            assert len(home.ratings()) == 3
            assert (await mod.ask("rank abcdef"))[-1] == "streak 2"
            assert (await mod.ask("rank Abcdef"))[-1] == "streak 1"


@awaited
async def test_a_new_name_shows_at_once_and_an_old_one_belongs_to_whoever_bears_it_now(
    home: Home,
) -> None:
    home.save(settings(WORDING))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("id-1", name="Steve")
            await mod.kill("a", "b", killer={"id": "id-1", "name": "Steve"})
            await mod.quit("id-1")
            await mod.join("id-1", name="Steve2")
            assert (await mod.ask("rank top"))[0].startswith("Steve2 ")
            assert await mod.ask("rank Steve") == ["nobody Steve"]
            await mod.join("id-2", name="Steve")
            assert await mod.ask("rank Steve") == ["no fights Steve"]
            assert (await mod.ask("rank Steve2"))[0].startswith("Steve2 ")


# ---- settings


BROKEN = {
    'tiers:\n- &b&lKey\n- "x"\n': (2, "in quotes"),
    "display:\n  unranked: &c[SpecMod\n": (2, "in quotes"),
    'messages:\n  promotion: "§cUp\n  demotion: "x"\n': (3, "quotes"),
    "messages:\n  promotion: §cUp: now\n": (2, "quotes"),
    "tiers:\n  - {name: A}\n  - {name: B}\n  - {name: A}\n": (4, "two tiers named `A`"),
    "tiers:\n  - {name: A}\n  - {label: B}\n": (3, "no `name`"),
    "tiers:\n  - {name: A, weight: -1}\n  - {name: B}\n": (2, "`weight`"),
    "tiers:\n  - {name: A, from: 100}\n  - {name: B}\n": (2, "no setting `from`"),
    "tiers:\n  - {name: A}\n": (2, "2 to 100 tiers"),
    "tiers: HT1\n": (1, "2 to 100 tiers"),
}


@pytest.mark.parametrize("text", BROKEN)
def test_one_bad_line_is_named_keeps_the_daemon_from_starting_and_is_left_as_it_is(
    home: Home, text: str
) -> None:
    path = home.folder / "config.yml"
    path.write_text(text, encoding="utf-8")
    line, words = BROKEN[text]
    result = run_cli(home.folder, "serve")
    assert result.returncode == 1
    assert f"config.yml:{line}:" in result.stderr
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert path.read_bytes() == text.encode()


@awaited
async def test_a_running_daemon_goes_on_with_what_it_had_and_touches_no_broken_file(
    home: Home,
) -> None:
    home.save(settings(WORDING))
    path = home.folder / "config.yml"
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for number, text in enumerate(list(BROKEN)[:4]):
                home.save(text)
                await mod.take("broadcast", permission="adrbridge.admin")
                assert daemon.log.count("config.yml is broken") == number + 1
                await mod.kill("ann", "bob")
                assert (await mod.ask("rank"))[0].startswith("Ann ")
                assert path.read_bytes() == text.encode()
                mod.inbox.clear()


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
        {"PYTHONUTF8": "0", "LC_ALL": "en_US.ISO-8859-1", "PYTHONIOENCODING": "latin-1"},
    ],
    ids=["C", "latin-1"],
)
def test_files_are_utf_8_whatever_the_machine_thinks(
    home: Home, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert run_cli(home.folder, "init", "--config", "fresh.yml").returncode == 0
    assert (home.folder / "fresh.yml").read_bytes() == default_config_text().encode()
    home.save(settings('language: zh_cn\nmessages: {rank_no_fights: "é ü ß 中文 {player}"}'))

    async def ask(daemon: Daemon) -> None:
        mod = Mod()
        mod.online = {"ann": {"id": "ann", "name": "Änne"}}
        async with mod.connected(daemon.url, home.tokens["survival"]):
            assert await mod.ask("rank Änne") == ["é ü ß 中文 Änne"]
            (unknown,) = await mod.ask("rank nobody")
            assert re.search("[\u4e00-\u9fff]", unknown)

    with home.serving() as daemon:
        asyncio.run(ask(daemon))


# ---- the link and what lasts


@awaited
async def test_a_quiet_link_is_kept_awake_so_that_no_proxy_cuts_it(home: Home) -> None:
    with home.serving(*in_a_hurry(HEARTBEAT_SECONDS=0.3)) as daemon:
        async with upgraded(daemon.url, home.tokens["survival"]) as raw:
            await raw.say(Mod().hello())
            await raw.take("top")
            heard = time.monotonic()
            opcode, _ = await raw.hear()
            assert opcode == PING
            assert time.monotonic() - heard < 3


@pytest.fixture
def dated(home: Home) -> Iterator[Path]:
    """The file that says how far ahead the daemon's day is."""
    clock = home.folder / "clock"
    clock.write_text("0", encoding="utf-8")
    yield clock


@awaited
async def test_no_board_is_wiped_by_midnight_a_new_month_or_a_new_year(
    home: Home, dated: Path
) -> None:
    home.save(settings(WORDING))
    mod = Mod()
    boards: list[Any] = []
    midnight = -time.time() % DAY
    for ahead in (0.0, midnight - 1.0, 32 * DAY, 400 * DAY):
        dated.write_text(str(ahead), encoding="utf-8")
        mod.clock = ahead
        with home.serving(LAUNCHER, "clock", "--") as daemon:
            async with mod.connected(daemon.url, home.tokens["survival"]):
                if not boards:
                    for _ in range(3):
                        await mod.kill("ann", "bob")
                        await mod.kill("cid", "dan")
                elif ahead == midnight - 1.0:
                    await asyncio.sleep(1.5)  # across midnight while it runs
                boards.append(await mod.ask("rank top"))
                boards.append(home.rows("SELECT player, mu FROM players ORDER BY player"))
    assert len(boards[0]) == 4
    assert boards[0::2] == [boards[0]] * 4
    assert boards[1::2] == [boards[1]] * 4
