"""`adr-bridge server`: who may connect."""

from argparse import Namespace
from pathlib import Path
from time import time

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.moments import day
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.config import Listen, load_config
from plugin_bridge.store import Store


def add_to(command: Command) -> None:
    """The actions and their arguments."""
    actions = command.group("server", "game servers and their tokens")
    new = actions("add", add, "make a token, or a new one", output=True)
    new.add_argument("name", help="server id: small letters, digits, - and _")
    actions("list", list_all, "who may connect", output=True)
    gone = actions("remove", remove, "let a server connect no more")
    gone.add_argument("name")


async def add(options: Namespace) -> int:
    config = load_config(options.config)
    token = await new_token(config.storage.database, options.name)
    url = mod_url(config.listen)
    if options.json:
        print_json({"server": options.name, "token": token, "url": url})
    else:
        print("\n".join(paste_lines(options.name, url, token)))
    return 0


async def list_all(options: Namespace) -> int:
    async with reading(options) as (_, store):
        servers = await store.registry.all()
    if options.json:
        print_json([{"server": server, "created": created} for server, created in servers])
    else:
        print_table(("server", "token made"), [(s, day(created)) for s, created in servers])
    return 0


async def remove(options: Namespace) -> int:
    store = await Store.open(load_config(options.config).storage.database)
    try:
        await store.registry.remove(options.name)
    finally:
        await store.close()
    print(f"{options.name} can no longer connect; a running daemon closes its link in seconds.")
    return 0


async def new_token(database: Path, server: str) -> str:
    store = await Store.open(database)
    try:
        return await store.registry.add(server, now=time())
    finally:
        await store.close()


def mod_url(listen: Listen) -> str:
    """Where a mod on this machine connects to."""
    host = listen.host
    here = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"{'wss' if listen.tls else 'ws'}://{here}:{listen.port}/"


def paste_lines(server: str, url: str, token: str) -> list[str]:
    """What an admin copies into the mod's settings."""
    return [
        f"Paste into the settings of the mod on `{server}` (the token is shown only this once):",
        f'    url: "{url}"',
        f'    token: "{token}"',
    ]
