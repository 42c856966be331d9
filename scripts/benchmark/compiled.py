"""The compiled form of the core, beside the plain one in the same process."""

from __future__ import annotations

import hashlib
import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import adr_core

NAME = "adr_core_compiled"
SCRIPT = Path(__file__).resolve().parents[1] / "compile_core.py"


def compiled_core(folder: Path) -> ModuleType | str:
    """The core under another name, compiled from the source as it is; else why there is none."""
    home = _made(folder, NAME)
    if isinstance(home, str):
        return home
    sys.path.insert(0, str(home))
    return importlib.import_module(NAME)


def let_daemons_have_it(folder: Path) -> None:
    """From now on whatever process is started has the compiled core. Raises SystemExit."""
    home = _made(folder, "adr_core")
    if isinstance(home, str):
        raise SystemExit(home)
    paths = [str(home), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


def _made(folder: Path, name: str) -> Path | str:
    """Made anew only when the source has changed."""
    home = folder.absolute() / f"{name}-{_fingerprint(Path(adr_core.__file__).parent)}"
    if not home.exists():
        command = [sys.executable, str(SCRIPT), str(home), "--name", name]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode:
            return f"not compiled: {made.stderr.strip().splitlines()[-1]}"
    return home


def _fingerprint(source: Path) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for file in (SCRIPT, *sorted(source.glob("*.py"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
