"""The rules of one contest. They stand in the log with its start, so later settings change none."""

import msgspec
from msgspec import Struct

from plugin_bridge.config.model import EventEntry, EventScore


class Charter(Struct, frozen=True):
    """`server`: the game server where it takes place. `seconds`: how long.

    `entry`: whether everybody on that server takes part, or only who asks to. `players`: who takes
    part from the start. With fewer than `min_players` in the end it is not rated. `ladder`: whether
    its kills count for the ladder as well.
    """

    server: str
    name: str
    seconds: float
    score: EventScore
    entry: EventEntry
    min_players: int
    ladder: bool
    players: list[str]


def written(charter: Charter) -> str:
    """As the `detail` of the entry that starts it."""
    return msgspec.json.encode(charter).decode()


def read(detail: str) -> Charter:
    return msgspec.json.decode(detail, type=Charter)
