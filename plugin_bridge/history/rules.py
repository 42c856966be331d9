"""Other parameters for a replay: what would everybody's rating be under them?"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from msgspec import structs

from adr_core import Parameters
from plugin_bridge.store.rows import LogEntry

Rules = Callable[[LogEntry], LogEntry]
"""From an entry of the log to what is rated in its place."""


def as_logged(entry: LogEntry) -> LogEntry:
    return entry


def preset(parameters: Parameters) -> Rules:
    """These parameters for every ladder, with the tiers that each had at the time."""

    def rules(entry: LogEntry) -> LogEntry:
        if entry.kind != "parameters":
            return entry
        logged = Parameters.from_dict(json.loads(entry.detail or ""))
        return _with(entry, replace(parameters, shares=logged.shares))

    return rules


def from_the_start(ladders: Mapping[str, Parameters]) -> Rules:
    """These parameters from the first day on, by ladder; a ladder that is not named keeps its."""

    def rules(entry: LogEntry) -> LogEntry:
        parameters = ladders.get(entry.ladder or "")
        if entry.kind != "parameters" or parameters is None:
            return entry
        return _with(entry, parameters)

    return rules


def _with(entry: LogEntry, parameters: Parameters) -> LogEntry:
    return structs.replace(entry, detail=json.dumps(parameters.to_dict()))
