"""What the scripts run in: no environment that works is wiped, and help needs none."""

import shutil
import signal
import subprocess
import sys
import venv
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPTS = ("serve", "test", "evaluate", "bench", "demo")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which nothing was installed yet."""
    (tmp_path / "scripts").mkdir()
    for name in ("environment.py", *SCRIPTS):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def loaded(checkout: Path) -> ModuleType:
    spec = spec_from_file_location("environment", checkout / "scripts" / "environment.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prepared(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands that would have been run: installing for real would need the network."""
    environment, commands = loaded(checkout), list[tuple[str, ...]]()
    monkeypatch.setattr(environment, "_run", lambda *command: commands.append(command))
    (checkout / ".venv").mkdir(exist_ok=True)
    environment.prepare()
    return commands


@pytest.mark.parametrize("script", SCRIPTS)
def test_asking_for_help_installs_and_wipes_nothing(checkout: Path, script: str) -> None:
    mine = checkout / ".venv" / "mine"
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    helped(checkout, script)
    assert list(mine.parent.iterdir()) == [mine]


@pytest.mark.parametrize("script", ["test", "demo"])
def test_nor_does_it_install_a_game_server_or_run_the_tests(checkout: Path, script: str) -> None:
    environment = loaded(checkout)
    venv.create(environment.VENV, symlinks=True)
    files = [checkout / name for name in ("pyproject.toml", "constraints.txt")]
    (environment.VENV / ".installed").write_text(environment._fingerprint(files))
    environment.ARENA.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "e2e" / "package-lock.json", environment.ARENA)
    helped(checkout, script)
    assert not (environment.ARENA / "node_modules").exists()


def test_ctrl_c_while_serve_prepares_ends_it_without_a_word(checkout: Path) -> None:
    slow = checkout / "scripts" / "hashlib.py"  # what preparing begins with
    slow.write_text("import os, time\nos.write(1, b'x')\ntime.sleep(30)\n", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(checkout / "scripts" / "serve")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as serve:
        assert serve.stdout and serve.stdout.read(1) == b"x"
        serve.send_signal(signal.SIGINT)
        _, said = serve.communicate(timeout=60)
    assert (serve.returncode, said) == (130, b"")


def helped(checkout: Path, script: str) -> None:
    command = [sys.executable, str(checkout / "scripts" / script), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert f"scripts/{script}" in done.stdout
    assert "Installing" not in done.stdout
    assert ">>>" not in done.stdout


def test_an_environment_made_by_hand_is_kept_and_added_to(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv.create(checkout / ".venv", with_pip=False, symlinks=True)
    pip, install = prepared(checkout, monkeypatch)
    assert pip[1:] == ("-m", "ensurepip")
    assert install[1:4] == ("-m", "pip", "install")


def test_where_there_is_none_or_a_broken_one_an_environment_is_made(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, install = prepared(checkout, monkeypatch)
    assert made[1:4] == ("-m", "venv", "--clear")
    assert install[1:4] == ("-m", "pip", "install")
