"""`adr-bridge install-mod`: copies a mod out of this package and gives it a fresh token."""

import shutil
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from plugin_bridge.cli.servers import mod_url, new_token
from plugin_bridge.config import load_config
from plugin_bridge.errors import UsageError

MODS = Path(__file__).parents[1] / "mods"


def _flying_squid(folder: Path, url: str, token: str) -> list[str]:
    """Copies the npm package; the server's own settings file stays the operator's."""
    target = folder / "adr-bridge-flying-squid"
    source = MODS / "flying_squid"
    ignored = shutil.ignore_patterns("node_modules", "test", "package-lock.json")
    shutil.copytree(source, target, dirs_exist_ok=True, ignore=ignored)
    return [
        f"Copied to {target}. Now, in {folder}:",
        "    npm install ./adr-bridge-flying-squid",
        "and add to `plugins` in the server's settings:",
        f'    "adr-bridge-flying-squid": {{ "url": "{url}", "token": "{token}" }}',
    ]


PLATFORMS: dict[str, Callable[[Path, str, str], list[str]]] = {"flying-squid": _flying_squid}
"""How each mod is put into a folder; returns what the admin has to do next."""


async def install(options: Namespace) -> int:
    if not options.folder.is_dir():
        raise UsageError(f"{options.folder} is no folder")
    config = load_config(options.config)
    url = mod_url(config.listen.host, config.listen.port, tls=config.listen.tls is not None)
    token = await new_token(config.storage.database, options.server)
    try:
        lines = PLATFORMS[options.platform](options.folder, url, token)
    except OSError as error:
        raise UsageError(f"cannot write to {options.folder}: {error.strerror}") from None
    print("\n".join(lines))
    return 0
