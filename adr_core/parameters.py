"""The parameters of the algorithm (section 9), each with the rule it has to keep."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Literal

from adr_core.errors import ParameterError
from adr_core.parameter_rules import checked, checked_order

VictimLoss = Literal["winner_probability", "prediction_error"]
Link = Literal["arctangent", "logistic"]
Evidence = Literal["event", "outcome"]
Preset = Literal["paper", "consistent", "calibrated"]

_CONSISTENT: Final[dict[str, Any]] = {
    "victim_loss": "prediction_error",
    "return_events": 15,
    "pool_drains": True,
}
"""What the consistent preset changes in the letter of the paper."""

_CALIBRATED: Final[dict[str, Any]] = {
    **_CONSISTENT,
    "link": "logistic",
    "lambda_": 0.0,
    "peak_power": 2.0,
    "eta_min": 0.5,
    "eta_max": 210.0,
    "sigma_peak": 700.0,
    "rho_s": 0.0,
    "rho_v": 0.0,
    "gamma_phi": 16.0,
    "lambda_phi": 0.025,
    "c_loss": 1.0,
    "gamma": 440.0,
    "evidence": "outcome",
    "trend_noise": 8500.0,
    "tau": 1000.0,
    "sigma_drift": 0.2,
    "delta_max": 100.0,
    "pair_limit": 20.0,
    "recentring": 0.02,
}
"""What the calibrated preset changes: the consistent switches, its own, and numbers."""

_PRESETS: Final[dict[str, dict[str, Any]]] = {
    "paper": {},
    "consistent": _CONSISTENT,
    "calibrated": _CALIBRATED,
}

_KEPT_BY: Final = (
    *("mu_min", "mu_max", "sigma_min", "sigma_max", "nu_min", "nu_max", "window"),
    *("n_active", "t_active", "return_events", "t_cooldown", "pairs_remembered"),
)
"""The bounds and lengths of what is kept of players and pairs."""

_AS_DELTA_MAX: Final = 1e300
"""Stands for "the change limit, whatever it is" until the parameters are checked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameters:
    """Every number the algorithm depends on; with no arguments, the letter of the paper.

    Rating points are the unit of `mu_*`, `sigma_*`, `theta`, `nu_*`, `delta_max`, `spread` and
    `h_req`. `t_cooldown` is in seconds; `tau`, `t_return` and `t_active` are in days, and
    `sigma_drift` in points per day. Raises ParameterError, which names field, value and rule.
    `dataclasses.replace` makes a changed copy, checked afresh.
    """

    # 2.2 and 4.2: where everybody starts, and the bounds nobody leaves
    mu_0: float = 1000.0
    mu_min: float = 0.0
    mu_max: float = 4000.0
    sigma_0: float = 350.0
    sigma_min: float = 10.0
    sigma_max: float = 400.0
    # 4.3 and 8.1: how uncertainty shrinks, and where learning peaks
    gamma: float = 100.0
    sigma_peak: float = 200.0
    # 4.1: the learning rate
    eta_min: float = 4.0
    eta_max: float = 40.0
    rho_s: float = 0.15
    s_max: int = 5
    rho_v: float = 0.3
    w_ref: float = 20.0
    gamma_phi: float = 0.3
    lambda_phi: float = 0.2
    c_loss: float = 0.8
    # 2.1
    t_cooldown: float = 60.0
    # 3.2: D = theta + lambda_ * mean sigma
    theta: float = 400.0
    lambda_: float = 0.5
    # 5
    tau: float = 30.0
    sigma_drift: float = 5.0
    # 8.2 to 8.4; a pool bound that is not given is that of delta_max (a replaced copy keeps it)
    delta_max: float = 60.0
    t_return: float = 60.0
    alpha: float = 0.7
    lambda_pool: float = 0.2
    nu_min: float = _AS_DELTA_MAX
    nu_max: float = _AS_DELTA_MAX
    # 6.1
    n_min: int = 15
    sigma_place: float = 180.0
    # 2.3
    t_active: float = 7.0
    n_active: int = 5
    # 6.3 and 6.4
    p_min: int = 20
    h_req: float = 400.0
    beta: float = 0.2
    # 2.2: the L of the sliding window
    window: int = 20
    # Beyond the table of section 9 (what each is for: the package's documentation)
    spread: float = 200.0
    pairs_remembered: int = 200_000
    shares: tuple[float, ...] = (1 / 15,) * 15
    victim_loss: VictimLoss = "winner_probability"
    return_events: int = 1
    pool_drains: bool = False
    # The switches of the calibrated preset, off as they stand here: 3.1, 8.1, 4.3 (both), 2.1 (in
    # points, which one may lately have won from one other, net) and 4.2 (a share, per event)
    link: Link = "arctangent"
    peak_power: float = 1.0
    evidence: Evidence = "event"
    trend_noise: float = 0.0
    pair_limit: float = 0.0
    recentring: float = 0.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = checked(field.name, self._given(field.name))
            object.__setattr__(self, field.name, value)
        checked_order(self)

    def _given(self, name: str) -> object:
        value = getattr(self, name)
        if value == _AS_DELTA_MAX and name in ("nu_min", "nu_max"):
            return -self.delta_max if name == "nu_min" else self.delta_max
        return value

    @classmethod
    def paper(cls) -> Parameters:
        """The letter of the paper, its three inconsistencies included; same as `Parameters()`."""
        return cls()

    @classmethod
    def consistent(cls) -> Parameters:
        """The paper's stated intent where its equations miss it (4.2, 8.2 and 8.3)."""
        return cls(**_CONSISTENT)

    @classmethod
    def calibrated(cls) -> Parameters:
        """The same idea and state, fitted to predict well and to be hard to farm (3, 4, 8)."""
        return cls(**_CALIBRATED)

    @property
    def tiers(self) -> int:
        """K, the number of tiers."""
        return len(self.shares)

    def keeps_as(self, other: Parameters) -> bool:
        """Whether what a ladder keeps under the others is just what it would keep under these."""
        return all(getattr(self, name) == getattr(other, name) for name in _KEPT_BY)

    def divides_as(self, other: Parameters) -> bool:
        """Whether tiers are cut in the same way (6.2 and 6.3) as under the others."""
        return (self.shares, self.mu_0, self.spread) == (other.shares, other.mu_0, other.spread)

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, in values that JSON has; from_dict gives back an equal object."""
        values: dict[str, Any] = {
            field.name: getattr(self, field.name) for field in dataclasses.fields(self)
        }
        values["shares"] = list(self.shares)
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], *, preset: Preset = "paper") -> Parameters:
        """Parameters by name; what is not named comes from the preset.

        Raises ParameterError for a name that does not exist, with the nearest one that does.
        """
        known = [field.name for field in dataclasses.fields(cls)]
        for name in values:
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise ParameterError(str(name), values[name], f"is not a parameter{hint}")
        if preset not in _PRESETS:
            raise ParameterError("preset", preset, f"must be one of {', '.join(_PRESETS)}")
        given: dict[str, Any] = {**_PRESETS[preset], **values}
        if isinstance(given.get("shares"), list):  # as JSON has it
            given["shares"] = tuple(given["shares"])
        for name in known:  # where this is compiled, 19.0 is given as no whole number
            if name in given and name != "shares":
                given[name] = checked(name, given[name])
        return cls(**given)
