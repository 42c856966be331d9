"""A mod with many players that has stopped reading, while labels for all of them keep coming."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from ..daemon.mod import dialled
from ..daemon.running import PATIENCE

PLAYERS = 5_000
MOTLEY = "".join(f"<#0000{number:02x}>x" for number in range(50))
LONG_LABELS = f'display: {{unranked: "{MOTLEY}"}}'
"""Settings under which the labels of a hello alone are far more than what the system buffers."""


@asynccontextmanager
async def swamped(url: str, token: str) -> AsyncIterator[ClientConnection]:
    """A connection that has said hello and reads nothing until its transport is resumed."""
    address = urlsplit(url)
    assert address.hostname and address.port
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    narrow.connect((address.hostname, address.port))
    async with dialled(url, token, sock=narrow, max_queue=1, ping_interval=None) as connection:
        connection.transport.pause_reading()
        players = [{"id": f"p{number}", "name": None} for number in range(PLAYERS)]
        await connection.send(
            json.dumps(
                {
                    "type": "hello",
                    "protocol": 1,
                    "platform": "test",
                    "mod_version": "1",
                    "spool": "spool-swamped",
                    "first": 1,
                    "time": time.time(),
                    "online": players,
                }
            )
        )
        try:
            yield connection
        finally:
            connection.transport.abort()


async def read_to_the_end(connection: ClientConnection) -> int | None:
    """Reads again, at last; the code with which the daemon had closed."""
    connection.transport.resume_reading()
    async with asyncio.timeout(PATIENCE):
        try:
            while True:
                await connection.recv()
        except ConnectionClosed as end:
            return end.rcvd and end.rcvd.code
