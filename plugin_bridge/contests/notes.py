"""What is written into the log of contests: kinds of entries, and entries before they have a place.

Of somebody who joins or leaves, the id is in `killer`.
"""

from dataclasses import dataclass

from plugin_bridge.store.rows import ContestRow, LogEntry

START, JOIN, LEAVE = "contest_start", "contest_join", "contest_leave"
END, CANCEL, VOID = "contest_end", "contest_cancel", "contest_void"


@dataclass(frozen=True, slots=True)
class Note:
    """An entry of the daemon's own lane, but for its numbers."""

    kind: str
    contest: int
    ladder: str
    time: float
    player: str | None = None
    detail: str | None = None

    def entry(self, *, position: int, lane: int, seq: int, received: float) -> LogEntry:
        return LogEntry(
            position=position,
            lane=lane,
            seq=seq,
            kind=self.kind,
            time=self.time,
            received=received,
            ladder=self.ladder,
            killer=self.player,
            detail=self.detail,
            contest=self.contest,
        )


def note(kind: str, row: ContestRow, time: float, player: str | None = None) -> Note:
    return Note(kind, row.contest, row.ladder, time, player)
