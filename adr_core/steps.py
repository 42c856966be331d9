"""Work in steps, done one after the other.

This module is never compiled: between two steps the interpreter then has its turn, and other
threads with it. Compiled code that goes through everybody in one call would let none have it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

_T = TypeVar("_T")


def finished(steps: Generator[None, None, _T]) -> _T:
    """What the steps come to."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: _T = end.value
            return result
