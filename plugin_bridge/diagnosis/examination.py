"""Everything at once: the settings, this machine, the database, the daemon, mods, game servers."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

from plugin_bridge.config import Config, ConfigError, load_config
from plugin_bridge.diagnosis import links, machine
from plugin_bridge.diagnosis.certificates import certificate
from plugin_bridge.diagnosis.crowds import crowds
from plugin_bridge.diagnosis.findings import Finding, bad, ok, warning
from plugin_bridge.errors import StoreError
from plugin_bridge.monitor import ask
from plugin_bridge.status import Picture, last_picture
from plugin_bridge.store import Store


async def examine(path: Path) -> AsyncIterator[Finding]:
    """Looks at everything, in an order in which an earlier finding may explain a later one.

    Cost: a pass over the database, and a few seconds of waiting for others.
    """
    for finding in machine.versions():
        yield finding
    try:
        config = load_config(path)
    except ConfigError as error:
        for problem in error.problems:
            yield bad("settings", problem.headline, "mend that line; adr-bridge check-config")
        return
    for problem in config.warnings:
        yield warning("settings", problem.headline, "mend that line; adr-bridge check-config")
    if not config.warnings:
        yield ok("settings", f"{path} is well")
    async for finding in _with(config):
        yield finding


async def _with(config: Config) -> AsyncIterator[Finding]:
    database = config.storage.database
    for check in (machine.files, machine.disk):
        for finding in check(database):
            yield finding
    picture, registered = Picture(), [server.name for server in config.servers]
    if database.exists():
        try:
            store = await Store.read_only(database)
        except StoreError as error:
            yield bad("database", str(error), "do what it says, then ask the doctor again")
        else:
            try:
                async for finding in _database(store):
                    yield finding
                picture = await last_picture(store.health, now=time.time())
                registered = [server for server, _ in await store.registry.all()]
            except StoreError as error:
                yield bad("database", str(error), "restore a backup: adr-bridge restore FILE")
            finally:
                await store.close()
    running = picture.daemon is not None
    for finding in (
        *links.daemon(picture),
        *await machine.port(config.listen, running=running),
        *[f async for f in certificate(config.listen, running=running, now=time.time())],
        *(links.mods(picture, registered) if database.exists() else ()),
    ):
        yield finding
    asked = [server for server in config.servers if server.address]
    for view in await asyncio.gather(*map(ask, asked)):
        yield links.game_server(view)


async def _database(store: Store) -> AsyncIterator[Finding]:
    await store.check()
    size = store.path.stat().st_size / 1e6
    yield ok("database", f"whole and consistent, {size:.1f} MB")
    latest = await store.survey.latest()
    for finding in machine.clock(latest, now=time.time()):
        yield finding
    for one in await crowds(store):
        if one.cure:
            bounds = one.bounds
            yield warning(
                "ratings",
                f"{bounds.bottom + bounds.top} of {bounds.active} active players on {one.ladder} "
                "sit at the lowest or highest possible rating",
                f"under `rating` in config.yml: {one.cure}",
            )
