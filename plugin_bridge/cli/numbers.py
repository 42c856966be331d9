"""Numbers among the arguments of a command."""

import re
from argparse import ArgumentTypeError

_MOST = 1_000_000
_LOGGED = re.compile(r"[0-9]{1,18}")
_WAITING = re.compile(r"w[0-9]{1,18}")


def positive(text: str) -> int:
    """A count or the number of something. Raises ArgumentTypeError."""
    if text.isascii() and text.isdecimal():
        digits = text.lstrip("0")
        if digits and len(digits) <= len(str(_MOST)) and int(digits) <= _MOST:
            return int(digits)
    raise ArgumentTypeError(f"{text[:40]!r} is no number from 1 to {_MOST}")


def logged(text: str) -> int:
    """The position of something in the log. Raises ArgumentTypeError."""
    if _LOGGED.fullmatch(text):
        return int(text)
    raise ArgumentTypeError(f"{text[:40]!r} is no number of the history")


def logged_or_waiting(text: str) -> str:
    """As it stands in the history, also for what has no position yet. Raises ArgumentTypeError."""
    return text if _WAITING.fullmatch(text) else str(logged(text))
