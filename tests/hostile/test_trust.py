"""What a token is good for, and what it is not.

A token makes a game server part of the network. The daemon believes it about that server alone:
who is there and called what, who killed whom, who typed what and may do what. So whoever holds the
token can say all of that, and can ask for what an admin may ask for in the game: the status, and
that config.yml be read again. Nothing that a mod can say is run, and nothing reaches the players or
the numbering of another server, or the ratings of a ladder that is not played there.
A player holds no token: between a player and the daemon stands the mod, with the permissions that
the game gives, and every word that a player types is only ever looked up or shown.
"""

from __future__ import annotations

import asyncio

import pytest

from ..daemon.mod import PLAYER, Mod, Packet, awaited, dialled
from ..daemon.running import Daemon, Home, settings
from .test_names import harmless

ADMIN = "adrbridge.admin"
WORDING = """
messages:
  no_permission: "no"
  reload_done: "done"
  status_header: "status {version} {uptime}"
  unknown_word: "unknown {word}"
"""
OWN_LADDER = "ladders: {duels: {servers: [duels]}}"


@pytest.fixture
def home(home: Home) -> Home:
    home.save(settings(WORDING))
    home.add("duels")
    return home


@awaited
async def test_a_player_without_the_permission_gets_nothing_out_of_rankadmin(
    daemon: Daemon,
) -> None:
    mod = Mod()
    almost = [
        (),
        PLAYER,
        ("adrbridge.admi", "adrbridge.admin.x", "adrbridge.admin ", " adrbridge.admin"),
        ("ADRBRIDGE.ADMIN", "adrbridge.*", "*", "adrbridge", "op", "bukkit.command"),
        ("adrbridge.admin\x00", "adrbridge.admin\n", "аdrbridge.admin"),  # the last is Cyrillic
    ]
    lines = ("rankadmin", "rankadmin reload", "rankadmin status", "RankAdmin RELOAD")
    lines += ("ran\u212aadmin reload",)  # the sign for kelvin, which is a k in lower case
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for permissions in almost:
            for line in lines:
                assert await mod.ask(line, may=permissions) == ["no"], (line, permissions)
        for line in ("rankadmin\u200b reload", "rankadmin\n reload", "rankadmin; reload"):
            answer = await mod.ask(line, may=("adrbridge.rank",))
            assert answer[0].startswith("unknown ")
        assert await mod.ask("rankadmin reload", may=(ADMIN,)) == ["done"]
    assert "was read again" not in daemon.log  # it was as it is


@awaited
async def test_no_word_of_a_player_is_taken_for_a_command_or_a_setting(home: Home) -> None:
    before = (home.folder / "config.yml").read_bytes()
    names = {path.name for path in home.folder.iterdir()}
    tricks = (
        "$(touch pwned)",
        "`touch pwned`",
        "; touch pwned",
        "| touch pwned",
        "../../../etc/passwd",
        "config.yml",
        "--config=/dev/null",
        "%2e%2e",
        "__import__('os').system('touch pwned')",
        "{0.__class__.__mro__}",
        "' UNION SELECT token_hash FROM servers --",
    )
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("ann")
            for trick in tricks:
                for line in (f"rank {trick}", f"rank top {trick}", f"rankadmin reload {trick}"):
                    for answer in await mod.ask(line, may=(*PLAYER, ADMIN)):
                        assert harmless(answer)
                        assert "root:" not in answer
                await mod.kill("ann", "bob", cause=trick, world=trick, weapon=trick)
    assert (home.folder / "config.yml").read_bytes() == before
    made = {path.name for path in home.folder.iterdir()} - names
    assert all(name.startswith(("adr.sqlite3", "daemon.log", "screen.txt")) for name in made)


@awaited
async def test_a_mod_may_say_that_anybody_typed_something_but_only_hears_the_answer_itself(
    daemon: Daemon,
) -> None:
    ours, theirs = Mod("spool-ours"), Mod("spool-theirs")
    tokens = daemon.home.tokens
    async with (
        ours.connected(daemon.url, tokens["survival"]),
        theirs.connected(daemon.url, tokens["duels"]),
    ):
        await ours.join("ann")
        await ours.kill("ann", "bob")
        await ours.settled()
        ours.inbox.clear()
        forged: list[Packet] = [
            {"type": "command", "id": "c1", "sender": {"id": "ann"}, "words": ["rank"]},
            {"type": "command", "id": "c2", "sender": None, "words": ["rankadmin", "status"]},
        ]
        await theirs.send(*(packet | {"permissions": [*PLAYER, ADMIN]} for packet in forged))
        await theirs.take("reply", id="c1")
        await theirs.take("reply", id="c2")
        await ours.settled()
        assert ours.inbox == []


@awaited
async def test_a_mod_cannot_send_away_rename_or_move_a_player_of_another_server(
    daemon: Daemon,
) -> None:
    ours, theirs = Mod("spool-ours"), Mod("spool-theirs")
    tokens = daemon.home.tokens
    async with (
        ours.connected(daemon.url, tokens["survival"]),
        theirs.connected(daemon.url, tokens["duels"]),
    ):
        await ours.join("ann", world="arena")
        await ours.settled()
        ours.inbox.clear()
        await theirs.send(
            {"type": "quit", "player": "ann"},
            {"type": "world", "player": "ann", "world": "elsewhere"},
            {"type": "join", "player": {"id": "ann", "name": "Ann", "world": "elsewhere"}},
            {"type": "quit", "player": "ann"},
        )
        await theirs.settled()
        await ours.settled()
        assert ours.inbox == []
        await ours.kill("ann", "bob")
        await ours.take("label", player="ann")
        assert not theirs.seen("label", rank=1)


@awaited
async def test_one_servers_token_cannot_send_or_hinder_the_events_of_another(home: Home) -> None:
    ours, theirs = Mod("spool-the-same"), Mod("spool-the-same")
    with home.serving() as daemon:
        async with ours.connected(daemon.url, home.tokens["survival"]):
            await ours.kill("ann", "bob")
            theirs.next = 40
            claims = {"server": "survival", "lane": 2, "spool": "spool-the-same"}
            async with theirs.connected(daemon.url, home.tokens["duels"]) as welcome:
                assert (welcome["server"], welcome["seq"]) == ("duels", 0)
                await theirs.kill("eve", "fay", **claims)
            assert ours._socket is not None and ours._socket.close_code is None
            await ours.kill("ann", "bob")
        async with ours.connected(daemon.url, home.tokens["survival"]) as welcome:
            assert welcome["seq"] == 2
    sql = "SELECT server, seq, killer FROM events JOIN lanes USING (lane) WHERE kind = 'kill'"
    assert sorted(home.rows(sql)) == [
        ("duels", 40, "eve"),
        ("survival", 1, "ann"),
        ("survival", 2, "ann"),
    ]


@awaited
async def test_a_server_with_a_ladder_of_its_own_cannot_touch_the_ratings_of_the_others(
    home: Home,
) -> None:
    home.save(settings(WORDING, OWN_LADDER))
    ours, theirs = Mod("spool-ours"), Mod("spool-theirs")
    with home.serving() as daemon:
        async with (
            ours.connected(daemon.url, home.tokens["survival"]),
            theirs.connected(daemon.url, home.tokens["duels"]),
        ):
            await ours.join("ann")
            await ours.kill("ann", "bob")
            before = home.rows("SELECT * FROM players WHERE ladder = 'main' ORDER BY player")
            rank = (await ours.ask("rank"))[0]
            ours.inbox.clear()
            for world in (None, "world", "survival", "main"):
                await theirs.kill("eve", "ann", world=world)
                await theirs.kill("bob", "ann", world=world)
            await ours.settled()
            assert not ours.seen("label")
            assert (
                home.rows("SELECT * FROM players WHERE ladder = 'main' ORDER BY player") == before
            )
            assert (await ours.ask("rank"))[0] == rank


@awaited
async def test_what_the_daemon_says_of_itself_it_does_not_believe_when_a_mod_says_it(
    daemon: Daemon,
) -> None:
    mod = Mod()
    said: list[Packet] = [
        {"type": "broadcast", "where": "chat", "text": {"text": "hi"}},
        {"type": "message", "player": "ann", "where": "title", "text": {"text": "hi"}},
        {"type": "label", "player": "ann", "prefix": None, "rating": 9, "rank": 1},
        {"type": "welcome", "server": "duels"},
        {"type": "settings", "combat_window": 0},
        {"type": "ack"},
        {"type": "reply", "id": "c", "lines": []},
        {"type": "top", "rows": []},
        {"type": "calibrate"},
        {"type": "parameters", "detail": "{}"},
        {"type": "rejected"},
    ]
    other = Mod("spool-other")
    async with (
        mod.connected(daemon.url, daemon.home.tokens["survival"]),
        other.connected(daemon.url, daemon.home.tokens["duels"]),
    ):
        await other.settled()
        other.inbox.clear()
        await mod.send(*said)
        for _ in said:
            assert (await mod.take("error"))["code"] == "unknown_type"
        await other.settled()
        assert other.inbox == []
        numbered = [mod.spooled(packet) for packet in said]
        await mod.send(*numbered)
        await mod.acked(len(said))
    kinds = "SELECT DISTINCT kind FROM events JOIN lanes USING (lane) WHERE server = 'survival'"
    assert daemon.home.rows(kinds) == [("rejected",)]


@awaited
async def test_a_second_hello_cannot_make_a_connection_another_servers(daemon: Daemon) -> None:
    async with dialled(daemon.url, daemon.home.tokens["duels"]) as bare:
        mod = Mod()
        mod._socket = bare
        await mod.send(mod.hello() | {"server": "survival"})
        assert '"server":"duels"' in str(await bare.recv())
        await mod.send(mod.hello() | {"server": "survival"})
        with pytest.raises(Exception, match="second `hello`"):
            while True:
                await asyncio.wait_for(bare.recv(), 5)
        assert bare.close_code == 4000
