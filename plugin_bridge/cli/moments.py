"""Times as people type them on the command line."""

import argparse
import re
from datetime import UTC, datetime
from time import time

_UNITS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0}


def moment(text: str) -> float:
    """Seconds since 1970 of `2026-11-30`, `2026-11-30 18:00` (UTC), or `3d`, `12h`, `90m` ago."""
    ago = re.fullmatch(r"(\d{1,6})([dhm])", text)
    if ago:
        return time() - int(ago[1]) * _UNITS[ago[2]]
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: write 2026-11-30, '2026-11-30 18:00' (UTC), or 3d, 12h, 90m ago"
        ) from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
