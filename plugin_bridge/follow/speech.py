"""What the daemon says, as commands of a game server's console. Pure."""

import re
from collections.abc import Iterator

import msgspec

from plugin_bridge.follow.rcon import LONGEST_COMMAND
from plugin_bridge.text import Text, plain

_NAME = re.compile(r"[.*!+~-]?\w{1,40}")
"""Names that a console takes for a name and for nothing else."""
_WHERE = {"chat": None, "action_bar": "actionbar", "title": "title"}


def lines_to(name: str, lines: list[Text]) -> list[str]:
    """An answer in somebody's chat."""
    if not _NAME.fullmatch(name):
        return []
    return [_said(f"tellraw {name} ", line) for line in lines]


def told(name: str, where: str, text: Text, subtitle: Text | None) -> Iterator[str]:
    """A message for one player, or for everybody: then the name is `@a`."""
    if name != "@a" and not _NAME.fullmatch(name):
        return
    slot = _WHERE.get(where)
    if slot is None:
        yield _said(f"tellraw {name} ", text)
        return
    if subtitle is not None:
        yield _said(f"title {name} subtitle ", subtitle)
    yield _said(f"title {name} {slot} ", text)


def _said(command: str, text: Text) -> str:
    """With the text's colours, where the console has room for them."""
    full = command + msgspec.json.encode(text).decode()
    if len(full.encode()) <= LONGEST_COMMAND:
        return full
    return command + msgspec.json.encode({"text": plain(text)[:300]}).decode()
