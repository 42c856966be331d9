"""Which ladder is meant on the command line."""

from plugin_bridge.config.model import MAIN_LADDER
from plugin_bridge.errors import UsageError
from plugin_bridge.store import Store


async def known_ladder(store: Store, asked: str | None) -> str:
    """The ladder that was asked for, or the main one. Raises UsageError if there is none.

    The daemon writes down the ladders of config.yml when it starts: before, there are none at all.
    """
    ladders = await store.board.ladders()
    ladder = asked or MAIN_LADDER
    if not ladders:
        raise UsageError(
            "there are no kills yet; play a while with the daemon running: adr-bridge serve"
        )
    if ladder not in ladders:
        raise UsageError(f"there is no ladder '{ladder}' (known: {', '.join(ladders)})")
    return ladder
