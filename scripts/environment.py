"""Makes what the scripts run in: `.venv`, and for the bots a game server."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST = (3, 11)
ARENA = ROOT / "tests" / "e2e"
SQUID = ROOT / "plugin_bridge" / "mods" / "flying_squid"
NPM_CI = ("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")


def prepare(*, extra: str = "", about: str = "") -> Path:
    """Installs what is missing, at the versions in constraints.txt; the environment's python.

    Does nothing when pyproject.toml and constraints.txt are as they were. Whoever only asks for
    help gets `about`, if there is any, when something would have to be installed for more.
    """
    if sys.version_info < OLDEST:
        sys.exit(f"adr-bridge needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    wanted = _fingerprint([ROOT / "pyproject.toml", ROOT / "constraints.txt"])
    stamp = VENV / f".installed{extra}"
    if not (PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted):
        help_with(about)
        print("Installing into .venv (only the first time) ...", flush=True)
        _make_environment()
        target = f"{ROOT}[{extra}]" if extra else str(ROOT)
        constraints = str(ROOT / "constraints.txt")
        quiet = ("--quiet", "--disable-pip-version-check")
        _run(str(PYTHON), "-m", "pip", "install", *quiet, "-c", constraints, "-e", target)
        stamp.write_text(wanted)
    return PYTHON


def help_with(about: str) -> None:
    """Prints that and ends, if somebody only asks for help and there is any."""
    if about and {"-h", "--help"} & set(sys.argv[1:]):
        print(about.strip())
        sys.exit()


def _make_environment() -> None:
    """Makes `.venv` where there is none that works. One that somebody else has made is kept."""
    if not _succeeds("pass"):
        _run(sys.executable, "-m", "venv", "--clear", str(VENV))
    elif not _succeeds(f"import sys; assert sys.version_info >= {OLDEST}"):
        sys.exit(f"{VENV} has a Python that is too old; move it away and run this again")
    elif not _succeeds("import pip"):
        _run(str(PYTHON), "-m", "ensurepip")


def _succeeds(code: str) -> bool:
    """Whether the environment's python can do that."""
    try:
        return not subprocess.run(
            [str(PYTHON), "-c", code], capture_output=True, check=False
        ).returncode
    except OSError:
        return False


def prepare_arena(*, about: str = "") -> None:
    """Installs the game server, the bots and the mod as it is now. Needs npm. `about`: as above."""
    wanted = _fingerprint([ARENA / "package-lock.json", *sorted(SQUID.glob("*.js*"))])
    stamp = ARENA / "node_modules" / ".installed"
    if not (stamp.exists() and stamp.read_text() == wanted):
        help_with(about)
        npm = shutil.which("npm")
        if npm is None:
            sys.exit("this runs a game server on Node: install Node 20 or newer first")
        print("Installing the game server and the bots (only the first time) ...", flush=True)
        _run(npm, *NPM_CI[1:], cwd=ARENA)
        stamp.write_text(wanted)


def _fingerprint(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _run(*command: str, cwd: Path = ROOT) -> None:
    code = subprocess.run(command, cwd=cwd, check=False).returncode
    if code:
        sys.exit(f"this did not work (exit code {code}): {' '.join(command)}")
