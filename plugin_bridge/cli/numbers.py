"""Numbers among the arguments of a command."""

from argparse import ArgumentTypeError

_MOST = 1_000_000


def positive(text: str) -> int:
    """A count or the number of something. Raises ArgumentTypeError."""
    if text.isascii() and text.isdecimal():
        digits = text.lstrip("0")
        if digits and len(digits) <= len(str(_MOST)) and int(digits) <= _MOST:
            return int(digits)
    raise ArgumentTypeError(f"{text[:40]!r} is no number from 1 to {_MOST}")
