"""Runs the command `adr-bridge` as a process, as an admin runs it."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One command that ends by itself."""
    return subprocess.run(
        [sys.executable, "-m", "plugin_bridge", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@contextmanager
def serving(folder: Path, *, terminal: bool = False) -> Iterator[str]:
    """A running daemon; what it printed at its start, into a pipe or a terminal.

    It must end well.
    """
    here, there = pty.openpty() if terminal else os.pipe()
    daemon = subprocess.Popen(
        [sys.executable, "-m", "plugin_bridge", "serve"],
        cwd=folder,
        stdout=there,
        stderr=subprocess.DEVNULL,
    )
    os.close(there)
    with open(here, encoding="utf-8") as output:
        try:
            screen = ""
            for line in output:
                screen += line
                if "Ctrl+C" in line or line.startswith("    servers"):
                    break
            yield screen
        finally:
            daemon.send_signal(signal.SIGINT)
            daemon.wait(20)
    assert daemon.returncode == 0
