"""What must be true of a database whatever happened to the daemon, and copies to look into."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from ..daemon.running import Home

LAUNCHER = str(Path(__file__).with_name("launcher.py"))
Recorded = Mapping[str, Sequence[tuple[str, str]]]
"""By server, in order: who killed whom."""


def under(*misfortunes: str) -> tuple[str, ...]:
    """The program to start in the place of the daemon's own, so that these befall it."""
    return (LAUNCHER, *misfortunes, "--")


def rows_of_dead(home: Home, sql: str) -> list[tuple[object, ...]]:
    """What a daemon left when it was killed, without recovering it: the next one has to do that."""
    copy = home.folder / "copy.sqlite3"
    for ending in ("", "-wal"):
        Path(f"{copy}{ending}").unlink(missing_ok=True)
        if (left := Path(f"{home.database}{ending}")).exists():
            shutil.copy(left, f"{copy}{ending}")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute(sql).fetchall()


def stored(home: Home) -> dict[str, int]:
    """The last number of each server that a killed daemon has stored."""
    sql = "SELECT server, max(seq) FROM events JOIN lanes USING (lane) GROUP BY lane"
    return dict(rows_of_dead(home, sql))  # type: ignore[arg-type]


async def assert_sound(home: Home, recorded: Recorded) -> None:
    """Every recorded kill is in the log, once and in order, and all else follows from the log."""
    assert home.rows("PRAGMA integrity_check") == [("ok",)]
    assert home.rows("PRAGMA foreign_key_check") == []
    (count,) = home.rows("SELECT count(*), max(position) FROM events")
    assert count[0] == count[1]
    for server, kills in recorded.items():
        logged = home.rows(
            "SELECT seq, killer, victim FROM events JOIN lanes USING (lane) WHERE server = ? "
            "ORDER BY position",
            server,
        )
        assert logged == [(seq, *kill) for seq, kill in enumerate(kills, start=1)]
    positions = home.rows("SELECT position FROM events WHERE kind = 'kill' ORDER BY position")
    assert positions == home.rows("SELECT position FROM outcomes ORDER BY position")
    assert len(positions) == sum(map(len, recorded.values()))
    counted = home.rows("SELECT count(*), count(*) FROM outcomes WHERE reason IS NULL")
    assert home.rows("SELECT sum(kills), sum(deaths) FROM players") == counted
    await home.replays()
