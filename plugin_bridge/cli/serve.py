"""`adr-bridge serve`: runs the daemon, and says on one screen what an admin needs."""

import logging
import sys
from argparse import Namespace
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import time

from plugin_bridge import __version__, logs
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.servers import mod_url, paste_lines
from plugin_bridge.config import Config, load_config
from plugin_bridge.serving import run
from plugin_bridge.store import Store

log = logging.getLogger(__name__)

FIRST_SERVER = "survival"


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("serve", serve, "run the daemon")
    parser.add_argument("--log-format", choices=("text", "json"), default="text", help="(text)")


async def serve(options: Namespace) -> int:
    logs.set_up(options.log_format)
    config = load_config(options.config)
    for warning in config.warnings:
        log.warning("%s", warning)
    await run(config, options.config, ready=partial(_greeting, config, options.config))
    return 0


async def _greeting(config: Config, path: Path, store: Store, port: int) -> None:
    """The first screen. The very first start also makes a token, so that a mod can connect.

    Only on a terminal: anywhere else the token would stay in a log.
    """
    url = mod_url(replace(config.listen, port=port))
    servers = [server for server, _ in await store.registry.all()]
    lines = [
        f"adr-bridge {__version__} is ready",
        f"    listening  {config.listen.host}, port {port}",
        f"    data       {store.path}",
        f"    settings   {path.absolute()} (saved changes apply by themselves)",
    ]
    if servers:
        lines.append(f"    servers    {', '.join(servers)} (new token: adr-bridge server add NAME)")
    else:
        server = config.servers[0].name if config.servers else FIRST_SERVER
        if sys.stdout.isatty():
            token = await store.registry.add(server, now=time())
            lines += ["", *paste_lines(server, url, token), "", "Stop with Ctrl+C."]
        else:
            lines.append(f"    servers    none yet; make a token: adr-bridge server add {server}")
    with suppress(OSError):  # a full disk behind the screen is no reason to rate nobody
        print("\n".join(lines), flush=True)
