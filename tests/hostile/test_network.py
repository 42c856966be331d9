"""Wires that go dead, peers that do not read, and what comes twice, late or out of order."""

from __future__ import annotations

import asyncio
import json
import random
import time
from contextlib import AsyncExitStack

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from plugin_bridge.server import pace

from ..daemon.mod import Mod, Packet, awaited
from ..daemon.running import Daemon, Home, eventually, run_cli
from .raw import PING, frame, opened, upgraded
from .relay import relayed
from .watching import LAUNCHER, bystander, in_a_hurry, megabytes, open_files

PATIENT = 5.0
"""Seconds that an honest server may wait for an ack while others misbehave, on a busy machine."""


@pytest.fixture
def home(home: Home) -> Home:
    home.add("bystander")
    return home


@awaited
async def test_a_wire_that_goes_dead_is_noticed_at_both_ends_and_costs_no_kill(home: Home) -> None:
    assert pace.HEARTBEAT_SECONDS < 60 / 2  # what cuts idle connections does so after 60 s
    beat = 0.5
    mod = Mod()
    with home.serving(*in_a_hurry(HEARTBEAT_SECONDS=beat, CLOSING_SECONDS=beat)) as daemon:
        token = home.tokens["survival"]
        async with (
            relayed(daemon.url) as relay,
            connect(
                relay.url,
                additional_headers={"Authorization": f"Bearer {token}"},
                proxy=None,
                ping_interval=beat,
                ping_timeout=beat,
                close_timeout=beat,
            ) as socket,
        ):
            await socket.send(json.dumps([mod.hello(), mod.killed("ann", "bob")]))
            while '"ack"' not in str(await socket.recv()):
                pass
            relay.hush()
            hushed = time.monotonic()
            await socket.send(json.dumps(mod.killed("bob", "ann")))
            await asyncio.to_thread(daemon.logged, "survival disconnected")
            assert time.monotonic() - hushed < 2 * beat + PATIENT
            with pytest.raises(ConnectionClosed):
                while True:
                    await socket.recv()
            assert time.monotonic() - hushed < 2 * beat + PATIENT
            assert relay.swallowed
        async with mod.connected(daemon.url, token) as welcome:
            assert welcome["seq"] == 1
            await mod.acked(2)
    assert home.rows("SELECT seq FROM events WHERE kind = 'kill'") == [(1,), (2,)]
    await home.replays()


@awaited
async def test_a_peer_that_takes_nothing_is_cut_off_and_delays_nobody(home: Home) -> None:
    crowd = [{"id": f"p{number}", "name": f"P{number}"} for number in range(5_000)]
    ask = {"type": "command", "id": "c", "sender": None, "words": ["rank", "top"]}
    with home.serving(*in_a_hurry(HEARTBEAT_SECONDS=3, CLOSING_SECONDS=0.5)) as daemon:
        async with bystander(daemon) as other, opened(daemon.url) as deaf:
            await deaf.upgrade(home.tokens["survival"])
            deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
            await deaf.say(Mod().hello() | {"online": crowd})
            before = megabytes(daemon)
            sending = asyncio.create_task(flood(deaf.writer, ask | {"permissions": []}))
            await asyncio.to_thread(daemon.logged, "survival disconnected")
            assert megabytes(daemon) - before < 100
            sending.cancel()
            await asyncio.wait([sending])
        assert other.longest < PATIENT


async def flood(writer: asyncio.StreamWriter, packet: Packet) -> None:
    frames = frame(json.dumps([packet] * 1_000).encode())
    while not writer.transport.is_closing():
        writer.write(frames)
        await writer.drain()


@awaited
async def test_a_peer_that_only_pings_and_takes_no_pong_is_cut_off(home: Home) -> None:
    pings = frame(b"x" * 125, PING) * 500
    with home.serving() as daemon:
        async with bystander(daemon) as other, upgraded(daemon.url, home.tokens["survival"]) as raw:
            await raw.say(Mod().hello())
            raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
            before, sent = megabytes(daemon), 0
            with pytest.raises(ConnectionError):
                while sent < 100_000_000:
                    raw.writer.write(pings)
                    await raw.writer.drain()
                    sent += len(pings)
            assert megabytes(daemon) - before < 20
        assert other.longest < PATIENT


@awaited
async def test_two_hundred_idle_servers_and_as_many_half_open_handshakes_disturb_nobody(
    home: Home,
) -> None:
    servers = [f"idle-{number}" for number in range(200)]
    await asyncio.to_thread(home.add, *servers)
    begun = (b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"\x16")
    with home.serving(*in_a_hurry(HELLO_SECONDS=4)) as daemon:
        files, memory = open_files(daemon), megabytes(daemon)
        async with bystander(daemon) as other, AsyncExitStack() as idle:
            for server in servers:
                mod = Mod(f"spool-{server}")
                await idle.enter_async_context(mod.connected(daemon.url, home.tokens[server]))
            half_open = [dawdle(daemon, said) for said in begun * 50]
            waited = await asyncio.gather(*half_open)
            assert max(waited) > 3
            assert megabytes(daemon) - memory < 60
            await asyncio.to_thread(eventually, lambda: connections(home) == 201, "status has all")
            await mod.settled()
        await asyncio.to_thread(
            eventually, lambda: open_files(daemon) <= files, "all connections are closed"
        )
        assert other.longest < PATIENT
        assert "ERROR" not in daemon.log


def connections(home: Home) -> int:
    status = json.loads(run_cli(home.folder, "status", "--json").stdout)
    return sum(view["connected"] for view in status["servers"])


async def dawdle(daemon: Daemon, begun: bytes) -> float:
    """Begins a handshake, and waits until the daemon has had enough; how long that took."""
    started = time.monotonic()
    async with opened(daemon.url) as raw:
        raw.writer.write(begun)
        await raw.closed()
    return time.monotonic() - started


@awaited
async def test_a_storm_of_connections_leaves_nothing_behind(home: Home) -> None:
    token = home.tokens["survival"]
    hello = frame(json.dumps(Mod("spool-storm").hello()).encode())
    kill = frame(json.dumps(Mod().killed("ann", "bob")).encode())

    async def come_and_go(chance: random.Random) -> None:
        async with opened(daemon.url) as raw:
            if chance.random() < 0.1:
                return
            await raw.upgrade(token if chance.random() < 0.8 else "adr_wrong")
            for said in (hello, hello[: chance.randrange(len(hello))], kill):
                raw.writer.write(said)
                await asyncio.sleep(chance.choice((0, 0, 0.01)))
                if chance.random() < 0.3:
                    return

    with home.serving() as daemon:
        async with bystander(daemon) as other:
            files = open_files(daemon)
            for wave in range(20):
                chance = random.Random(wave)
                await asyncio.gather(*(come_and_go(chance) for _ in range(25)))
            await asyncio.to_thread(
                eventually, lambda: open_files(daemon) <= files, "all connections are closed"
            )
        assert other.longest < PATIENT
        mod = Mod()
        async with mod.connected(daemon.url, token):
            await mod.join("ann")
            await mod.kill("ann", "bob")
            await mod.take("label", player="ann")
    assert "ERROR" not in daemon.log


@awaited
@pytest.mark.parametrize("why", ["overtaken", "revoked"])
async def test_whoever_is_overtaken_or_revoked_stores_nothing_more_whatever_it_sends(
    home: Home, why: str
) -> None:
    token = home.tokens["survival"]
    older, newer = Mod(), Mod()
    with home.serving(LAUNCHER, "set:plugin_bridge.daemon:REPORT_SECONDS:0.5", "--") as daemon:
        async with upgraded(daemon.url, token) as raw:
            await raw.say(older.hello(), older.killed("ann", "bob"))
            assert (await raw.take("ack"))["seq"] == 1
            if why == "revoked":
                await asyncio.to_thread(home.add, "survival")
                assert await raw.dismissed() == 4003
            newer.next = 2
            async with newer.connected(daemon.url, home.tokens["survival"]):
                for _ in range(50):  # it takes no notice of being told to go
                    await raw.say(older.killed("old", "news"))
                await newer.kill("new", "comer")
                await newer.kill("new", "comer")
    kills = "SELECT killer, count(*) FROM events WHERE kind = 'kill' GROUP BY killer"
    assert dict(home.rows(kills)) == {"ann": 1, "new": 2}


class Muddled(Mod):
    """Sends some events twice, some again much later, and now and then two in the wrong order."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.chance = chance

    async def send(self, *packets: Packet) -> None:
        sent: list[Packet] = []
        for packet in packets:
            sent += [packet] * self.chance.choice((1, 1, 1, 2) if "seq" in packet else (1,))
            if self.chance.random() < 0.1 and "seq" in sent[0]:
                sent.append(self.chance.choice(sent))
            if self.chance.random() < 0.02 and len(sent) > 1:
                sent[-1], sent[-2] = sent[-2], sent[-1]
        await super().send(*sent)


@awaited
@pytest.mark.parametrize("number", range(4))
async def test_what_comes_twice_late_or_out_of_order_is_stored_once_and_in_order(
    home: Home, number: int, long: bool
) -> None:
    chance = random.Random(number)
    mod = Muddled(chance)
    for event in range(2_000 if long else 200):
        moment = mod.now - chance.choice((0, 1, 3_600, 29 * 86_400))
        mod.killed(f"p{event % 9}", f"q{chance.randrange(9)}", time=moment)
    events = dict(mod.kept)
    holes = 0
    with home.serving() as daemon:
        while mod.kept:
            async with mod.connected(daemon.url, home.tokens["survival"]):
                if await settled_or_closed(mod) == 4005:
                    assert mod.seen("error", code="gap")
                    holes += 1
    assert holes
    stored = home.rows("SELECT seq, killer, victim, time FROM events WHERE kind = 'kill'")
    assert stored == [
        (seq, event["killer"]["id"], event["victim"]["id"], pytest.approx(event["time"]))
        for seq, event in events.items()
    ]
    latest: dict[str, float] = {}
    for _, killer, victim, moment in stored:
        for player in (killer, victim):
            latest[player] = max(latest.get(player, 0), moment)
    assert dict(home.rows("SELECT player, last_event FROM players")) == latest
    await home.replays()


async def settled_or_closed(mod: Mod) -> int | None:
    """Waits until all was answered; the close code if the daemon hung up instead."""
    assert mod._socket is not None
    closing = asyncio.create_task(mod._socket.wait_closed())
    settling = asyncio.create_task(mod.settled())
    await asyncio.wait([closing, settling], return_when=asyncio.FIRST_COMPLETED)
    settling.cancel()
    closing.cancel()
    await asyncio.wait([closing, settling])
    return mod._socket.close_code
