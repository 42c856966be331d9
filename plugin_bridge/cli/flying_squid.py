"""Putting the flying-squid mod into a server's folder."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from plugin_bridge.files import hand_over

SOURCE = Path(__file__).parents[1] / "mods" / "flying_squid"
NAME = "adr-bridge-flying-squid"


def prepare(folder: Path) -> Callable[[str, str], list[str]]:
    return partial(_put, folder)


def _put(folder: Path, url: str, token: str) -> list[str]:
    """Copies the npm package; the server's own settings file stays the operator's."""
    ignored = shutil.ignore_patterns("node_modules", "test", "package-lock.json")
    shutil.copytree(SOURCE, folder / NAME, dirs_exist_ok=True, ignore=ignored)
    hand_over(folder, folder / NAME)
    return [
        f"Copied to {folder / NAME}. Now, in {folder}:",
        f"    npm install ./{NAME}",
        "and add to `plugins` in the server's settings (the token is shown only this once):",
        f'    "{NAME}": {{ "url": "{url}", "token": "{token}" }}',
    ]
