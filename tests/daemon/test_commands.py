"""`/rank` and `/rankadmin`, asked of the running daemon."""

from __future__ import annotations

import asyncio

import pytest

from .mod import PLAYER, Mod, awaited
from .running import HASTY, Daemon, Home, eventually, settings

WORDING = """
messages:
  rank_placed: "placed {player} {tier} {rating} ±{uncertainty} #{rank}/{players}"
  rank_unplaced: "unplaced {player} {fights}/{needed}"
  rank_unsettled: "unsettled {player}"
  rank_next: "next {tier} {points}"
  rank_rising: "rising {tier} {percent}"
  rank_falling: "falling {tier} {percent}"
  rank_best: "best"
  rank_record: "record {kills} {deaths} {streak} {best_streak}"
  rank_no_fights: "no fights {player}"
  unknown_player: "unknown {name}"
  ambiguous_player: "ambiguous {name}: {names}"
  top_header: "top {ladder} {page}/{pages}"
  top_line: "#{rank} {tier} {player} {rating}"
  top_empty: "top is empty"
  top_no_page: "no page {page} of {pages}"
  unknown_word: "unknown word {word}"
  no_permission: "no"
  status_header: "status {version} {uptime}"
  status_server_mod_only: "mod only {server}"
  status_server_down: "down {server}"
  status_server_unwatched: "unwatched {server}"
  status_server_missing: "missing {server}"
  status_events: "events {events} players {players}"
  status_bounds: "bounds {ladder} {percent}: {cure}"
"""
HELP = "/rank your rating, tier and record"
ADMIN = (*PLAYER, "adrbridge.admin")


@pytest.fixture
def home(home: Home) -> Home:
    home.save(settings(WORDING))
    return home


@awaited
async def test_rank_tells_all_that_is_known_of_ones_own_rating(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        assert await mod.ask("rank") == ["no fights Ann"]
        await mod.kill("ann", "bob")
        assert await mod.ask("rank") == [
            "placed Ann [High] 1018 ±96 #1/2",
            "best",
            "record 1 0 1 1",
        ]
        placed, next_tier, record = await mod.ask("rank", by="bob")
        assert placed.startswith("placed Bob [Low] 986 ±")
        assert next_tier == "next [Middle] 10"
        assert record == "record 0 1 0 0"
        await mod.kill("ann", "bob")
        await mod.kill("bob", "ann")
        assert (await mod.ask("rank"))[-1] == "record 2 1 0 2"


@awaited
async def test_before_placement_rank_says_what_is_still_needed(home: Home) -> None:
    rules = "rating: {parameters: {n_min: 2, sigma_place: 20, t_cooldown: 0}}"
    home.save(settings(WORDING, rating=rules))
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("ann", "bob")
            assert await mod.ask("rank") == ["unplaced Ann 1/2", "record 1 0 1 1"]
            await mod.kill("ann", "bob")
            assert (await mod.ask("rank"))[0] == "unsettled Ann"
            assert await mod.ask("rank top") == [
                "top main 1/1",
                "#1 unranked Ann 1032",
                "#2 unranked Bob 975",
            ]


@awaited
async def test_progress_towards_another_tier_is_told_in_percent(home: Home) -> None:
    rules = (
        "rating: {parameters: {n_min: 1, sigma_place: 400, spread: 10, h_req: 40, t_cooldown: 0}}"
    )
    home.save(settings(WORDING, rating=rules))
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("ann", "bob")
            for _ in range(2):
                await mod.kill("bob", "ann")
            assert (await mod.ask("rank", by="bob"))[1] == "rising [Middle] 52"
            assert (await mod.ask("rank", by="ann"))[1] == "falling [Middle] 17"


@awaited
async def test_rank_of_somebody_else_finds_who_is_meant(daemon: Daemon) -> None:
    mod = Mod()
    names = ("Bob", ".Steve", "Two Words", "Abc | 😺 тест スカ", "Top Gun", "abcdef", "Abcdef")
    mod.online = {
        f"id-{number}": {"id": f"id-{number}", "name": name} for number, name in enumerate(names)
    }
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for typed, answer in (
            ("Bob", "no fights Bob"),
            ("bOB", "no fights Bob"),
            (".Steve", "no fights .Steve"),
            ("steve", "no fights .Steve"),
            ("Two Words", "no fights Two Words"),
            ('"Two Words"', "no fights Two Words"),
            ("'two words'", "no fights Two Words"),
            ("Two_Words", "no fights Two Words"),
            ("two  words ", "no fights Two Words"),
            ("abc | 😺 ТЕСТ スカ", "no fights Abc | 😺 тест スカ"),
            ('"Top Gun"', "no fights Top Gun"),
            ("abcdef", "no fights abcdef"),
            ("ABCDEF", "ambiguous ABCDEF: abcdef, Abcdef"),
            ("nobody", "unknown nobody"),
            ("&cnobody", "unknown &cnobody"),
            ('""', "unknown "),
        ):
            assert await mod.ask(f"rank {typed}") == [answer]
            assert await mod.ask(f"rank {typed}", by=None, may=()) == [answer]


@awaited
async def test_the_board_goes_page_by_page_and_agrees_with_everything_else(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        assert await mod.ask("rank top") == ["top is empty"]
        assert await mod.ask("rank top 2") == ["top is empty"]
        for number in range(23):
            await mod.join(f"p{number}")
            await mod.kill(f"p{number}", f"p{(number + 1) % 23}")
        pages = [await mod.ask(f"rank top {page}") for page in (1, 2, 3)]
        assert [page[0] for page in pages] == ["top main 1/3", "top main 2/3", "top main 3/3"]
        assert [len(page) - 1 for page in pages] == [10, 10, 3]
        assert await mod.ask("rank top") == pages[0]
        assert await mod.ask("rank TOP 1") == pages[0]
        assert await mod.ask("rank top 4") == ["no page 4 of 3"]
        assert await mod.ask("rank top 0") == ["no page 0 of 3"]
        assert (await mod.ask("rank top 99999999999999999999"))[0].startswith("no page 9999")
        board = [line for page in pages for line in page[1:]]
        ratings = [int(line.split()[-1]) for line in board]
        assert ratings == sorted(ratings, reverse=True)
        latest = {label["player"]: label for label in mod.seen("label")}
        for line in board:
            rank, tier, player, rating = line.split()
            (placed, *_) = await mod.ask(f"rank {player}")
            assert placed.startswith(f"placed {player} {tier} {rating} ")
            assert placed.endswith(f" {rank}/23")
            label = latest[player.lower()]
            assert (f"[{label['tier']}]", str(label["rating"])) == (tier, rating)


@awaited
async def test_unknown_words_get_help_and_never_silence(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        help_lines = await mod.ask("rank help")
        assert help_lines[0] == HELP
        assert len(help_lines) == 5
        assert await mod.ask("rank HELP me") == help_lines
        (usage,) = [line for line in help_lines if line.startswith("/rank top")]
        wrong = "{} is no page: write a number from 1 on."
        assert await mod.ask("rank top ten") == [wrong.format("ten"), usage]
        assert await mod.ask("rank top 1 2") == [wrong.format("1 2"), usage]
        assert await mod.ask("tier") == ["unknown word tier", *help_lines]
        assert await mod.ask("rank help", may=("adrbridge.rank",)) == help_lines[:2]
        admin = await mod.ask("rankadmin", may=ADMIN)
        assert [line.split()[1] for line in admin] == ["status", "reload", "exclude", "include"]
        assert await mod.ask("rankadmin help", may=ADMIN) == admin
        assert await mod.ask("rankadmin dance", may=ADMIN) == ["unknown word dance", *admin]
        assert await mod.ask("rankadmin status now", may=ADMIN) == ["unknown word now", *admin]
        assert await mod.ask("rank help", may=ADMIN) == [*help_lines, *admin]


@awaited
async def test_the_daemon_itself_refuses_what_a_player_may_not(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob")
        for line, needed in (
            ("rank", "adrbridge.rank"),
            ("rank help", "adrbridge.rank"),
            ("rank bob", "adrbridge.rank.others"),
            ("rank top", "adrbridge.top"),
            ("rankadmin", "adrbridge.admin"),
            ("rankadmin status", "adrbridge.admin"),
            ("rankadmin reload", "adrbridge.admin"),
            ("rankadmin dance", "adrbridge.admin"),
        ):
            others = tuple({*ADMIN} - {needed})
            assert await mod.ask(line, may=others) == ["no"], line
            assert await mod.ask(line, may=(needed,)) != ["no"], line
            assert await mod.ask(line, by=None, may=()) != ["no"], line


@awaited
async def test_the_console_has_no_rank_of_its_own(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        (line,) = await mod.ask("rank", by=None)
        assert "Name a player" in line
        await mod.kill("ann", "bob")
        assert (await mod.ask("rank ann", by=None))[0].startswith("placed Ann")


@awaited
async def test_a_player_whose_name_nobody_knows_goes_by_the_id(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob", killer={"id": "ann"}, victim={"id": "bob", "name": None})
        board = await mod.ask("rank top")
        assert [line.split()[2] for line in board[1:]] == ["ann", "bob"]


@awaited
async def test_status_says_what_is_connected_and_stored(home: Home) -> None:
    away = "127.0.0.1:1"  # nobody answers there
    servers = f"servers: [{{name: lobby}}, {{name: duels, address: '{away}'}}]"
    home.save(settings(WORDING).replace("servers: []", servers))
    await asyncio.to_thread(home.add, "duels", "spare")
    with home.serving(*HASTY) as daemon:
        eventually(
            lambda: home.rows("SELECT 1 FROM health WHERE detail LIKE '%\"up\": false%'"),
            "the servers have been asked",
        )
        mod, other = Mod(), Mod("spool-duels")
        async with (
            mod.connected(daemon.url, home.tokens["survival"]),
            other.connected(daemon.url, home.tokens["duels"]),
        ):
            await mod.kill("ann", "bob")
            header, *lines = await mod.ask("rankadmin status", may=ADMIN)
            assert header.startswith("status 0.")
            assert lines == [
                "mod only duels",
                "missing lobby",
                "missing spare",
                "unwatched survival",
                "events 2 players 2",
            ]


@awaited
async def test_status_warns_admins_of_ratings_that_pile_up_at_a_bound(home: Home) -> None:
    narrow = "rating: {parameters: {n_active: 1, mu_min: 999, mu_max: 1001}}"
    home.save(settings(WORDING, rating=narrow))
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            assert not [line for line in await mod.ask("rankadmin status") if "bounds" in line]
            await mod.kill("ann", "bob")
            lines = await mod.ask("rankadmin status", may=ADMIN)
    assert lines[-1] == "bounds main 100: preset: calibrated"
