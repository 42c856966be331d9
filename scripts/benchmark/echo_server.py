"""A server that answers every frame with a few bytes: `echo_server.py [DATABASE]`.

With a database each frame is a row of it, and durable before the answer: what has arrived
meanwhile is committed together, by a thread beside the loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys

from websockets.asyncio.server import ServerConnection, serve

ANSWER = '{"type":"ack","seq":1}'
Waiting = list[tuple[str | bytes, "asyncio.Future[None]"]]


async def main() -> None:
    waiting: Waiting = []
    arrived = asyncio.Event()

    async def talk(socket: ServerConnection) -> None:
        answers: asyncio.Queue[asyncio.Future[None]] = asyncio.Queue()
        writing = asyncio.create_task(answer(socket, answers))
        async for frame in socket:
            if database is None:
                await socket.send(ANSWER)
                continue
            done = asyncio.get_running_loop().create_future()
            waiting.append((frame, done))
            answers.put_nowait(done)
            arrived.set()
        writing.cancel()

    async def answer(
        socket: ServerConnection, answers: asyncio.Queue[asyncio.Future[None]]
    ) -> None:
        while True:
            await (await answers.get())
            await socket.send(ANSWER)

    async def commit() -> None:
        assert database is not None
        while True:
            await arrived.wait()
            arrived.clear()
            batch, waiting[:] = list(waiting), []
            await asyncio.to_thread(write, database, batch)
            for _, done in batch:
                done.set_result(None)

    database = _opened(sys.argv[1]) if len(sys.argv) > 1 else None
    async with serve(talk, "127.0.0.1", 0, compression=None, max_size=1 << 20) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await (asyncio.Future() if database is None else commit())


def _opened(path: str) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE kills (kill TEXT NOT NULL)")
    return database


def write(database: sqlite3.Connection, batch: Waiting) -> None:
    database.execute("BEGIN IMMEDIATE")
    database.executemany("INSERT INTO kills VALUES (?)", [(frame,) for frame, _ in batch])
    database.execute("COMMIT")


if __name__ == "__main__":
    asyncio.run(main())
