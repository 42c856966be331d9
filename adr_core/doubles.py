"""Numbers in a row as bytes, the way tables keep them: doubles, little-endian on every machine."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final

SIZE: Final = 8
"""Bytes of one."""
_SWAPPED: Final = array("H", [1]).tobytes() != b"\x01\x00"


def doubles(packed: bytes) -> array[float]:
    """The numbers; raises ValueError where one is cut off. O(n)."""
    numbers = array("d", packed)
    if _SWAPPED:
        numbers.byteswap()
    return numbers[:]  # without the room to grow that it has now


def in_bytes(numbers: Iterable[float]) -> bytes:
    """Their bytes; raises TypeError for what is no number. O(n)."""
    row = array("d", numbers)
    if _SWAPPED:
        row.byteswap()
    return row.tobytes()
