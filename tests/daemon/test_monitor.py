"""Looking after game servers from outside."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from plugin_bridge.config import GameServer
from plugin_bridge.monitor import ORPHAN_SECONDS, Monitor, ServerView, judge

ORPHAN = ServerView(server="survival", up=True, players=3)
CONNECTED = ServerView(server="survival", up=True, players=3, connected=True)
DOWN = ServerView(server="survival", up=False)
EMPTY = ServerView(server="survival", up=True, players=0)

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def warnings(*views: tuple[float, ServerView]) -> list[float]:
    """When a warning comes, given what is seen when."""
    before, due = None, []
    for now, view in views:
        before, warn = judge(before, view, now=now)
        due += [now] if warn else []
    return due


def test_a_server_with_players_but_without_its_mod_is_warned_of_once_after_a_minute() -> None:
    looks = [(10.0 * number, ORPHAN) for number in range(40)]
    assert warnings(*looks) == [ORPHAN_SECONDS]


@pytest.mark.parametrize("recovered", [CONNECTED, DOWN, EMPTY])
def test_after_a_recovery_the_minute_starts_again_and_so_does_the_warning(
    recovered: ServerView,
) -> None:
    first = [(10.0 * number, ORPHAN) for number in range(10)]
    second = [(110.0 + 10.0 * number, ORPHAN) for number in range(10)]
    assert warnings(*first, (100.0, recovered), *second) == [60.0, 170.0]
    assert warnings(*first[:6], (55.0, recovered), *second) == [170.0]


def test_a_server_that_is_down_or_empty_or_connected_is_no_orphan() -> None:
    for view in (CONNECTED, DOWN, EMPTY, ServerView(server="survival")):
        assert warnings(*[(10.0 * number, view) for number in range(40)]) == []


@asynccontextmanager
async def listener(handler: Handler) -> AsyncIterator[str]:
    """A real TCP server on a port of its own; its address."""
    server = await asyncio.start_server(handler, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"{host}:{port}"
    finally:
        server.close()


async def look(address: str | None, monitor: Monitor | None = None) -> ServerView:
    monitor = monitor or Monitor()
    server = GameServer("survival", address)
    await monitor.look([server], [], now=0.0)
    (view,) = monitor.views([server], [])
    return view


def saying(answer: bytes) -> Handler:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()

    return handler


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff" * 100,
        b"\xff\xff\xff\xff\x07" + b"\x00" * 10_000,
        b"\x05\x00\x03[]]",
        b'\x1b\x00\x19{"version":5,"players":7}',
    ],
)
def test_whatever_else_listens_on_the_port_is_a_game_server_that_is_down(answer: bytes) -> None:
    async def scenario() -> None:
        async with listener(saying(answer)) as address:
            view = await look(address)
        assert (view.up, view.players, view.version) == (False, 0, None)

    asyncio.run(scenario())


def test_nobody_on_the_port_and_no_such_host_are_down_as_well() -> None:
    async def scenario() -> None:
        async with listener(saying(b"")) as address:
            pass
        assert (await look(address)).up is False
        assert (await look("no-such-host.invalid:25565")).up is False

    asyncio.run(scenario())


def test_a_server_without_an_address_is_not_asked() -> None:
    assert asyncio.run(look(None)).up is None


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def packet(content: bytes) -> bytes:
    return varint(len(content)) + content


async def read_packet(reader: asyncio.StreamReader) -> bytes:
    (length,) = await reader.readexactly(1)  # ours are short
    return await reader.readexactly(length)


async def game_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As much of a game server as answers a ping."""
    words = json.dumps(
        {
            "version": {"name": "Paper 1.21.4", "protocol": 769},
            "players": {"max": 20, "online": 7},
            "description": "",
        }
    ).encode()
    await read_packet(reader)  # handshake
    await read_packet(reader)  # status request
    writer.write(packet(b"\x00" + varint(len(words)) + words))
    await writer.drain()
    writer.close()


def test_a_game_server_that_answers_is_up_and_warned_of_once_while_its_mod_is_missing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        monitor = Monitor()
        async with listener(game_server) as address:
            server = GameServer("survival", address)
            for number in range(10):
                await monitor.look([server], [], now=10.0 * number)
            (view,) = monitor.views([server], [])
            assert (view.up, view.players, view.version) == (True, 7, "Paper 1.21.4")
            assert view.latency is not None
            assert len(caplog.records) == 1
            assert "survival is up with 7 players, but its mod" in caplog.text
            await monitor.look([server], ["survival"], now=110.0)
            for number in range(12, 30):
                await monitor.look([server], [], now=10.0 * number)
            assert len(caplog.records) == 2

    with caplog.at_level(logging.WARNING, logger="plugin_bridge"):
        asyncio.run(scenario())


def test_servers_are_asked_at_the_same_time_and_none_for_longer_than_a_few_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plugin_bridge.ping.ANSWER_SECONDS", 0.5)

    async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def scenario() -> None:
        monitor = Monitor()
        async with listener(silence) as address:
            servers = [GameServer(f"s{number}", address) for number in range(10)]
            async with asyncio.timeout(4):
                await monitor.look(servers, [], now=0.0)
        assert [view.up for view in monitor.views(servers, [])] == [False] * 10

    asyncio.run(scenario())


def test_a_connected_server_is_in_view_even_if_config_does_not_name_it() -> None:
    views = Monitor().views([GameServer("survival", None)], ["duels"])
    assert [(view.server, view.connected) for view in views] == [
        ("duels", True),
        ("survival", False),
    ]


def test_a_server_with_a_token_is_in_view_even_if_nothing_else_is_known_of_it() -> None:
    monitor = Monitor()
    monitor.expect(["duels", "survival"])
    views = monitor.views([GameServer("survival", "127.0.0.1:1")], [])
    assert [(view.server, view.watched, view.up) for view in views] == [
        ("duels", False, None),
        ("survival", True, None),
    ]
    monitor.expect(["survival"])
    assert monitor.views([], []) == (ServerView(server="survival"),)
