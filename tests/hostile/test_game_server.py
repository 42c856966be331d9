"""What stands at the address of a game server and is none, or lies: it is not believed far."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from ..daemon.mod import Mod, awaited
from ..daemon.running import Daemon, Home, eventually, run_cli, settings
from .test_names import harmless
from .watching import LAUNCHER, megabytes

HURRIED = (
    LAUNCHER,
    "set:plugin_bridge.ping:ANSWER_SECONDS:1",
    "set:plugin_bridge.daemon:REPORT_SECONDS:0.5",
    "--",
)
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def number(value: int) -> bytes:
    """As Minecraft writes a number: seven bits a byte, the lowest first."""
    written = b""
    while value > 0x7F:
        written += bytes([value & 0x7F | 0x80])
        value >>= 7
    return written + bytes([value])


def answering(answer: bytes) -> Handler:
    """A game server with that answer to whoever asks how it is."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1_000)
        body = b"\x00" + number(len(answer)) + answer
        writer.write(number(len(body)) + body)
        await writer.drain()
        await reader.read(1_000)
        writer.close()

    return handle


def state(**fields: Any) -> Handler:
    usual = {"version": {"name": "1.21", "protocol": 769}, "description": "x"}
    return answering(json.dumps(usual | {"players": {"max": 9, "online": 3}} | fields).encode())


def announcing(length: int) -> Handler:
    """As much as the network takes, and never all of it."""

    async def handle(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(number(length) + b"\x00" + number(length - 10))
        with suppress(ConnectionError):
            while True:
                writer.write(b"a" * (1 << 20))
                await writer.drain()

    return handle


async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while True:
            writer.write(b"\xff")
            await writer.drain()
            await asyncio.sleep(0.2)


LIARS: dict[str, tuple[Handler, dict[str, Any]]] = {
    "escapes": (
        state(version={"name": "\x1b[2J\u202e§k<red>x\n" * 50, "protocol": 1}),
        {"up": True, "players": 3, "version": ("[2Jk<red>x" * 50)[:64]},
    ),
    "half": (
        answering(
            b'{"version":{"name":"\\ud83d","protocol":1},"players":{"max":1,"online":3},'
            b'"description":"x"}'
        ),
        {"up": True, "version": None},
    ),
    "crowd": (state(players={"max": 1, "online": 10**400}), {"up": True, "players": 1_000_000}),
    "nobody": (state(players={"max": 1, "online": -5}), {"up": True, "players": 0}),
    "words": (state(players={"max": 1, "online": "many"}), {"up": False, "players": 0}),
    "digits": (answering(b'{"players":{"online":' + b"9" * 9_000 + b"}}"), {"up": False}),
    "more": (state(favicon="x" * 30_000, more=[[]] * 500), {"up": True}),
    "nested": (answering(b'{"description":' * 9_000), {"up": False}),
    "nothing": (answering(b""), {"up": False}),
    "long": (announcing((1 << 18) + 11), {"up": False}),
    "endless": (announcing((1 << 31) - 1), {"up": False}),
    "drip": (drip, {"up": False}),
}


@asynccontextmanager
async def standing(handlers: dict[str, Handler]) -> AsyncIterator[dict[str, int]]:
    """All of them, each on a port of its own."""
    async with AsyncExitStack() as stack:
        ports = {}
        for name, handler in handlers.items():
            server = await asyncio.start_server(handler, "127.0.0.1", 0)
            stack.push_async_callback(server.wait_closed)
            stack.callback(server.close)
            ports[name] = server.sockets[0].getsockname()[1]
        yield ports


def seen(home: Home) -> dict[str, dict[str, Any]]:
    """What `adr-bridge status` has to say of each, once all were asked."""
    views = json.loads(run_cli(home.folder, "status", "--json").stdout)["servers"]
    found = {view["server"]: view for view in views}
    return found if all(found.get(name, {}).get("up") is not None for name in LIARS) else {}


@awaited
async def test_whatever_stands_at_an_address_is_a_line_in_the_status_and_no_more(
    home: Home,
) -> None:
    async with standing({name: handler for name, (handler, _) in LIARS.items()}) as ports:
        lines = "\n".join(
            f'  - {{name: {name}, address: "127.0.0.1:{port}"}}' for name, port in ports.items()
        )
        home.save(settings().replace("servers: []", f"servers:\n{lines}"))
        with home.serving(*HURRIED) as daemon:
            await play_on(daemon)
            views = await asyncio.to_thread(eventually, lambda: seen(home), "all were asked")
            for name, (_, expected) in LIARS.items():
                assert expected.items() <= views[name].items(), name
            await play_on(daemon)
            assert megabytes(daemon) < 150
            shown = await asyncio.to_thread(run_cli, home.folder, "status")
            assert all(harmless(line.replace("\t", "")) for line in shown.stdout.splitlines())
            assert len(shown.stdout.splitlines()) > len(LIARS)


async def play_on(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]) as welcome:
        mod.next = welcome["seq"] + 1
        async with asyncio.timeout(5):
            await mod.kill("ann", "bob")
        for answer in await mod.ask("rankadmin status", by=None):
            assert harmless(answer)
            assert len(answer) < 200
