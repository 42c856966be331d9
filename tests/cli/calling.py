"""Calls the command `adr-bridge` within this process: as `run`, but in an instant."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from plugin_bridge.cli import main


def call(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One command, with the folder as its working directory and nobody at the keyboard."""
    out, err = StringIO(), StringIO()
    with (
        _inside(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        patch("sys.stdin", StringIO()),
    ):
        code = main(words)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
