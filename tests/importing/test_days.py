"""From the hours in a log to moments."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from plugin_bridge.gamelog.days import Calendar, dated
from plugin_bridge.gamelog.lines import Line
from plugin_bridge.importing.logs import began, read_logs

BERLIN = ZoneInfo("Europe/Berlin")


def moments(first: date, *clocks: str, zone: object = UTC) -> list[str]:
    calendar = Calendar(first, zone)  # type: ignore[arg-type]
    return [
        datetime.fromtimestamp(
            calendar.moment(Line(time.fromisoformat(clock), "")), UTC
        ).isoformat()[:19]
        for clock in clocks
    ]


def test_a_day_ends_at_midnight_and_not_where_lines_got_mixed() -> None:
    assert moments(
        date(2024, 2, 28), "23:59:58", "23:59:57", "00:00:01", "23:00:00", "00:10:00"
    ) == [
        "2024-02-28T23:59:58",
        "2024-02-28T23:59:57",
        "2024-02-29T00:00:01",
        "2024-02-29T23:00:00",
        "2024-03-01T00:10:00",
    ]


def test_the_hour_that_comes_twice_in_autumn_is_told_apart() -> None:
    assert moments(
        date(2024, 10, 27), "01:30:00", "02:59:00", "02:01:00", "03:00:00", zone=BERLIN
    ) == [
        "2024-10-26T23:30:00",
        "2024-10-27T00:59:00",
        "2024-10-27T01:01:00",
        "2024-10-27T02:00:00",
    ]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("2024-05-01-2.log.gz", (date(2024, 5, 1), 2)),
        ("2024-05-01.log", (date(2024, 5, 1), 0)),
        ("server-2024-05-01-12.log", (date(2024, 5, 1), 12)),
        ("2024-13-01-2.log.gz", None),
        ("latest.log", None),
    ],
)
def test_rotated_logs_have_their_day_in_the_name(name: str, found: object) -> None:
    assert dated(name) == found


def test_a_log_begins_on_the_day_in_its_name(tmp_path: Path) -> None:
    log = tmp_path / "2024-05-01-2.log"
    log.write_text("[10:00:00] [x/INFO]: Bob joined the game\n", encoding="utf-8")
    assert began(log, UTC) == date(2024, 5, 1)
    assert began(log.rename(tmp_path / "latest.log"), UTC) != date(2024, 5, 1)


@pytest.mark.parametrize(
    ("written", "begins"),
    [
        (datetime(2024, 5, 3, 8, 0, 30, tzinfo=UTC), datetime(2024, 5, 1, 22, 0, tzinfo=UTC)),
        (datetime(2024, 5, 3, 7, 59, 59, tzinfo=UTC), datetime(2024, 5, 1, 22, 0, tzinfo=UTC)),
        (datetime(2024, 5, 3, 1, 0, tzinfo=UTC), datetime(2024, 4, 30, 22, 0, tzinfo=UTC)),
    ],
)
def test_latest_log_is_dated_back_from_when_it_was_written(
    tmp_path: Path, written: datetime, begins: datetime
) -> None:
    """Two midnights lie in it; its last line, of 8:00, is not later than the file."""
    log = tmp_path / "latest.log"
    clocks = ("22:00:00", "03:00:00", "23:30:00", "07:59:00", "08:00:00")
    lines = [f"[{clock}] [Server thread/INFO]: Ann was slain by Bob\n" for clock in clocks]
    log.write_text(
        "".join(["[22:00:00] [x/INFO]: Bob joined the game\n", *lines]), encoding="utf-8"
    )
    os.utime(log, (written.timestamp(), written.timestamp()))
    reading = read_logs([log], zone=UTC)
    assert reading.happenings[0][0].time == begins.timestamp()
    assert reading.happenings[0][-1].time == (begins + timedelta(hours=34)).timestamp()
