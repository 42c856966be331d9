"""Runs the command `adr-bridge` as a process, as an admin runs it."""

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
def serving(folder: Path) -> Iterator[str]:
    """A running daemon; what it printed at its start. It must end well."""
    daemon = subprocess.Popen(
        [sys.executable, "-m", "plugin_bridge", "serve"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    assert daemon.stdout is not None
    try:
        screen = ""
        for line in daemon.stdout:
            screen += line
            if "Ctrl+C" in line or line.startswith("    servers"):
                break
        yield screen
    finally:
        daemon.send_signal(signal.SIGINT)
        daemon.wait(20)
        daemon.stdout.close()
    assert daemon.returncode == 0
