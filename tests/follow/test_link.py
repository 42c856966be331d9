"""`adr-bridge follow` where its link to the daemon cannot be made."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from websockets.sync.server import ServerConnection, serve

from ..daemon.conftest import home
from ..daemon.running import PATIENCE, Home, eventually
from .test_follow import Follower, Server, game

__all__ = ["game", "home"]


@contextmanager
def dialling(home: Home, url: str) -> Iterator[Follower]:
    """Follows without ever getting through."""
    follower = Follower(home, url)
    try:
        yield follower
    finally:
        follower.process.send_signal(signal.SIGINT)
        assert follower.process.wait(PATIENCE) == 0, follower.log
    assert "Traceback" not in follower.log, follower.log


def test_an_address_that_is_none_is_refused_at_once(home: Home, game: Server) -> None:
    follower = Follower(home, "127.0.0.1:8787")
    assert follower.process.wait(PATIENCE) == 1
    assert "write it like ws://127.0.0.1:8787/" in follower.log
    assert "Traceback" not in follower.log


def test_what_is_no_daemon_is_pointed_out_and_asked_again(home: Home, game: Server) -> None:
    def greet(stranger: ServerConnection) -> None:
        stranger.send("Hello there!")
        stranger.recv()

    with serve(greet, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with dialling(home, f"ws://127.0.0.1:{server.socket.getsockname()[1]}/") as follower:
            said = "does not speak as a daemon does"
            eventually(lambda: follower.log.count(said) >= 2, "it came back")


def test_a_token_that_is_not_accepted_is_told_with_what_helps(home: Home, game: Server) -> None:
    with home.serving() as daemon:
        home.remove("survival")
        with dialling(home, daemon.url) as follower:
            said = "does not accept the token (HTTP 401); make a new one: adr-bridge server add"
            eventually(lambda: said in follower.log, "it is told")
