"""The compiled core, made once for all that compare it, and the way to the benchmark."""

from __future__ import annotations

import importlib
import os
import runpy
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
NAME = "adr_core_compiled_for_tests"

sys.path.insert(0, str(SCRIPTS))


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    if shutil.which("cc") is None:
        missing = "there is no C compiler here, so there is no compiled form either"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(missing)
    home = tmp_path_factory.mktemp("compiled") / "core"
    runpy.run_path(str(SCRIPTS / "compile_core.py"))["compile_core"](home, name=NAME)
    sys.path.insert(0, str(home))
    yield importlib.import_module(NAME)
    sys.path.remove(str(home))
