"""A million inputs that a fuzzer finds by the code they reach. Only in the long form."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOGETHER = 2
"""Processes, each with half of the inputs and its own luck."""


@pytest.mark.parametrize("target", ["frames", "settings"])
def test_a_million_inputs_find_nothing(target: str, seed: int, tmp_path: Path) -> None:
    assert find_spec("atheris"), "pip install -c constraints.txt -e '.[fuzz]'"
    fuzzers = []
    for number in range(TOGETHER):
        options = (f"-runs={1_000_000 // TOGETHER}", f"-seed={seed + number + 1}")
        with (tmp_path / f"{number}.log").open("wb") as log:
            command = [sys.executable, "-m", "tests.hostile.fuzz", target, *options]
            command.append(f"-artifact_prefix={tmp_path}/")
            fuzzers.append(subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log))
    for number, fuzzer in enumerate(fuzzers):
        code = fuzzer.wait()
        said = (tmp_path / f"{number}.log").read_text(encoding="utf-8", errors="replace")
        assert code == 0, said[-5_000:]
        assert f"Done {1_000_000 // TOGETHER} runs" in said
