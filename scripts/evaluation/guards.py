"""What the limit on a pair is worth: farming with and without it, and what it costs the honest."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from adr_core import Parameters
from evaluation.claims import WARM, claimed
from evaluation.stream import Setting
from evaluation.study import Tick, studied
from evaluation.systems import PRESETS, Adr, Maker
from evaluation.tables import Column, measures

LIMIT = PRESETS["calibrated"].pair_limit
"""Points that a pair may move; the other presets have no limit unless one is set."""

COLUMNS: list[Column] = [
    ("trading, SD", "trading: rise", 2),
    ("places", "trading: places", 1),
    ("many victims, SD", "many victims: rise", 2),
    ("places", "many victims: places", 1),
    ("one accomplice, SD", "farm rise", 2),
    ("places", "farm places", 1),
    ("floor of log loss", "floor", 4),
    ("above it", "excess", 4),
    ("rank corr.", "rank correlation", 3),
]


def variants() -> dict[str, Parameters]:
    """Each preset without the limit and with it."""
    bases = {
        "paper": PRESETS["paper"],
        "consistent, c_loss 1": replace(PRESETS["consistent"], c_loss=1.0),
        "calibrated": PRESETS["calibrated"],
    }
    return {
        f"{name}, {words}": replace(base, pair_limit=limit)
        for name, base in bases.items()
        for words, limit in (("no limit", 0.0), (f"pair_limit {LIMIT:g}", LIMIT))
    }


def systems() -> dict[str, Maker]:
    return {name: partial(Adr, one) for name, one in variants().items()}


def guarded(
    setting: Setting, seeds: list[int], tick: Tick, *, warm: int = WARM
) -> dict[str, dict[str, list[float]]]:
    """The measures of each variant, a value for each seed: of the claims and of the arena."""
    values = claimed(setting.players, seeds, systems(), tick, warm=warm)
    study = studied(setting, seeds, systems(), tick)
    return {name: values[name] | study.values[name] for name in values}


def guards_section(values: dict[str, dict[str, list[float]]], seeds: int) -> str:
    return f"""## Guards against farming

{seeds} seeds; every system stands behind the cooldown of 2.1. `pair_limit` bounds the points that
one player can take from the same other one, net, within a day or so. *Trading* and *many victims*
are those of the claims; *one accomplice* is the farm of the arena. Places are of 100. The last
three columns are of the arena, and show what the limit costs those who fight fairly.

{measures(values, COLUMNS)}
"""
