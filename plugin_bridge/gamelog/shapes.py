"""What was not understood, counted by what it looks like."""

import re
from collections import Counter
from collections.abc import Callable

_MOST = 20_000
_LONGEST = 100
_QUIET = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\[[^\]]*\]|\([^)]*\)|\"[^\"]*\"|'[^']*'|[/\\][^\s]+"
)
_NUMBER = re.compile(r"-?\d+(?:[.,:]\d+)*")


class Shapes:
    """Bounded: after 20,000 different shapes the new ones are counted as one."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, text: str) -> None:
        first, _, rest = text[:400].partition(" ")
        key = (first, _NUMBER.sub("#", _QUIET.sub("…", rest))[:_LONGEST])
        if key not in self._counts and len(self._counts) >= _MOST:
            key = ("…", "")
        self._counts[key] += 1

    def all(self) -> list[tuple[str, int]]:
        """All shapes, the most frequent first."""
        return self.others(lambda _: False)

    def of_players(self, is_player: Callable[[str], bool]) -> list[tuple[str, int]]:
        """Shapes that begin with a player's name, the most frequent first."""
        found: Counter[str] = Counter()
        for (first, rest), count in self._counts.items():
            if is_player(first):
                found[f"PLAYER {rest}"] += count
        return found.most_common()

    def others(self, is_player: Callable[[str], bool]) -> list[tuple[str, int]]:
        """All other shapes, the most frequent first."""
        found: Counter[str] = Counter()
        for (first, rest), count in self._counts.items():
            if not is_player(first):
                found[f"{_NUMBER.sub('#', _QUIET.sub('…', first))} {rest}".strip()] += count
        return found.most_common()
