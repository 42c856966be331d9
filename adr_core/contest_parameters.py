"""The numbers that a contest rating depends on."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from adr_core.checks import CEILING, FLOOR, real
from adr_core.errors import ParameterError


@dataclass(frozen=True, kw_only=True, slots=True)
class ContestParameters:
    """With no arguments, the published ones. Raises ParameterError, as `Parameters` does.

    `k_provisional` holds for a player's first `provisional` contests, `k_intermediate` until
    `established` of them, `k_established` from then on. `delta_min` and `delta_max` limit what one
    contest may change, in rating points, as are `base_rating`, which is also the floor, and
    `scale`: that many points more make the odds of the better one ten times as good.
    """

    base_rating: float = 1500.0
    k_provisional: float = 40.0
    k_intermediate: float = 28.0
    k_established: float = 18.0
    provisional: int = 10
    established: int = 30
    expected_share: float = 0.85
    scale: float = 400.0
    delta_min: float = -200.0
    delta_max: float = 300.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            number = real(value)
            if number is None or abs(number) > CEILING:
                raise ParameterError(field.name, value, "must be a finite number within ±1e9")
            whole = field.name in ("provisional", "established")
            if whole and number != int(number):
                raise ParameterError(field.name, value, "must be a whole number")
            object.__setattr__(self, field.name, int(number) if whole else number)
        self._check()

    def _check(self) -> None:
        """The rules beyond being a number."""
        for name, good, rule in (
            ("k_provisional", self.k_provisional >= 0, "must not be negative"),
            ("k_intermediate", self.k_intermediate >= 0, "must not be negative"),
            ("k_established", self.k_established >= 0, "must not be negative"),
            ("provisional", self.provisional >= 0, "must not be negative"),
            ("established", self.established >= self.provisional, "must not be below provisional"),
            ("expected_share", 0 <= self.expected_share <= 1, "must be from 0 to 1"),
            ("scale", self.scale >= FLOOR, "must be above 0 (from 1e-9 to 1e9)"),
            ("delta_min", self.delta_min <= 0, "must not be above 0"),
            ("delta_max", self.delta_max >= 0, "must not be negative"),
        ):
            if not good:
                raise ParameterError(name, getattr(self, name), rule)

    def k(self, contests: int) -> float:
        """How far one contest may move somebody who has played that many before."""
        if contests < self.provisional:
            return self.k_provisional
        return self.k_intermediate if contests < self.established else self.k_established
