"""Points in time as people write them in tables."""

from datetime import datetime, tzinfo

from plugin_bridge.gamelog.days import seconds

EXAMPLES = "seconds since 1970, or like 2024-05-01T18:30:00Z"
LATEST = 4_102_444_800.0


def read_moment(text: str, zone: tzinfo | None) -> float:
    """Seconds since 1970. Raises ValueError with words for people.

    zone: what a time without a zone is meant in; None: this machine's own.
    """
    text = text.strip()
    try:
        moment = float(text)
    except ValueError:
        moment = _written(text, zone)
    if not 0 <= moment <= LATEST:
        raise ValueError(f"{text!r} is no time between 1970 and 2100; write {EXAMPLES}")
    return moment


def _written(text: str, zone: tzinfo | None) -> float:
    try:
        found = datetime.fromisoformat(text)
        return found.timestamp() if found.tzinfo else seconds(found, zone)
    except (ValueError, OverflowError):  # also the year 1
        raise ValueError(f"{text!r} is no time; write {EXAMPLES}") from None
