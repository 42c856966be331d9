"""`adr-bridge install-mod`: copies a mod out of this package and gives it a fresh token."""

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from plugin_bridge.cli import flying_squid, paper
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.servers import mod_url, new_token
from plugin_bridge.config import load_config
from plugin_bridge.errors import UsageError

PLATFORMS: dict[str, Callable[[Path], Callable[[str, str], list[str]]]] = {
    "flying-squid": flying_squid.prepare,
    "paper": paper.prepare,
}
"""For each platform: what looks whether the mod can be put into a folder, and returns what puts it
there with url and token and says what is left to do. So a token is made only when it is needed."""


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("install-mod", install, "copy a mod to a game server and set it up")
    parser.add_argument("platform", choices=sorted(PLATFORMS))
    parser.add_argument("folder", type=Path, help="where to: the game server's plugin folder")
    parser.add_argument("--server", required=True, metavar="NAME", help="server id")


async def install(options: Namespace) -> int:
    if not options.folder.is_dir():
        raise UsageError(f"{options.folder} is no folder")
    config = load_config(options.config)
    try:
        put = PLATFORMS[options.platform](options.folder)
        token = await new_token(config.storage.database, options.server)
        lines = put(mod_url(config.listen), token)
    except OSError as error:
        raise UsageError(f"{error.filename or options.folder}: {error.strerror}") from None
    print("\n".join(lines))
    return 0
