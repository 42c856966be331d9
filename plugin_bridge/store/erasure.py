"""Erasing a name wherever it stands and nothing follows from it, also in the log.

To everybody else the log is append-only. Nothing is rated by what is changed here: by the packets
that were set aside, and by the reasons that admins gave.
"""

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from plugin_bridge.protocol.nameless import nameless
from plugin_bridge.store.database import Database
from plugin_bridge.store.history import LANE

_GUARD = "events_are_never_changed"
_REJECTED = "SELECT position, detail FROM events WHERE kind = 'rejected' AND detail IS NOT NULL"
_AMENDMENTS = """
SELECT position, detail FROM events JOIN lanes USING (lane) WHERE (server, spool) = (?, ?)
"""


async def erase(writer: Database, players: Sequence[str], names: Mapping[str, str]) -> None:
    """Erases the `names` of these players, and every text in a packet that was set aside: nobody
    knows which of them are names. It is written over, not only marked as free.

    All of it or nothing, durable on return. Raises StoreError. Cost: a pass over the log.
    """
    await writer.run("PRAGMA secure_delete = ON")
    packets = [
        (less, position)
        async for position, detail in writer.stream(_REJECTED)
        if (less := nameless(detail)) != detail
    ]
    async with writer.transaction():
        await writer.run_many(
            "DELETE FROM people WHERE player = ?", [(player,) for player in players]
        )
        async with _unguarded(writer):
            await writer.run_many("UPDATE events SET detail = ? WHERE position = ?", packets)
            if names:
                await _erase_in_reasons(writer, names)


def without(names: Mapping[str, str], reason: str) -> str:
    """What an admin gave as a reason, with the ids in the place of the names."""
    for player, name in names.items():
        whole = rf"(?<!\w){re.escape(name)}(?!\w)"
        reason = re.sub(whole, player, reason, flags=re.IGNORECASE)
    return reason


async def _erase_in_reasons(writer: Database, names: Mapping[str, str]) -> None:
    for sql, values, change in (
        (_AMENDMENTS, LANE, "UPDATE events SET detail = ? WHERE position = ?"),
        ("SELECT number, detail FROM orders", (), "UPDATE orders SET detail = ? WHERE number = ?"),
    ):
        for key, detail in await writer.rows(sql, values):
            amendment = json.loads(detail)
            reason = without(names, amendment.get("reason", ""))
            if reason != amendment.get("reason", ""):
                amendment["reason"] = reason
                await writer.run(change, (json.dumps(amendment, ensure_ascii=False), key))


@asynccontextmanager
async def _unguarded(writer: Database) -> AsyncIterator[None]:
    """Lets the log be changed, within a transaction: nobody else ever sees it without its guard."""
    sought = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?"
    ((guard,),) = await writer.rows(sought, (_GUARD,))
    await writer.run(f"DROP TRIGGER {_GUARD}")
    yield
    await writer.run(guard)
