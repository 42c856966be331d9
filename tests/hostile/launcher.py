"""Runs the real command in a world that the product itself knows nothing of.

    launcher.py set:plugin_bridge.server.pace:HEARTBEAT_SECONDS:0.5 -- serve --config config.yml

set:MODULE:NAME:VALUE  another number in the place of a constant, so that a test need not wait
clock                  the time of day is as many seconds ahead as the file `clock` says
files:NUMBER           no more files than these may be open, connections included
open                   new files may be read by everybody, unless their maker says otherwise
strangers              a connection comes from the address that its header `X-From` names
"""

from __future__ import annotations

import importlib
import os
import resource
import sys
import time
from pathlib import Path

from websockets.asyncio.server import ServerConnection

from plugin_bridge.cli import main
from plugin_bridge.server import door

CLOCK = Path("clock")


def _set(module: str, name: str, value: str) -> None:
    setattr(importlib.import_module(module), name, float(value))


def _clock() -> None:
    real = time.time

    def shifted() -> float:
        return real() + float(CLOCK.read_text(encoding="utf-8"))

    time.time = shifted


def _files(number: str) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(number), int(number)))


def _open() -> None:
    os.umask(0)


def _strangers() -> None:
    def claimed(connection: ServerConnection) -> str:
        assert connection.request is not None
        return connection.request.headers.get("X-From", "127.0.0.1")

    door.address_of = claimed


if __name__ == "__main__":
    changes, _, words = " ".join(sys.argv[1:]).partition(" -- ")
    known = {"set": _set, "clock": _clock, "files": _files, "open": _open, "strangers": _strangers}
    for change in changes.split():
        kind, *details = change.split(":")
        known[kind](*details)
    sys.exit(main(words.split()))
