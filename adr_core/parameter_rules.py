"""What each parameter may be: kind, range, and the order some of them must keep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from adr_core.checks import CEILING, FLOOR, real
from adr_core.errors import ParameterError


@dataclass(frozen=True, slots=True)
class _Range:
    """A closed interval, and how to say it to the person who left it."""

    low: float
    high: float
    words: str
    whole: bool = False


_ANY: Final = _Range(-CEILING, CEILING, "must be a finite number within ±1e9")
_NOT_NEGATIVE: Final = _Range(0.0, CEILING, "must be a number from 0 to 1e9")
_POSITIVE: Final = _Range(FLOOR, CEILING, "must be a number above 0 (from 1e-9 to 1e9)")
_FRACTION: Final = _Range(0.0, 1.0, "must be a number from 0 to 1")
_PORTION: Final = _Range(FLOOR, 1.0, "must be a number above 0 and at most 1")
_COUNT: Final = _Range(0, 1e9, "must be a whole number from 0 to 1e9", whole=True)
_AT_LEAST_ONE: Final = _Range(1, 1e9, "must be a whole number from 1 to 1e9", whole=True)
_LENGTH: Final = _Range(1, 1e4, "must be a whole number from 1 to 10000", whole=True)
_NOT_ABOVE_0: Final = _Range(-CEILING, 0.0, "must be a number from -1e9 to 0")

_RANGES: Final[dict[str, _Range]] = {
    "mu_0": _ANY,
    "mu_min": _ANY,
    "mu_max": _ANY,
    "sigma_0": _POSITIVE,
    "sigma_min": _POSITIVE,
    "sigma_max": _POSITIVE,
    "gamma": _POSITIVE,
    "sigma_peak": _POSITIVE,
    "eta_min": _NOT_NEGATIVE,
    "eta_max": _NOT_NEGATIVE,
    "rho_s": _NOT_NEGATIVE,
    "s_max": _COUNT,
    "rho_v": _NOT_NEGATIVE,
    "w_ref": _POSITIVE,
    "gamma_phi": _NOT_NEGATIVE,
    "lambda_phi": _FRACTION,
    "c_loss": _PORTION,
    "t_cooldown": _NOT_NEGATIVE,
    "theta": _POSITIVE,
    "lambda_": _NOT_NEGATIVE,
    "tau": _POSITIVE,
    "sigma_drift": _NOT_NEGATIVE,
    "t_return": _NOT_NEGATIVE,
    "alpha": _FRACTION,
    "lambda_pool": _PORTION,
    "nu_min": _NOT_ABOVE_0,
    "nu_max": _NOT_NEGATIVE,
    "delta_max": _POSITIVE,
    "n_min": _COUNT,
    "sigma_place": _POSITIVE,
    "t_active": _POSITIVE,
    "n_active": _LENGTH,
    "p_min": _AT_LEAST_ONE,
    "h_req": _POSITIVE,
    "beta": _PORTION,
    "window": _LENGTH,
    "spread": _POSITIVE,
    "pairs_remembered": _AT_LEAST_ONE,
    "return_events": _AT_LEAST_ONE,
    "peak_power": _POSITIVE,
    "trend_noise": _NOT_NEGATIVE,
    "pair_limit": _NOT_NEGATIVE,
    "recentring": _FRACTION,
}

_ORDER: Final = (
    ("mu_min", "mu_0"),
    ("mu_0", "mu_max"),
    ("sigma_min", "sigma_0"),
    ("sigma_0", "sigma_max"),
    ("eta_min", "eta_max"),
)

_WORDS: Final = {
    "victim_loss": ("winner_probability", "prediction_error"),
    "link": ("arctangent", "logistic"),
    "evidence": ("event", "outcome"),
}
_SMALLEST_SHARE: Final = 1e-6
_MOST_TIERS: Final = 1000


def checked(name: str, value: object) -> object:
    """The value in its proper type (numbers as float or int, shares as a tuple adding up to 1)."""
    if name == "shares":
        return _shares(value)
    if name in _WORDS:
        if value not in _WORDS[name]:
            raise ParameterError(name, value, f"must be one of {', '.join(_WORDS[name])}")
        return value
    if name == "pool_drains":
        if not isinstance(value, bool):
            raise ParameterError(name, value, "must be true or false")
        return value
    rule = _RANGES[name]
    number = real(value)
    if number is None or not rule.low <= number <= rule.high:
        raise ParameterError(name, value, rule.words)
    if not rule.whole:
        return number
    if number != math.floor(number):
        raise ParameterError(name, value, rule.words)
    return int(number)


def checked_order(parameters: object) -> None:
    """Raises ParameterError when a lower bound stands above what it bounds."""
    for lower, upper in _ORDER:
        low, high = getattr(parameters, lower), getattr(parameters, upper)
        if low > high:
            raise ParameterError(upper, high, f"must not be below {lower} ({low!r})")
    low, high = getattr(parameters, "mu_min"), getattr(parameters, "mu_max")  # noqa: B009
    if low == high:
        raise ParameterError("mu_max", high, f"must be above mu_min ({low!r})")


def _shares(value: object) -> tuple[float, ...]:
    """Target shares of the tiers, best first (6.3), scaled so that they add up to exactly 1."""
    if not isinstance(value, tuple | list) or not 2 <= len(value) <= _MOST_TIERS:
        raise ParameterError("shares", value, "must list from 2 to 1000 tiers' shares, best first")
    shares: list[float] = []
    for place, item in enumerate(value, start=1):
        share = real(item)
        if share is None or not _SMALLEST_SHARE <= share <= 1.0:
            rule = "must be a number from 1e-6 to 1"
            raise ParameterError(f"shares[{place}]", item, rule)
        shares.append(share)
    total = math.fsum(shares)
    if abs(total - 1.0) > 1e-6:
        raise ParameterError("shares", value, f"must add up to 1, not to {total!r}")
    if abs(total - 1.0) <= 1e-12:
        return tuple(shares)  # as it stands, so that checking twice changes nothing
    return tuple(share / total for share in shares)
