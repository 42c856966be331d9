"""Compiles `adr_core` with mypyc, from the very source that otherwise is interpreted.

    python scripts/compile_core.py FOLDER [--name adr_core_compiled]

puts the package into FOLDER, each module with its compiled form beside it. Needs mypy, setuptools
and a C compiler. Where Python finds no compiled form it takes the source, so the package works
with any part of them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "adr_core"
PLAIN = {"__init__.py", "errors.py", "steps.py"}
"""Not compiled: an exception that is a KeyError as well cannot be, `steps` says why it must not be,
and none of them takes any time."""
FLAGS = ("-ffp-contract=off", "-fvisibility=hidden")
"""No multiplication fused with an addition: it would round once where Python rounds twice. And no
function that others may put theirs in place of: calls within the core are then direct."""
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

extensions = mypycify(["--strict", *{files!r}], opt_level="3")
for extension in extensions:
    extension.extra_compile_args.extend({flags!r})
setup(name={name!r}, packages=[{name!r}], ext_modules=extensions)
"""


class CannotCompile(Exception):
    """What the compiler said."""


def compile_core(target: Path, *, name: str = "adr_core") -> None:
    """Makes the folder, with the package under that name in it. Takes half a minute.

    Raises CannotCompile, and leaves nothing behind.
    """
    with tempfile.TemporaryDirectory() as made:
        package = Path(made, name)
        package.mkdir()
        for file in sorted(SOURCE.glob("*.py")):
            text = file.read_text(encoding="utf-8").replace("adr_core", name)
            (package / file.name).write_text(text, encoding="utf-8")
        (package / "py.typed").touch()
        files = [f"{name}/{file.name}" for file in package.glob("*.py") if file.name not in PLAIN]
        setup = Path(made, "setup.py")
        setup.write_text(
            SETUP.format(files=sorted(files), flags=FLAGS, name=name), encoding="utf-8"
        )
        command = [sys.executable, str(setup), "--quiet", "build_ext", "--inplace"]
        done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotCompile((done.stdout + done.stderr).strip())
        setup.unlink()
        shutil.rmtree(Path(made, "build"), ignore_errors=True)
        shutil.copytree(made, target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compiles adr_core into a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--name", default="adr_core")
    options = parser.parse_args()
    try:
        compile_core(options.folder, name=options.name)
    except CannotCompile as error:
        sys.exit(str(error))
