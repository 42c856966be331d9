"""Options of the commands that read a game server's log."""

import re
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from plugin_bridge.errors import UsageError
from plugin_bridge.gamelog.deaths import own_form
from plugin_bridge.gamelog.lines import likely_date


def add_reading(parser: ArgumentParser) -> None:
    """For those who read logs: what these do not tell by themselves."""
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME",
        help="a name that is a player's, though nothing that is read tells of it",
    )
    parser.add_argument(
        "--pattern",
        action="append",
        default=[],
        metavar="WORDS",
        help="a death message of a plugin, such as 'KILLER has slain VICTIM with ITEM'",
    )


def death_messages(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Raises UsageError."""
    try:
        return tuple(map(own_form, patterns))
    except ValueError as error:
        raise UsageError(f"--pattern: {error}") from None


def time_zone(name: str | None) -> tzinfo | None:
    """None: this machine's own. Raises UsageError."""
    if name is None:
        return None
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"'{name}' is no time zone; write one such as Europe/Berlin") from None


def first_day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").date()
        return likely_date(day.year, day.month, day.day)
    except ValueError:
        raise UsageError(f"'{text}' is no date of a log; write it like 2024-05-01") from None
