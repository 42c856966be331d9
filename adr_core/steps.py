"""Work in steps, done one after the other, or portion by portion.

This module is never compiled: between two of them the interpreter then has its turn, and other
threads with it. Compiled code that goes through everybody in one call would let none have it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

PORTION: Final = 500
"""So many players at a time are dealt with in a few milliseconds, whatever is done to them."""
_T = TypeVar("_T")


def finished(steps: Generator[None, None, _T]) -> _T:
    """What the steps come to."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: _T = end.value
            return result


def let_go(pieces: list[object]) -> None:
    """Lets go of one after the other, from the last to the first.

    A million objects that go at once keep every other thread waiting. Whoever holds pieces of what
    goes lets it fall apart into them; somebody who still reads it is not disturbed.
    """
    while pieces:
        pieces.pop()


def portions(items: Iterable[_T]) -> Iterator[list[_T]]:
    """All of them in their order, some at a time."""
    left = iter(items)
    while some := list(islice(left, PORTION)):
        yield some
