"""Makes the virtual environment that the other scripts run in: `.venv`, from pyproject.toml."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST = (3, 11)


def prepare(*, extra: str = "") -> Path:
    """Installs what is missing, at the versions in constraints.txt; the environment's python.

    Does nothing when pyproject.toml and constraints.txt are as they were.
    """
    if sys.version_info < OLDEST:
        sys.exit(f"adr-bridge needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    wanted = _fingerprint(extra)
    stamp = VENV / f".installed{extra}"
    if not (PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted):
        print("Installing into .venv (only the first time) ...", flush=True)
        if not PYTHON.exists():
            _run(sys.executable, "-m", "venv", str(VENV))
        target = f"{ROOT}[{extra}]" if extra else str(ROOT)
        constraints = str(ROOT / "constraints.txt")
        quiet = ("--quiet", "--disable-pip-version-check")
        _run(str(PYTHON), "-m", "pip", "install", *quiet, "-c", constraints, "-e", target)
        stamp.write_text(wanted)
    return PYTHON


def _fingerprint(extra: str) -> str:
    digest = hashlib.sha256(extra.encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def _run(*command: str) -> None:
    code = subprocess.run(command, check=False).returncode
    if code:
        sys.exit(f"this did not work (exit code {code}): {' '.join(command)}")
