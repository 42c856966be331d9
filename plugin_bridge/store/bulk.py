"""Many rows in few statements.

Around every statement Python hands its lock over, and a busy loop is slow to give it back: rows
that go one by one would wait for the loop each time. A statement with many rows keeps SQLite at
work beside the loop.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final

_SIZES: Final = (512, 256, 128, 64, 32, 16, 8, 4, 2)
"""Rows of one statement. Each of these is prepared once, and remembered by its connection."""
_ROW: Final = re.compile(r"VALUES (\(\?(?:, \?)*\))")


def put(connection: sqlite3.Connection, sql: str, rows: Iterable[Sequence[Any]]) -> None:
    """Runs an INSERT with each of the rows in their order; other statements row by row."""
    most = connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) if _ROW.search(sql) else 0
    left = iter(rows)
    while some := list(islice(left, _SIZES[0])):  # a million at once would also have to go at once
        at = 0
        for size in _SIZES:
            while len(some) - at >= size and size * len(some[at]) <= most:
                values = tuple(chain.from_iterable(some[at : at + size]))
                connection.execute(_with_rows(sql, size), values)
                at += size
        connection.executemany(sql, some[at:])


@lru_cache(maxsize=256)
def _with_rows(sql: str, count: int) -> str:
    return _ROW.sub(lambda row: f"VALUES {', '.join([row[1]] * count)}", sql)
