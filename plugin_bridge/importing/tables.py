"""CSV and JSON Lines, row by row, with the place of each value for those who have to mend one."""

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from plugin_bridge.errors import UsageError
from plugin_bridge.files import unpacked
from plugin_bridge.spreadsheets import unguarded

_REPORTED = 10
csv.field_size_limit(1 << 20)


@dataclass(frozen=True, slots=True)
class Row:
    """A row by column names; None and '' are both nothing. `line` counts from 1."""

    line: int
    values: dict[str, Any]

    def text(self, column: str) -> str:
        value = self.values.get(column)
        return "" if value is None else str(value).strip()


class Faults:
    """Collects what is wrong with a table, so that it can be mended at once."""

    def __init__(self, file: str, columns: Sequence[str]) -> None:
        self._file = file
        self._columns = list(columns)
        self._found: list[str] = []

    def add(self, line: int, column: str, words: str) -> None:
        """Raises UsageError when there are so many that they will do."""
        number = self._columns.index(column) + 1 if column in self._columns else 1
        self._found.append(f"{self._file}:{line}:{number}: `{column}`: {words}")
        if len(self._found) == _REPORTED:
            self._found.append("... and perhaps more; nothing was imported")
            raise UsageError("\n".join(self._found))

    def check(self) -> None:
        """Raises UsageError if there was anything."""
        if self._found:
            raise UsageError("\n".join([*self._found, "nothing was imported"]))


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """A text file, packed or not. Raises UsageError for what cannot be read."""
    try:
        with (
            unpacked(path) as content,
            TextIOWrapper(content, encoding="utf-8-sig", newline="") as file,
        ):
            yield file
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def columns_of(path: Path) -> tuple[str, ...]:
    """The names of a table's columns, of JSON Lines those of the first row; () if it is neither."""
    with opened(path) as file:
        head = file.readline(1 << 20).strip()
    if head.startswith("{"):
        try:
            row = json.loads(head)
        except ValueError:
            return ()
        return tuple(row)
    names = next(csv.reader([head], delimiter=_delimiter(head)), [])
    return tuple(name.strip().lower() for name in names)


def rows_of(path: Path) -> Iterator[Row]:
    """The rows of either kind of table. Raises UsageError, naming the line."""
    with opened(path) as file:
        head = file.readline(1 << 20)
        file.seek(0)
        yield from (
            _objects(path, file)
            if head.lstrip().startswith("{")
            else _cells(path, file, _delimiter(head))
        )


def _delimiter(head: str) -> str:
    """Spreadsheets of some countries put semicolons."""
    return max(",;\t", key=head.count)


def _cells(path: Path, file: TextIO, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        while True:
            line = reader.line_num + 1
            cells = next(reader, None)
            if cells is None:
                return
            if not cells:
                continue
            if len(cells) != len(names):
                raise UsageError(
                    f"{path.name}:{line}:{min(len(cells), len(names)) + 1}: {len(cells)} values in "
                    f"this row, but {len(names)} columns; nothing was imported"
                )
            yield Row(line, dict(zip(names, map(unguarded, cells), strict=True)))
    except csv.Error as error:
        place = f"{path.name}:{reader.line_num}:1"
        raise UsageError(f"{place}: {error}; nothing was imported") from None


def _objects(path: Path, file: TextIO) -> Iterator[Row]:
    for line, text in enumerate(file, start=1):
        if not text.strip():
            continue
        try:
            values = json.loads(text)
        except ValueError as error:
            column = getattr(error, "colno", 1)
            place = f"{path.name}:{line}:{column}"
            raise UsageError(f"{place}: no valid JSON ({error}); nothing was imported") from None
        if not isinstance(values, dict):
            raise UsageError(f"{path.name}:{line}:1: no JSON object; nothing was imported")
        yield Row(line, values)
