"""Putting the plugin into the plugins folder of a Paper, Spigot or Folia server."""

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from plugin_bridge.errors import UsageError
from plugin_bridge.files import hand_over

MODULE = Path(__file__).parents[1] / "mods" / "paper"
JAR = "adr-bridge-paper.jar"
SETTINGS = Path("AdrBridge", "config.yml")


def prepare(folder: Path) -> Callable[[str, str], list[str]]:
    """Raises UsageError where there is no built plugin and none can be built."""
    return partial(_put, folder, _jar())


def _jar() -> Path:
    """The plugin as it came in the wheel; in a checkout it is built, when its sources are newer."""
    packaged, built = MODULE / JAR, MODULE / "target" / JAR
    if packaged.is_file():
        return packaged
    if not _fresh(built):
        maven = shutil.which("mvn")
        if maven is None or not (MODULE / "pom.xml").is_file():
            raise UsageError(
                "this installation holds no built plugin; with a JDK 17 and Maven here it is built "
                "by `scripts/serve`'s checkout or by `pip install` itself"
            )
        print("Building the plugin ...", flush=True)
        command = [maven, "--batch-mode", "--quiet", "-DskipTests", "package"]
        if subprocess.run(command, cwd=MODULE, check=False).returncode:  # noqa: S603
            raise UsageError("Maven could not build the plugin; see its message above")
    return built


def _fresh(built: Path) -> bool:
    if not built.is_file():
        return False
    sources = [MODULE / "pom.xml", *(MODULE / "src" / "main").rglob("*")]
    return built.stat().st_mtime >= max(source.stat().st_mtime for source in sources)


def _put(folder: Path, jar: Path, url: str, token: str) -> list[str]:
    """Copies the jar and sets url and token; other settings of an earlier installation stay."""
    shutil.copyfile(jar, folder / JAR)
    settings = folder / SETTINGS
    settings.parent.mkdir(exist_ok=True)
    if settings.is_file():
        text = settings.read_text(encoding="utf-8")
    else:
        with zipfile.ZipFile(jar) as archive:
            text = archive.read("config.yml").decode()
    text = _with(_with(text, "url", url), "token", token)
    descriptor = os.open(settings, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    hand_over(folder, folder / JAR, settings.parent)
    return [
        f"Copied {folder / JAR} and wrote {settings}, with a fresh token.",
        "Restart the game server; `adr-bridge status` then shows the mod as connected.",
    ]


def _with(text: str, key: str, value: str) -> str:
    """The settings with one value replaced, or added where it is missing."""
    line = f'{key}: "{value}"'
    changed, count = re.subn(rf"(?m)^{key}:.*$", lambda _: line, text, count=1)
    return changed if count else f"{text.rstrip()}\n{line}\n"
