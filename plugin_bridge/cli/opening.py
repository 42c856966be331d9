"""The settings and the database that a command works with."""

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from plugin_bridge.config import Config, load_config
from plugin_bridge.store import Store


@asynccontextmanager
async def reading(options: Namespace) -> AsyncIterator[tuple[Config, Store]]:
    """For looking at what is there, also while the daemon runs. Raises BridgeError."""
    config = load_config(options.config)
    store = await Store.read_only(config.storage.database)
    try:
        yield config, store
    finally:
        await store.close()


@asynccontextmanager
async def amending(options: Namespace) -> AsyncIterator[tuple[Config, Store]]:
    """For changing what is there. Raises BridgeError, also where there is no database yet."""
    async with reading(options) as (config, _):
        pass
    store = await Store.open(config.storage.database)
    try:
        yield config, store
    finally:
        await store.close()
