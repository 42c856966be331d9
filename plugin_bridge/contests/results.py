"""Results of contests from outside, as CSV: read, rated, and written for the next contest.

A file has a line of column names and then one participant a line. `player` and `score` (0 to 1)
must be there; `rating` (1500 or more) and `contests` (before this contest) may be left out or left
empty for newcomers. Other columns are ignored. What is written has the columns that the next
contest reads.
"""

import csv
import math
import unicodedata
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from adr_core import ContestParameters, ContestResult, Standing
from plugin_bridge.errors import UsageError
from plugin_bridge.files import replacing
from plugin_bridge.spreadsheets import csv_writer, unguarded

_NEEDED = ("player", "score")
_KNOWN = (*_NEEDED, "rating", "contests")
_CONTROL = {"Cc", "Zl", "Zp"}
"""Kinds of characters that would break a line of text, or a terminal."""
_MOST_RATING = 1e9
_SHOWN = 5
"""Of what is wrong with a file, so much is told at once."""
_NEWCOMER = ContestParameters().base_rating
_WRITTEN = ("player", "rating", "contests", "score", "before", "change", "expected")


def read(path: Path) -> list[Standing]:
    """The participants of a file. Raises UsageError with the lines of the first mistakes."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path}: this is not UTF-8 text; save it as CSV in UTF-8") from None
    problems: list[str] = []
    found: dict[str, tuple[int, Standing]] = {}
    for line, cells, spare in _rows(path, text):
        wrong = [f"line {line}: {problem}" for problem in (*spare, *_problems(cells))]
        before = found.get(cells["player"])
        if before:
            wrong.append(f"line {line}: {cells['player']} is in line {before[0]} already")
        problems += wrong
        if not wrong:
            found[cells["player"]] = (line, _standing(cells))
    if problems:
        rest = [f"and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
        told = "\n    ".join((*problems[:_SHOWN], *rest))
        raise UsageError(f"{path}: nothing was rated, for some lines make no sense:\n    {told}")
    if not found:
        raise UsageError(f"{path}: there is no participant in it, only the names of the columns")
    return [standing for _, standing in found.values()]


def write(path: Path, standings: Sequence[Standing], results: Sequence[ContestResult]) -> None:
    """The file as a whole or not at all. `rating` and `contests` are those after the contest.

    A link is followed. Raises OSError.
    """
    with replacing(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        write_row = csv_writer(file)
        write_row(_WRITTEN)
        for s, r in zip(standings, results, strict=True):
            after = (r.rating, r.contests, s.score, s.rating, r.delta, r.expected)
            write_row((s.player, *after))


def _rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, str], list[str]]]:
    """The lines that hold something, by the names of their columns, and what is too much there."""
    lines = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        columns = [name.strip().lower() for name in next(lines, [])]
        twice = [name for name in _KNOWN if columns.count(name) > 1]
        if twice:
            raise UsageError(f"{path}: its first line names the column {twice[0]} twice")
        missing = [name for name in _NEEDED if name not in columns]
        if missing:
            raise UsageError(
                f"{path}: its first line must name the columns, and there is no "
                f"{' and no '.join(missing)} among them ({', '.join(columns)[:200] or 'empty'}); "
                "known are player, score, rating and contests"
            )
        for cells in lines:
            if any(cell.strip() for cell in cells):
                texts = (unguarded(cell.strip()) for cell in cells)
                there = dict(zip(columns, texts, strict=False))
                yield lines.line_num, dict.fromkeys(columns, "") | there, _spare(columns, cells)
    except csv.Error as error:
        raise UsageError(f"{path}: line {lines.line_num}: {error}") from None


def _spare(columns: list[str], cells: list[str]) -> list[str]:
    if not any(cell.strip() for cell in cells[len(columns) :]):
        return []
    return [
        f"it has {len(cells)} cells, but there are {len(columns)} columns; decimals are written "
        "with a point, and a text with a comma stands in quotation marks"
    ]


def _problems(cells: dict[str, str]) -> Iterator[str]:
    if not cells["player"]:
        yield "there is no player"
    if any(unicodedata.category(char) in _CONTROL for char in cells["player"]):
        yield "the player has a line break or another invisible character in it"
    score = _number(cells["score"])
    if score is None or not 0 <= score <= 1:
        yield f"the score must be a number from 0 to 1, not {_quoted(cells['score'])}"
    rating = cells.get("rating")
    if rating and not _NEWCOMER <= (_number(rating) or 0.0) <= _MOST_RATING:
        yield (
            f"the rating must be a number from {_NEWCOMER:g} up, or empty for a newcomer, "
            f"not {_quoted(rating)}"
        )
    contests = cells.get("contests")
    if contests and not (contests.isdecimal() and len(contests) < 10):
        yield f"contests must be a whole number, or empty for a newcomer, not {_quoted(contests)}"


def _standing(cells: dict[str, str]) -> Standing:
    return Standing(
        player=cells["player"],
        rating=float(cells.get("rating") or _NEWCOMER),
        contests=int(cells.get("contests") or 0),
        score=float(cells["score"]),
    )


def _number(text: str) -> float | None:
    """A number as everybody writes it: no underscores, no `nan`, no `inf`."""
    if "_" in text:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _quoted(text: str) -> str:
    return f"`{text[:40]}`"
