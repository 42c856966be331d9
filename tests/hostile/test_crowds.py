"""Too many at once: connections that nobody needs, and players that no server can have."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, suppress

import pytest
from websockets.asyncio.client import connect

from plugin_bridge.gate import ROOM, Lobby
from plugin_bridge.protocol.packets import MAX_ONLINE

from ..daemon.certificates import private, with_certificate
from ..daemon.mod import Mod, awaited
from ..daemon.running import Daemon, Home, settings
from .raw import Raw, frame, opened
from .watching import LAUNCHER, bystander, megabytes

NARROW = (LAUNCHER, "set:plugin_bridge.gate:ROOM:50", "files:160", "--")
"""A process that can open few files, and has as little room for strangers in proportion."""
HELLO = frame(json.dumps(Mod("spool-0001").hello()).encode())


def test_whoever_has_stood_in_the_lobby_longest_makes_room() -> None:
    lobby, gone = Lobby(), list[int]()
    for number in range(ROOM):
        lobby.enter(number, lambda number=number: gone.append(number))
    lobby.enter(0, lambda: gone.append(-1))  # it is there already
    lobby.leave(1)
    lobby.leave(1)
    lobby.enter("a", lambda: gone.append(-1))
    assert gone == []
    for late in ("b", "c", "d"):
        lobby.enter(late, lambda: gone.append(-1))
    assert gone == [0, 2, 3]


@pytest.fixture
def home(home: Home) -> Home:
    home.add("bystander")
    return home


async def half_a_handshake(raw: Raw, _: str) -> None:
    raw.writer.write(b"GET / HTTP/1.1\r\n")


async def no_hello(raw: Raw, token: str) -> None:
    await raw.upgrade(token)


async def hello_again_and_again(raw: Raw, token: str) -> None:
    """Each overtakes the one before, which does not go when it is told to."""
    await raw.upgrade(token)
    raw.writer.write(HELLO)


@awaited
@pytest.mark.parametrize("how", [half_a_handshake, no_hello, hello_again_and_again])
async def test_more_connections_than_there_can_be_keep_nobody_out(home: Home, how: object) -> None:
    assert callable(how)
    with home.serving(*NARROW) as daemon:
        async with bystander(daemon) as other, AsyncExitStack() as crowd:
            for _ in range(3):
                coming = (crowd.enter_async_context(opened(daemon.url)) for _ in range(200))
                for raw in await asyncio.gather(*coming):  # all in one moment
                    with suppress(ConnectionError, asyncio.IncompleteReadError):
                        await how(raw, home.tokens["survival"])
            mod = Mod("spool-0002")
            async with mod.connected(daemon.url, home.tokens["survival"]):
                await mod.kill("ann", "bob")
            await asyncio.to_thread(daemon.apply, settings("display: {unranked: '&8-'}"))
        assert other.longest < 5
        assert "ERROR" not in daemon.log


@awaited
@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01"], ids=["nothing", "half a greeting"])
async def test_nor_does_a_crowd_that_never_ends_its_tls_handshake(home: Home, said: bytes) -> None:
    trusting = with_certificate(home)
    header = {"Authorization": f"Bearer {home.tokens['survival']}"}
    with home.serving(*NARROW) as daemon:
        async with AsyncExitStack() as crowd:
            raw_url = daemon.url.replace("0.0.0.0", "127.0.0.1")
            for _ in range(3):
                coming = (crowd.enter_async_context(opened(raw_url)) for _ in range(200))
                for raw in await asyncio.gather(*coming):
                    raw.writer.write(said)
            secure = private(daemon.url)
            async with connect(secure, ssl=trusting, additional_headers=header) as mod:
                await mod.send(json.dumps(Mod("spool-0002").hello()))
                assert json.loads(await mod.recv())[0]["type"] == "welcome"
        assert "ERROR" not in daemon.log


@awaited
async def test_a_server_has_no_more_players_than_a_hello_can_name(daemon: Daemon) -> None:
    mod = Mod()
    joins = [{"type": "join", "player": {"id": f"p{number}"}} for number in range(MAX_ONLINE)]
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.send(*joins)
        await mod.settled()
        assert len(mod.seen("label")) == MAX_ONLINE
        mod.inbox.clear()
        before = megabytes(daemon)
        crowd = [{"type": "join", "player": {"id": f"crowd{number}"}} for number in range(5_000)]
        await mod.send(*crowd)
        await mod.settled()
        assert megabytes(daemon) - before < 20
        assert len(mod.seen("error", code="bad_packet")) == len(crowd)
        assert not mod.seen("label")
        await mod.send(joins[0], {"type": "quit", "player": "p1"}, crowd[0], crowd[1])
        await mod.settled()
        assert [label["player"] for label in mod.seen("label")] == ["p0", "crowd0"]
        await asyncio.to_thread(daemon.apply, settings("display: {unranked: '&8-'}"))
        await mod.settled()
        assert len(mod.seen("label")) == 2 + MAX_ONLINE
