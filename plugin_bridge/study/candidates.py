"""What stands to choice beside the settings in force, and how to write it into config.yml."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from adr_core import Parameters
from adr_core.parameters import Preset
from plugin_bridge.study.elo import DynamicElo, Elo
from plugin_bridge.study.systems import Adr, Glicko2, Maker

CURRENT = "your settings"

_KEPT: Final = (
    *("mu_0", "mu_min", "mu_max", "t_cooldown", "t_active", "n_active", "n_min", "sigma_place"),
    *("p_min", "h_req", "beta", "spread", "pairs_remembered", "shares"),
)
"""What an admin has set for other reasons than predictions stays as it is in every candidate."""

_GUARDS: Final = ("pair_limit", "delta_max", "nu_min", "nu_max")
"""Limits to what can be won by farming. Presets have their own; what an admin has set stays."""

_UNITS: Final = dict.fromkeys(("t_active", "t_return", "tau"), "d") | {"t_cooldown": "s"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A preset with changes. drifts: what its ratings do in the long run, if that is bad."""

    name: str
    preset: Preset
    changes: Mapping[str, float] = field(default_factory=dict)
    drifts: str = ""

    def parameters(self, current: Parameters, given: Set[str] = frozenset()) -> Parameters:
        """The candidate on the server where `current` is in force, with the names in `given` set by
        its admin."""
        own = current.to_dict()
        kept = {name: own[name] for name in (*_KEPT, *_guards(given))}
        return Parameters.from_dict({**kept, **self.changes}, preset=self.preset)

    def lines(
        self,
        current: Parameters,
        given: Set[str] = frozenset(),
        *,
        inherited: Set[str] = frozenset(),
    ) -> str:
        """The whole `rating` section that puts the candidate in force.

        inherited: the names that hold on this ladder unless its own section says something else.
        """
        plain = Parameters.from_dict({}, preset=self.preset).to_dict()
        own = current.to_dict()
        written = dict(self.changes) | {
            name: own[name] for name in _KEPT if name != "shares" and own[name] != plain[name]
        }
        written |= {name: own[name] for name in _guards(given)}
        wanted = self.parameters(current, given).to_dict()
        written |= {name: wanted[name] for name in sorted(inherited) if name != "shares"}
        inner = ", ".join(_line(name, value) for name, value in written.items())
        text = f"rating:\n  preset: {self.preset}\n"
        return text + (f"  parameters: {{{inner}}}\n" if inner else "")

    def unguarded(self, current: Parameters, given: Set[str] = frozenset()) -> bool:
        """Whether it lifts a limit to what one player may win from another."""
        return current.pair_limit > 0.0 == self.parameters(current, given).pair_limit


def _line(name: str, value: float | str) -> str:
    key = name.rstrip("_")
    if isinstance(value, bool):
        return f"{key}: {str(value).lower()}"
    if isinstance(value, str):
        return f"{key}: {value}"
    return f"{key}: {int(value) if value == int(value) else value}{_UNITS.get(name, '')}"


def _guards(given: Set[str]) -> list[str]:
    return [name for name in _GUARDS if name in given]


CANDIDATES: Final = (
    Candidate("calibrated", "calibrated"),
    Candidate("consistent, c_loss 1", "consistent", {"c_loss": 1.0}),
    Candidate("consistent", "consistent", drifts="all ratings creep upwards over months"),
    Candidate("paper", "paper", drifts="ratings drift apart to the lowest and the highest"),
)
"""Those that keep their scale in the long run come first."""


def systems(current: Parameters, given: Set[str] = frozenset()) -> dict[str, Maker]:
    """The settings in force, the candidates that differ from them, and the classic systems.

    given: the names of the parameters that the admin has set.
    TrueSkill and OpenSkill are among them where their packages are installed.
    """
    found: dict[str, Maker] = {CURRENT: partial(Adr, current)}
    for candidate in CANDIDATES:
        parameters = candidate.parameters(current, given)
        if parameters != current:
            found[candidate.name] = partial(Adr, parameters)
    return found | {"Elo": Elo, "Elo dynamic K": DynamicElo, "Glicko-2": Glicko2} | _packaged()


def _packaged() -> dict[str, Maker]:
    try:
        from plugin_bridge.study.packages import OpenSkill, TrueSkill  # noqa: PLC0415
    except ImportError:
        return {}
    return {"TrueSkill": TrueSkill, "OpenSkill": OpenSkill}
