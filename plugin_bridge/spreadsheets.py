"""Tables for spreadsheets: no text in them is run as a formula, and all of it can be read again."""

import re
from collections.abc import Callable, Iterable
from typing import TextIO

_LIKE_A_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_QUOTED = re.compile(r"[\",;\t\r\n]")
"""Whatever a spreadsheet of some country takes for the end of a cell, which Python's `csv` does not
know of."""


def csv_writer(file: TextIO) -> Callable[[Iterable[object]], object]:
    """Writes rows. A text that would be taken for a formula gets an apostrophe in front."""
    return lambda row: file.write(",".join(map(_cell, row)) + "\n")


def _cell(value: object) -> str:
    if not isinstance(value, str):
        return "" if value is None else str(value)
    text = f"'{value}" if _LIKE_A_FORMULA.match(value) else value
    return '"{}"'.format(text.replace('"', '""')) if _QUOTED.search(text) else text


def unguarded(text: str) -> str:
    """A text as it was before it was written; one that needs no apostrophe stays as it is."""
    return text[1:] if text.startswith("'") and _LIKE_A_FORMULA.match(text) else text
