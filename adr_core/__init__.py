"""Adaptive Dynamic Rating: ratings, tiers and ranks for free-for-all arenas."""

from adr_core.errors import (
    EventError,
    ParameterError,
    RatingError,
    StateError,
    UnknownPlayerError,
)
from adr_core.ladder import Ladder
from adr_core.outcome import Calibration, Outcome, TierChange
from adr_core.parameters import Parameters
from adr_core.state import LadderState, PlayerState

__all__ = [
    "Calibration",
    "EventError",
    "Ladder",
    "LadderState",
    "Outcome",
    "ParameterError",
    "Parameters",
    "PlayerState",
    "RatingError",
    "StateError",
    "TierChange",
    "UnknownPlayerError",
]
