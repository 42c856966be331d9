"""A wire between a mod and the daemon that can go dead without anybody being told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from .raw import place


class Relay:
    """Passes everything on until it is hushed; then it takes everything and passes on nothing."""

    def __init__(self, url: str) -> None:
        self._target = place(url)
        self._hushed = asyncio.Event()
        self._pumps: set[asyncio.Task[None]] = set()
        self.url = ""
        self.swallowed = 0

    def hush(self) -> None:
        self._hushed.set()

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, away = await asyncio.open_connection(*self._target)
        for source, sink in ((reader, away), (there, writer)):
            pump = asyncio.create_task(self._pump(source, sink))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.CancelledError):
            while data := await source.read(1 << 16):
                if self._hushed.is_set():
                    self.swallowed += len(data)
                else:
                    sink.write(data)
                    await sink.drain()
            if self._hushed.is_set():  # nor does the news get through that one side is gone
                await asyncio.Future()
        sink.transport.abort()

    async def cut(self) -> None:
        """Ends everything."""
        for pump in list(self._pumps):
            pump.cancel()
        if self._pumps:
            await asyncio.wait(self._pumps)


@asynccontextmanager
async def relayed(url: str) -> AsyncIterator[Relay]:
    """A relay to the daemon at that url."""
    relay = Relay(url)
    async with await asyncio.start_server(relay.meet, "127.0.0.1", 0) as server:
        relay.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        yield relay
        await relay.cut()
