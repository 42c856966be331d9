"""What the command does when nobody listens, or cannot read all letters."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .past import START, played

ADR = f"{sys.executable} -m plugin_bridge"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.yml").write_text("listen: {port: 0}\n", encoding="utf-8")
    return tmp_path


def shell(folder: Path, line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_a_reader_that_leaves_early_is_no_fault(folder: Path) -> None:
    result = shell(folder, f"{ADR} check-config | true")
    assert result.stderr == b""


@pytest.mark.parametrize("table", ["events", "players"])
def test_a_reader_of_an_export_may_leave_after_the_first_line(folder: Path, table: str) -> None:
    kills = [(f"p{n % 1000:03}", f"p{(n + 1) % 1000:03}", START + n) for n in range(4_000)]
    asyncio.run(played(folder, kills))
    whole = shell(folder, f"{ADR} export {table} | wc -c")
    assert int(whole.stdout) > 1 << 16, "more than a pipe holds"
    result = shell(folder, f"{ADR} export {table} | head -n 1")
    assert result.stdout.count(b"\n") == 1
    assert result.stderr == b""


def test_a_full_disk_behind_the_output_is_one_clear_line(folder: Path) -> None:
    result = shell(folder, f"{ADR} check-config > /dev/full; echo code $?")
    assert result.stdout == b"code 1\n"
    assert b"No space left" in result.stderr
    assert b"Traceback" not in result.stderr


def test_a_closed_output_is_no_fault(folder: Path) -> None:
    result = shell(folder, f"{ADR} check-config >&-; echo code $?")
    assert result.stdout == b"code 0\n"
    assert b"Traceback" not in result.stderr


def test_bytes_that_are_no_text_name_nobody(folder: Path) -> None:
    shell(folder, f"{ADR} server add arena")
    result = shell(folder, f"{ADR} player $(printf '\\377n')", LC_ALL="C", PYTHONUTF8="0")
    assert result.returncode == 1
    assert b"nobody called" in result.stderr
    assert b"Traceback" not in result.stderr
