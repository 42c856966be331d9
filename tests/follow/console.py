"""A game server's remote console, as far as somebody who logs in can see."""

from __future__ import annotations

import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Console:
    """`commands`: what was run, in order."""

    password: str
    port: int = 0
    commands: list[str] = field(default_factory=list)


@contextmanager
def console(password: str) -> Iterator[Console]:
    """A listening console, on a thread of its own."""
    state = Console(password)

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            trusted = False
            while head := self.rfile.read(4):
                body = self.rfile.read(struct.unpack("<i", head)[0])
                mark, kind = struct.unpack("<ii", body[:8])
                text = body[8:-2].decode()
                assert body[-2:] == b"\0\0"
                if kind == 3:
                    trusted = text == state.password
                    self.answer(mark if trusted else -1, "")
                elif trusted:
                    state.commands.append(text)
                    self.answer(mark, "done")

        def answer(self, mark: int, text: str) -> None:
            data = text.encode()
            self.wfile.write(struct.pack("<iii", len(data) + 10, mark, 2 if mark < 0 else 0))
            self.wfile.write(data + b"\0\0")

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        state.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
