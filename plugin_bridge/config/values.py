"""Single values: from the text an admin wrote to what the program works with.

Each reader raises Unfit with what it wants to see. YAML's own guesses play no part, so `off`,
`1:30` or `5m` mean here what they say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from plugin_bridge.config.problems import closest

T = TypeVar("T")

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII
)
_UNITS: Final = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION: Final = re.compile(
    "".join(rf"(?:(?P<{unit}>[0-9]+(?:\.[0-9]+)?)\s*{unit}\s*)?" for unit in _UNITS), re.ASCII
)
_YES: Final = frozenset({"true", "yes", "on", "y"})
_NO: Final = frozenset({"false", "no", "off", "n"})


class Unfit(Exception):
    """A value that cannot be used; `position` is the offset in the value, where one is to blame."""

    def __init__(
        self, message: str, *, suggestion: str | None = None, position: int | None = None
    ) -> None:
        super().__init__(message)
        self.suggestion = suggestion
        self.position = position


def boolean(text: str) -> bool:
    """`true`, `false`, `yes`, `no`, `on`, `off`, in any case."""
    word = text.strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise Unfit("must be true or false")


def whole(low: int, high: int) -> Callable[[str], int]:
    """Reader of a whole number within the bounds."""

    def read(text: str) -> int:
        if not _WHOLE.fullmatch(text.strip()) or not low <= int(text) <= high:
            raise Unfit(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def number(low: float = -math.inf, high: float = math.inf) -> Callable[[str], float]:
    """Reader of a number within the bounds."""
    wanted = "must be a number"
    if math.isfinite(low) and math.isfinite(high):
        wanted += f" from {low:g} to {high:g}"

    def read(text: str) -> float:
        text = text.strip()
        if not _NUMBER.fullmatch(text):
            dotted = text.replace(",", ".")
            raise Unfit(wanted, suggestion=dotted if _NUMBER.fullmatch(dotted) else None)
        value = float(text)
        if not math.isfinite(value) or not low <= value <= high:
            raise Unfit(wanted)
        return value

    return read


def duration(low: float = 0, high: float = math.inf, *, unit: str = "s") -> Callable[[str], float]:
    """Reader of a length of time such as `90`, `30s`, `1m30s`, `1h`, `1d`.

    Bounds and result are in `unit`, and so is a bare number.
    """
    factor = _UNITS[unit]
    wanted = "must be a length of time such as 30s, 5m, 1h or 1d"

    def read(text: str) -> float:
        text = text.strip().lower()
        parts = _DURATION.fullmatch(text)
        if _NUMBER.fullmatch(text):
            value = float(text)
        elif text and parts:
            seconds = sum(float(parts[name] or 0) * size for name, size in _UNITS.items())
            value = seconds / factor
        else:
            raise Unfit(wanted)
        if not math.isfinite(value) or not low <= value <= high:
            raise Unfit(f"must be {_span(low * factor, high * factor)}")
        return value

    return read


def choice(words: Mapping[str, T]) -> Callable[[str], T]:
    """Reader of one of several words; the ones shown are those that mean themselves."""
    shown = [word for word, value in words.items() if word == value]

    def read(text: str) -> T:
        word = text.strip().lower().replace("-", "_")
        if word not in words:
            raise Unfit(f"must be one of: {', '.join(shown)}", suggestion=closest(text, shown))
        return words[word]

    return read


def words(text: str) -> str:
    """Any text in one line."""
    if not text.strip() or not text.isprintable():
        raise Unfit("must be a text in one line")
    return text.strip()


def matching(
    pattern: str, wanted: str, *, repair: Callable[[str], str] | None = None
) -> Callable[[str], str]:
    """Reader of a text of a certain form; `repair` makes a guess at what was meant."""
    form = re.compile(pattern, re.ASCII)

    def read(text: str) -> str:
        text = text.strip()
        if form.fullmatch(text):
            return text
        guess = repair(text) if repair else ""
        raise Unfit(wanted, suggestion=guess if form.fullmatch(guess) else None)

    return read


def _span(low: float, high: float) -> str:
    if math.isinf(high):
        return f"at least {_said(low)}"
    return f"from {_said(low)} to {_said(high)}"


def _said(seconds: float) -> str:
    for unit, size in _UNITS.items():
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g}{unit}"
    return f"{seconds:g}s"
