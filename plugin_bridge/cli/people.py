"""Whom a name on the command line means."""

from plugin_bridge.errors import UsageError
from plugin_bridge.store import Store
from plugin_bridge.store.rows import NameRow


async def person_called(store: Store, typed: str) -> NameRow:
    """The player of that name or id. Raises UsageError unless it is clear who is meant."""
    typed = typed.encode(errors="replace").decode()
    found = await store.people.find(typed)
    if len(found) > 1:
        names = ", ".join(f"{one.name} ({one.player})" for one in found)
        raise UsageError(f"'{typed}' fits several players; name one by its id: {names}")
    if found:
        return found[0]
    by_id = await store.people.by_id(typed, in_log=True)
    if by_id is None:
        raise UsageError(f"nobody called '{typed}' has been seen")
    return by_id
