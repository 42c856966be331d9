"""A peer that speaks WebSocket byte by byte, so that it can speak it wrongly."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from ..daemon.running import PATIENCE

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FIN, RSV1 = 0x80, 0x40

UPGRADE = (
    "GET / HTTP/1.1\r\nHost: daemon\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
)


def place(url: str) -> tuple[str, int]:
    """Host and port of the daemon."""
    host, port = url.removeprefix("ws://").rstrip("/").split(":")
    return host, int(port)


def frame(payload: bytes, opcode: int = TEXT, *, flags: int = FIN) -> bytes:
    """One frame as a client sends it, masked."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 1 << 16:
        length = b"\xfe" + size.to_bytes(2)
    else:
        length = b"\xff" + size.to_bytes(8)
    mask = os.urandom(4)
    key = (mask * (size // 4 + 1))[:size]
    masked = (int.from_bytes(payload) ^ int.from_bytes(key)).to_bytes(size)
    return bytes([flags | opcode]) + length + mask + masked


def in_pieces(payload: bytes, size: int = 1) -> bytes:
    """One message in fragments of `size` bytes."""
    pieces = [payload[start : start + size] for start in range(0, len(payload), size)]
    last = len(pieces) - 1
    return b"".join(
        frame(piece, TEXT if number == 0 else CONT, flags=FIN if number == last else 0)
        for number, piece in enumerate(pieces)
    )


@dataclass
class Raw:
    """A TCP connection to the daemon."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def upgrade(self, token: str, *headers: str) -> int:
        """Asks to speak WebSocket; the HTTP status of the answer."""
        lines = "".join(f"{header}\r\n" for header in headers)
        self.writer.write(f"{UPGRADE}Authorization: Bearer {token}\r\n{lines}\r\n".encode())
        return (await self.answer())[0]

    async def answer(self) -> tuple[int, str]:
        """Status and head of an HTTP answer."""
        head = (await self._timely(self.reader.readuntil(b"\r\n\r\n"))).decode()
        return int(head.split()[1]), head

    async def send(self, *frames: bytes) -> None:
        self.writer.write(b"".join(frames))
        await self.writer.drain()

    async def say(self, *packets: dict[str, Any]) -> None:
        await self.send(*(frame(json.dumps(packet).encode()) for packet in packets))

    async def hear(self) -> tuple[int, bytes]:
        """Opcode and payload of the next frame."""
        first, second = await self._timely(self.reader.readexactly(2))
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(await self._timely(self.reader.readexactly(2 ** (size - 125))))
        return first & 0x0F, await self._timely(self.reader.readexactly(size))

    async def take(self, kind: str) -> dict[str, Any]:
        """The first packet of that kind that comes."""
        while True:
            opcode, payload = await self.hear()
            if opcode == TEXT:
                said = json.loads(payload)
                for packet in said if isinstance(said, list) else [said]:
                    if packet["type"] == kind:
                        return dict(packet)

    async def dismissed(self) -> int:
        """Waits until the daemon says that it closes; the code it gives."""
        while True:
            opcode, payload = await self.hear()
            if opcode == CLOSE:
                return int.from_bytes(payload[:2])

    async def closed(self) -> int:
        """Agrees to the daemon's closing the connection; the code it gave, 0 for none."""
        code = 0
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                code = await self.dismissed()
                await self.send(frame(code.to_bytes(2), CLOSE))
        return code

    @staticmethod
    async def _timely(reading: Any) -> Any:
        async with asyncio.timeout(PATIENCE):
            return await reading


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Raw]:
    """A TCP connection on which nothing was said yet."""
    reader, writer = await asyncio.open_connection(*place(url))
    try:
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()


@asynccontextmanager
async def upgraded(url: str, token: str) -> AsyncIterator[Raw]:
    """A WebSocket connection on which no `hello` was said yet."""
    async with opened(url) as raw:
        assert await raw.upgrade(token) == 101
        yield raw
