"""Whether the entries of a log that comes from elsewhere make sense, each and together. Pure."""

import json
from typing import get_args

from adr_core import Parameters
from adr_core.errors import RatingError
from plugin_bridge.contests import charter
from plugin_bridge.contests.notes import CANCEL, END, JOIN, LEAVE, START, VOID
from plugin_bridge.errors import StoreRefused
from plugin_bridge.history import amendments
from plugin_bridge.store.rows import LogEntry

_AMENDMENTS = {str(kind.__struct_config__.tag) for kind in get_args(amendments.Amendment)}
_CONTESTS = {START, JOIN, LEAVE, END, CANCEL, VOID}
_OTHERS = {"kill", "death", "rejected", "calibrate", "parameters"}
_NEEDED = {
    "kill": ("killer", "victim"),
    "death": ("victim",),
    "calibrate": ("ladder",),
    "parameters": ("ladder", "detail"),
    START: ("ladder", "detail"),
    JOIN: ("killer",),
    LEAVE: ("killer",),
}
"""Columns that may not be empty."""


class Sense:
    """Reads a log from its beginning on."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        """The last number of each lane."""
        self._ladders: set[str] = set()
        self._contests: set[int] = set()

    def fault(self, entry: LogEntry) -> tuple[str, str] | None:
        """The column of the next entry that makes no sense, and why; None if all do. O(1)."""
        if entry.kind not in _AMENDMENTS | _CONTESTS | _OTHERS:
            return "kind", f"there are no entries of the kind {entry.kind[:40]!r}"
        needed = _NEEDED.get(entry.kind, ()) + (("contest",) if entry.kind in _CONTESTS else ())
        for column in needed:
            if getattr(entry, column) in (None, ""):
                return column, f"is missing in an entry of the kind {entry.kind!r}"
        if entry.seq <= self._numbers.get(entry.lane, 0):
            return "seq", f"{entry.seq} comes again, or too late, in lane {entry.lane}"
        return self._detail(entry) or self._together(entry)

    def _together(self, entry: LogEntry) -> tuple[str, str] | None:
        """What it needs of those before it."""
        self._numbers[entry.lane] = entry.seq
        if entry.kind == "parameters" and entry.ladder:
            self._ladders.add(entry.ladder)
        if entry.kind in ("kill", "calibrate") and entry.ladder not in {None, *self._ladders}:
            return "ladder", f"no parameters of {entry.ladder!r} stand before this"
        if entry.kind == START and entry.contest is not None:
            if entry.contest in self._contests:
                return "contest", f"number {entry.contest} has begun before"
            self._contests.add(entry.contest)
        elif entry.contest is not None and entry.contest not in self._contests:
            return "contest", f"number {entry.contest} has not begun before"
        return None

    def _detail(self, entry: LogEntry) -> tuple[str, str] | None:
        detail = entry.detail or ""
        try:
            if entry.kind == "parameters":
                Parameters.from_dict(json.loads(detail))
            elif entry.kind == START:
                charter.read(detail)
            elif entry.kind in _AMENDMENTS:
                amendments.read(entry)
                if json.loads(detail)["kind"] != entry.kind:
                    return "kind", f"{entry.kind!r} does not fit what `detail` says"
        except (RatingError, StoreRefused, ValueError, TypeError, AttributeError) as error:
            return "detail", f"makes no sense: {error}"
        return None
