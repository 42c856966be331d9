"""Names as a game server shows them: teams put something in front of a name, and behind it.

Whoever comes or goes is told of twice, by the bare name (`Ann lost connection: ...`) and then as
everybody sees it (`[Red] Ann left the game`). Only of such pairs is a look learnt, and only of
brackets and signs: with a chat plugin, lines may look like anything.
"""

import re
from collections.abc import Callable

NEAR_LINES = 20
"""So soon after its bare name a name is shown."""
_MOST = 200
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|<[^<>]*>|«[^«»]*»|【[^【】]*】")
_EMOTE = "* "
"""What `/me` puts in front of a name, and anything behind it."""


class Looks:
    def __init__(self) -> None:
        self._line = 0
        self._due: dict[str, int] = {}
        """Names that will be shown, and in which line that was told."""
        self._known: dict[tuple[str, str], None] = {}

    def pass_line(self) -> None:
        """Call it for every line of the log. O(1)."""
        self._line += 1

    def announce(self, name: str) -> None:
        """Somebody of that bare name is about to come or to go."""
        soon = {n: line for n, line in self._due.items() if self._line - line <= NEAR_LINES}
        self._due = soon | {name: self._line}

    def came_bare(self, name: str) -> None:
        """Whoever was announced was shown without anything around the name."""
        self._due.pop(name, None)

    def learn(self, shown: str, is_player: Callable[[str], bool]) -> None:
        """Somebody came or went and was shown like this. O(announced)."""
        for name, line in self._due.items():
            found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", shown)
            if not found or self._line - line > NEAR_LINES:
                continue
            look = shown[: found.start()], shown[found.end() :]
            if all(_harmless(side, is_player) for side in look):
                del self._due[name]
                if len(self._known) < _MOST:
                    self._known[look] = None
                return

    def bare(self, shown: str, is_player: Callable[[str], bool]) -> str | None:
        """The name of the player who is shown like this; None if there is none. O(looks)."""
        for before, after in self._known:
            if shown.startswith(before) and shown.endswith(after):
                name = shown[len(before) : len(shown) - len(after)]
                if is_player(name):
                    return name
        return None


def _harmless(look: str, is_player: Callable[[str], bool]) -> bool:
    """Whether it holds no word outside brackets, nobody's name in them, and is no emote."""
    if look.startswith(_EMOTE) or re.search(r"\w", _BRACKETS.sub("", look)):
        return False
    return not any(map(is_player, re.findall(r"\w+", look)))
