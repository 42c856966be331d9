"""Many rows in one statement come to the same as one by one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from plugin_bridge.store.bulk import put

UPSERT = (
    "INSERT INTO counts (key, times, share) VALUES (?, ?, ?) ON CONFLICT (key) "
    "DO UPDATE SET times = 2 * times + excluded.times, share = excluded.share"
)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.execute("CREATE TABLE counts (key TEXT PRIMARY KEY, times INTEGER, share REAL)")
        yield opened


def stored(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT * FROM counts ORDER BY key").fetchall()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 63, 64, 511, 512, 1_023, 1_531])
def test_rows_are_put_in_their_order_also_where_a_key_comes_again(
    connection: sqlite3.Connection, count: int
) -> None:
    rows = [(f"k{at * at % 37}", at % 3, at / 7) for at in range(count)]
    put(connection, UPSERT, iter(rows))
    found = stored(connection)
    connection.execute("DELETE FROM counts")
    connection.executemany(UPSERT, rows)
    assert found == stored(connection)


def test_a_row_takes_part_in_few_statements(connection: sqlite3.Connection) -> None:
    seen: list[str] = []
    connection.set_trace_callback(seen.append)
    put(connection, UPSERT, [(f"k{at}", 1, 0.5) for at in range(1_000)])
    assert len([sql for sql in seen if sql.startswith("INSERT")]) < 10
    assert len(stored(connection)) == 1_000


def test_no_statement_has_more_values_than_this_sqlite_takes(
    connection: sqlite3.Connection,
) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 100)
    put(connection, UPSERT, [(f"k{at}", 1, 0.5) for at in range(1_000)])
    assert len(stored(connection)) == 1_000


def test_a_statement_without_values_is_run_row_by_row(connection: sqlite3.Connection) -> None:
    put(connection, UPSERT, [("a", 1, 0.5), ("b", 1, 0.5), ("c", 1, 0.5)])
    put(connection, "DELETE FROM counts WHERE key = ?", [("a",), ("c",)])
    assert [row[0] for row in stored(connection)] == ["b"]
