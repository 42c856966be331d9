"""Times as people type and read them on the command line."""

import argparse
import re
from datetime import UTC, date, datetime
from time import time

_DAY = 86_400.0
_UNITS = {"d": _DAY, "h": 3_600.0, "m": 60.0}


def moment(text: str) -> float:
    """Seconds since 1970 of `2026-11-30`, `2026-11-30 18:00` (UTC), or `3d`, `12h`, `90m` ago.

    A time may name its zone: `2026-11-30T18:00+01:00`. A day is meant from its beginning on.
    """
    ago = re.fullmatch(r"(\d{1,6})([dhm])", text)
    if ago:
        return time() - int(ago[1]) * _UNITS[ago[2]]
    try:
        when = datetime.fromisoformat(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: write 2026-11-30, '2026-11-30 18:00' (UTC), or 3d, 12h, 90m ago"
        ) from None


def last_moment(text: str) -> float:
    """As `moment`, but a day is meant up to its end."""
    start = moment(text)
    try:
        date.fromisoformat(text)
    except ValueError:
        return start
    return start + _DAY - 1e-6


def day(seconds: float) -> str:
    """When something was, to the minute."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
