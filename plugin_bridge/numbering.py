"""How far the log goes, as a whole and in each lane."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from plugin_bridge.store.rows import LogEntry


@dataclass(slots=True)
class Numbering:
    """`end`: the last position; `last`: the last `seq` of each open lane."""

    end: int = 0
    last: dict[int, int] = field(default_factory=dict)

    def follow(self, entries: Sequence[LogEntry]) -> None:
        """Goes on to the end of these, which are in the order of the log."""
        self.last.update({entry.lane: entry.seq for entry in entries})
        if entries:
            self.end = entries[-1].position

    def copy(self) -> "Numbering":
        return Numbering(self.end, dict(self.last))
