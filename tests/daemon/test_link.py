"""The link of the running daemon: who may connect, what is kept, what is refused."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plugin_bridge import daemon as daemon_module

from .mod import Mod, awaited, dialled
from .running import HASTY, Daemon, Home, settings


async def refused(url: str, token: str | None) -> int:
    """The HTTP status with which a connection is refused."""
    with pytest.raises(InvalidStatus) as answer:
        async with dialled(url, token):
            pass
    return answer.value.response.status_code


@awaited
async def test_without_the_right_token_nobody_gets_in(daemon: Daemon) -> None:
    token = daemon.home.tokens["survival"]
    for wrong in (None, "", "adr_wrong", token[:-1], token.upper(), f"{token}x"):
        assert await refused(daemon.url, wrong) == 401
    assert await refused(f"{daemon.url}?token={token}", None) == 401
    async with Mod().connected(daemon.url, token) as welcome:
        assert welcome["server"] == "survival"
    daemon.logged("wrong or missing token")
    assert token not in daemon.log


@awaited
async def test_whoever_only_knocks_or_talks_nonsense_leaves_no_trace_in_the_log(
    daemon: Daemon,
) -> None:
    host, port = daemon.url.removeprefix("ws://").rstrip("/").split(":")
    for nonsense in (b"", b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n\r\n", b"x" * 10_000):
        with socket.create_connection((host, int(port))) as knocking:
            knocking.sendall(nonsense)
    reader, writer = await asyncio.open_connection(host, int(port))
    token = daemon.home.tokens["survival"]
    header = f"Authorization: Bearer {token}\r\n"
    writer.write(f"GET / HTTP/1.1\r\nHost: x\r\n{header}{header}\r\n".encode())
    assert b" 401 " in await reader.readline()
    writer.close()
    await writer.wait_closed()
    mod = Mod()
    async with mod.connected(daemon.url, token):
        await mod.settled()
    assert "ERROR" not in daemon.log


@awaited
async def test_the_first_packet_must_be_a_hello(daemon: Daemon) -> None:
    hello = Mod().hello()
    for first, code in (
        ({"type": "quit", "player": "a"}, 4000),
        (hello | {"spool": "short"}, 4000),
        (hello | {"protocol": 2}, 4002),
        ([hello, hello], 4000),
    ):
        async with dialled(daemon.url, daemon.home.tokens["survival"]) as bare:
            await bare.send(json.dumps(first))
            said = await read_to_the_end(bare)
            assert bare.close_code == code
            assert said[-1]["type"] == "error"
            assert said[-1]["code"] == "bad_hello"


async def read_to_the_end(bare: Any) -> list[dict[str, Any]]:
    said = []
    try:
        while True:
            frame = json.loads(await bare.recv())
            said += frame if isinstance(frame, list) else [frame]
    except ConnectionClosed:
        return said


@awaited
async def test_a_welcome_says_where_the_server_stands_and_what_holds_there(
    daemon: Daemon,
) -> None:
    mod = Mod()
    mod.online = {"ann": {"id": "ann", "name": "Ann", "world": None}}
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]) as welcome:
        await mod.settled()
        kinds = [packet["type"] for packet in mod.inbox]
        assert kinds == ["settings", "top", "label"]
        assert (welcome["seq"], welcome["protocol"], welcome["window"]) == (0, 1, 1_024)
        assert mod.seen("label") == [
            {
                "type": "label",
                "player": "ann",
                "prefix": None,
                "tier": None,
                "index": None,
                "rating": 1000,
                "rank": None,
            }
        ]


@awaited
async def test_a_newer_connection_takes_over_and_the_older_is_told_so(daemon: Daemon) -> None:
    token = daemon.home.tokens["survival"]
    older, newer = Mod(), Mod()
    async with older.connected(daemon.url, token):
        await older.kill("ann", "bob")
        newer.next = older.next
        async with newer.connected(daemon.url, token) as welcome:
            assert welcome["seq"] == 1
            assert await older.closed() == 4001
            await newer.join("ann")
            await newer.take("label", player="ann", rank=1)
            await newer.kill("ann", "bob")
            await newer.take("label", player="ann")
    daemon.logged("two game servers share one token")


@awaited
async def test_a_hole_in_the_numbers_is_an_error_and_closes(daemon: Daemon) -> None:
    mod = Mod()
    token = daemon.home.tokens["survival"]
    async with mod.connected(daemon.url, token):
        await mod.kill("ann", "bob")
        mod.next = 3
        lost = mod.killed("ann", "bob")
        await mod.send(lost)
        assert "2 is next" in (await mod.take("error", code="gap"))["text"]
        assert await mod.closed() == 4005
    mod.kept, mod.next = {}, 2
    async with mod.connected(daemon.url, token) as welcome:
        assert welcome["seq"] == 1
        await mod.kill("ann", "bob")


@awaited
async def test_a_frame_that_breaks_the_contract_closes(daemon: Daemon) -> None:
    too_many = json.dumps([{"type": "x"}] * 1_001)
    for frame in ("kill ann bob", "[]", "[1]", "5", '{"type":', too_many):
        mod = Mod()
        async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
            assert mod._socket is not None
            await mod._socket.send(frame)
            await mod.take("error", code="bad_frame")
            assert await mod.closed() == 4000


@awaited
async def test_binary_and_oversized_frames_close(daemon: Daemon) -> None:
    token = daemon.home.tokens["survival"]
    for frame, code in ((b"{}", 4000), ("x" * (1 << 20) + "x", 1009)):
        mod = Mod()
        async with mod.connected(daemon.url, token):
            assert mod._socket is not None
            await mod._socket.send(frame)
            assert await mod.closed() == code


@awaited
async def test_a_peer_that_hangs_up_on_a_refusal_is_no_fault(daemon: Daemon) -> None:
    for _ in range(20):
        async with dialled(daemon.url, daemon.home.tokens["survival"]) as bare:
            await bare.send("nonsense")
            bare.transport.abort()
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.settled()


@awaited
async def test_an_event_that_cannot_be_accepted_is_told_kept_and_acknowledged(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        bad = [
            mod.killed("ann", "ann"),
            mod.spooled({"type": "kill", "killer": {"id": "ann", "name": "Ann"}, "weapon": 3}),
            mod.spooled({"type": "dance", "mood": "grim"}),
            mod.spooled({"type": "death", "victim": {"id": "no id"}}),
        ]
        good = mod.killed("ann", "bob")
        await mod.send(*bad, good)
        for packet in bad:
            error = await mod.take("error", seq=packet["seq"])
            assert error["text"]
        await mod.acked(good["seq"])
    kept = daemon.home.rows("SELECT seq, kind, cause, detail FROM events WHERE lane > 1")
    assert [row[:3] for row in kept] == [
        (1, "rejected", "bad_packet"),
        (2, "rejected", "bad_packet"),
        (3, "rejected", "unknown_type"),
        (4, "rejected", "bad_packet"),
        (5, "kill", "attack"),
    ]
    assert [json.loads(row[3]) | {"time": 0} for row in kept[1:3]] == [
        {"type": "kill", "killer": {"id": "ann", "name": "…"}, "weapon": 3, "seq": 2, "time": 0},
        {"type": "dance", "…": "…", "seq": 3, "time": 0},
    ], "what is kept shows the fault and tells no names"
    rejected = "SELECT count(*) FROM events WHERE kind = 'rejected' AND time = received"
    assert daemon.home.rows(rejected) == [(4,)]
    assert set(daemon.home.ratings()) == {"ann", "bob"}


@awaited
async def test_a_packet_without_a_number_that_cannot_be_accepted_is_told_and_dropped(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.send({"type": "join"}, {"type": "command", "id": "c9", "words": "rank"})
        assert (await mod.take("error"))["seq"] is None
        await mod.take("error", id="c9")
        await mod.settled()


@awaited
async def test_deaths_are_kept_and_never_change_a_rating(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob")
        await mod.settled()
        before = daemon.home.rows("SELECT * FROM players ORDER BY player")
        mod.inbox.clear()
        deaths = [
            mod.spooled({"type": "death", "victim": {"id": "ann", "name": name}, "cause": "fire"})
            for name in [None, "", "  "] + ["Ann"] * 17
        ]
        await mod.send(*deaths)
        await mod.acked(deaths[-1]["seq"])
        await mod.settled()
        assert {packet["type"] for packet in mod.inbox} == {"ack"}
        assert daemon.home.rows("SELECT * FROM players ORDER BY player") == before
        assert daemon.home.rows("SELECT count(*) FROM events WHERE kind = 'death'") == [(20,)]


@awaited
async def test_what_arrives_twice_is_acknowledged_twice_and_counts_once(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        event = mod.killed("ann", "bob")
        await mod.send(event, event)
        await mod.take("ack", seq=1)
        before = daemon.home.ratings()
        await mod.settled()
        mod.inbox.clear()
        await mod.send(event)
        await mod.take("ack", seq=1)
        await mod.settled()
        assert [packet["type"] for packet in mod.inbox] == []
        assert daemon.home.ratings() == before
    assert daemon.home.rows("SELECT count(*) FROM events WHERE kind = 'kill'") == [(1,)]


@awaited
async def test_a_wiped_mod_starts_a_new_numbering_that_is_no_repetition(daemon: Daemon) -> None:
    token = daemon.home.tokens["survival"]
    for number, spool in enumerate(("spool-0001", "spool-0002"), start=1):
        mod = Mod(spool)
        async with mod.connected(daemon.url, token) as welcome:
            assert welcome["seq"] == 0
            await mod.kill("ann", "bob")
            await mod.kill("bob", "ann")
        assert daemon.home.rows("SELECT count(*) FROM outcomes") == [(2 * number,)]
    old = Mod("spool-0001")
    old.next = 3
    async with old.connected(daemon.url, token) as welcome:
        assert welcome["seq"] == 2


@awaited
async def test_a_lost_tail_is_accepted_and_the_admin_is_told(daemon: Daemon) -> None:
    mod = Mod()
    token = daemon.home.tokens["survival"]
    async with mod.connected(daemon.url, token):
        await mod.kill("ann", "bob")
    mod.next = 10
    async with mod.connected(daemon.url, token) as welcome:
        assert welcome["seq"] == 1
        await mod.kill("ann", "bob")
    daemon.logged("survival: events 2 to 9 are lost")
    assert daemon.home.rows("SELECT seq FROM events WHERE lane > 1") == [(1,), (10,)]


@awaited
async def test_a_backlog_of_many_frames_is_stored_in_order_and_exactly_once(
    daemon: Daemon,
) -> None:
    mod = Mod()
    for number in range(3_000):
        mod.killed(f"p{number % 40}", f"p{(number * 7 + 1) % 40 + 40}", time=mod.now - 60)
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.acked(3_000)
    rows = daemon.home.rows("SELECT seq FROM events WHERE lane > 1 ORDER BY position")
    assert [seq for (seq,) in rows] == list(range(1, 3_001))


@awaited
async def test_a_clock_that_is_ten_years_ahead_does_not_take_the_ladder_along(
    daemon: Daemon,
) -> None:
    mod = Mod()
    mod.clock = 10 * 365 * 86_400.0
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.kill("ann", "bob", time=mod.now - 5)
        await mod.kill("bob", "ann", time=mod.now + 900)
    daemon.logged("its clock is 315360000 s ahead")
    ((clock, received),) = daemon.home.rows(
        "SELECT clock, (SELECT max(received) FROM events) FROM ladders"
    )
    assert clock <= received
    first, second = (t for (t,) in daemon.home.rows("SELECT time FROM events WHERE lane > 1"))
    assert 3 < second - first < 10


@awaited
async def test_a_revoked_token_ends_the_connection_within_seconds(home: Home) -> None:
    await asyncio.to_thread(home.add, "duels", "arena")
    assert daemon_module.REPORT_SECONDS <= 5
    with home.serving(*HASTY) as daemon:
        mods = {server: Mod(f"spool-{server}") for server in home.tokens}
        old = dict(home.tokens)
        async with (
            mods["survival"].connected(daemon.url, old["survival"]),
            mods["duels"].connected(daemon.url, old["duels"]),
            mods["arena"].connected(daemon.url, old["arena"]),
        ):
            await asyncio.to_thread(home.remove, "duels")
            await asyncio.to_thread(home.add, "arena")  # a new token: the old one is worth nothing
            assert await mods["duels"].closed() == 4003
            assert await mods["arena"].closed() == 4003
            await mods["survival"].settled()
        assert await refused(daemon.url, old["duels"]) == 401
        assert await refused(daemon.url, old["arena"]) == 401
        async with Mod("spool-arena").connected(daemon.url, home.tokens["arena"]):
            pass


@awaited
async def test_a_mod_that_does_not_read_is_given_up_and_holds_up_nobody(home: Home) -> None:
    await asyncio.to_thread(home.add, "duels")
    crowd = [{"id": f"p{number}", "name": f"P{number}"} for number in range(5_000)]
    texts = [settings(f"display: {{unranked: {letter * 64}}}") for letter in "ab"]
    with home.serving() as daemon:
        mod, hello = Mod("spool-duels"), Mod().hello() | {"online": crowd}
        async with (
            mod.connected(daemon.url, home.tokens["duels"]),
            dialled(daemon.url, home.tokens["survival"], max_queue=1) as deaf,
        ):
            await deaf.send(json.dumps(hello))
            for number in range(16):  # each time everybody there gets another label
                home.save(texts[number % 2])
                await mod.ask("rankadmin reload", by=None)
                await mod.kill("ann", "bob")
            heard = await read_to_the_end(deaf)
            assert deaf.close_code == 4004
            assert 5_000 < len(heard) < 16 * 5_000
            await mod.settled()
        async with Mod().connected(daemon.url, home.tokens["survival"]):
            pass
