"""The compared systems with their usual settings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from adr_core import Parameters
from plugin_bridge.study.elo import DynamicElo, Elo
from plugin_bridge.study.packages import OpenSkill, TrueSkill
from plugin_bridge.study.systems import Adr, Glicko2, Guarded, Maker, System

__all__ = [
    "PRESETS",
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


PRESETS = {
    "paper": Parameters.paper(),
    "consistent": Parameters.consistent(),
    "calibrated": Parameters.calibrated(),
}


def makers() -> dict[str, Maker]:
    """Every system with its usual settings, by the name it has in tables."""
    adr: dict[str, Maker] = {f"ADR {name}": partial(Adr, one) for name, one in PRESETS.items()}
    lossless = replace(PRESETS["consistent"], c_loss=1.0)
    return adr | {
        "ADR consistent, c_loss 1": partial(Adr, lossless),
        "Elo": Elo,
        "Elo dynamic K": DynamicElo,
        "Glicko-2": Glicko2,
        "TrueSkill": TrueSkill,
        "OpenSkill": OpenSkill,
    }
