"""The compared systems with their usual settings."""

from __future__ import annotations

from adr_core import Parameters
from plugin_bridge.study.elo import DynamicElo, Elo
from plugin_bridge.study.packages import OpenSkill, TrueSkill
from plugin_bridge.study.systems import Adr, Glicko2, Guarded, Maker, System

__all__ = [
    "Adr",
    "DynamicElo",
    "Elo",
    "Glicko2",
    "Guarded",
    "Maker",
    "OpenSkill",
    "System",
    "TrueSkill",
    "makers",
]


def makers() -> dict[str, Maker]:
    """Every system with its usual settings, by the name it has in tables."""
    return {
        "ADR paper": lambda: Adr(Parameters.paper()),
        "ADR consistent": lambda: Adr(Parameters.consistent()),
        "Elo": Elo,
        "Elo dynamic K": DynamicElo,
        "Glicko-2": Glicko2,
        "TrueSkill": TrueSkill,
        "OpenSkill": OpenSkill,
    }
