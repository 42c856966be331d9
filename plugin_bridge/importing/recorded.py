"""What a database knows already of those whose kills come from elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plugin_bridge.store import Store
from plugin_bridge.store.transfer import Known


@dataclass(frozen=True, slots=True)
class Recorded:
    """names: by id. ids: by name; of several who had it, the one seen last. kills: those of one
    server. servers: all that have reported something.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    kills: tuple[Known, ...] = ()
    servers: tuple[str, ...] = ()


async def recorded(database: Path, server: str) -> Recorded:
    """Makes no database where there is none. Raises StoreError. Cost: a pass over it."""
    if not database.exists() or not database.stat().st_size:
        return Recorded()
    store = await Store.read_only(database)
    try:
        return await recorded_in(store, server)
    finally:
        await store.close()


async def recorded_in(store: Store, server: str) -> Recorded:
    """The same of an open store."""
    rows = sorted([row async for row in store.transfer.names()], key=lambda row: (row[2], row[0]))
    return Recorded(
        names={player: name for player, name, _ in rows if name},
        ids={name: player for player, name, _ in rows if name},
        kills=tuple(await store.transfer.known(server)),
        servers=tuple(await store.survey.servers()),
    )
