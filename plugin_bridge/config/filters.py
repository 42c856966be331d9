"""The section `filters`."""

from __future__ import annotations

from typing import Final, get_args

from plugin_bridge.config.model import CombatLog, Filters, SameAddress
from plugin_bridge.config.reading import Report, Section
from plugin_bridge.config.values import choice, duration, words

_COMBAT_LOG: Final[dict[str, CombatLog]] = {word: word for word in get_args(CombatLog)}
_SAME_ADDRESS: Final[dict[str, SameAddress]] = {word: word for word in get_args(SameAddress)}


def filters(report: Report, root: Section) -> Filters:
    """Which kills are rated."""
    keys = ("worlds", "combat_window", "combat_log", "same_address")
    section = Section(report, root.get("filters"), "filters", keys)
    worlds = Section(report, section.get("worlds"), "worlds", ("only", "ignore"))
    return Filters(
        only=frozenset(name.casefold() for name in worlds.values("only", words)),
        ignore=frozenset(name.casefold() for name in worlds.values("ignore", words)),
        combat_window=section.value("combat_window", duration(0, 3600), 15.0),
        combat_log=section.value("combat_log", choice(_COMBAT_LOG), "kill"),
        same_address=section.value("same_address", choice(_SAME_ADDRESS), "rate"),
    )
