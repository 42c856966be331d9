"""The section `events`."""

from __future__ import annotations

from typing import Final, get_args

from plugin_bridge.config.model import EventEntry, Events, EventScore
from plugin_bridge.config.reading import Report, Section
from plugin_bridge.config.values import boolean, choice, duration, whole

LONGEST: Final = 1_440
"""Minutes: a day."""
_ENTRY: Final[dict[str, EventEntry]] = {word: word for word in get_args(EventEntry)}
_SCORE: Final[dict[str, EventScore]] = {word: word for word in get_args(EventScore)}


def events(report: Report, root: Section) -> Events:
    """How events go that an admin starts in the game."""
    keys = ("entry", "score", "length", "min_players", "ladder")
    section = Section(report, root.get("events"), "events", keys)
    return Events(
        entry=section.value("entry", choice(_ENTRY), "everybody"),
        score=section.value("score", choice(_SCORE), "kills"),
        length=section.value("length", duration(1 / 60, LONGEST, unit="m"), 20.0),
        min_players=section.value("min_players", whole(1, 1000), 4),
        ladder=section.value("ladder", boolean, True),
    )
