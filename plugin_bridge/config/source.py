"""The text of a settings file, and its parts with their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from plugin_bridge.config.problems import Problem

_LINE_BREAK: Final = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_LONGEST_MESSAGE: Final = 300
"""A message may quote what stands in the file; this much is enough to find it."""
_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file's name and text; places are offsets into the text until somebody has to read them."""

    name: str
    text: str
    _starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]
        object.__setattr__(self, "_starts", starts)

    def problem(self, offset: int, message: str, suggestion: str | None = None) -> Problem:
        """A problem at that offset, with the line it is in."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        end = _LINE_BREAK.search(self.text, start)
        return Problem(
            file=self.name,
            line=line,
            column=offset - start + 1,
            text=shown(self.text[start : end.start() if end else len(self.text)]),
            message=shown(message if _fits(message) else f"{message[:_LONGEST_MESSAGE]}…"),
            suggestion=shown(suggestion) if suggestion and _fits(suggestion) else None,
        )


def _fits(words: str) -> bool:
    return len(words) <= _LONGEST_MESSAGE


def shown(words: str) -> str:
    """The words in one line, and without anything that a console or the wire would choke on."""
    if words.isprintable():
        return words
    return "".join(sign if sign == "\t" or sign.isprintable() else "\ufffd" for sign in words)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. It is its text: what type it has is for the reader of the key to say."""

    start: int
    end: int
    text: str
    quoted: bool = False

    @property
    def is_null(self) -> bool:
        """Nothing was written here."""
        return not self.quoted and self.text in _NULLS


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    start: int
    end: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A key and its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Pairs:
    """A section: keys with their values, each key once."""

    start: int
    end: int
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A value that has been reported already: nobody needs to complain about it again."""

    start: int
    end: int


Node = Scalar | Items | Pairs | Broken
