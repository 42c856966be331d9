"""The ends of logs as text. What is not surely text cannot be masked, and is refused."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from io import SEEK_END
from pathlib import Path

from plugin_bridge.errors import UsageError
from plugin_bridge.files import unpacked

MOST_BYTES = 2 << 20
"""How much of the end of a log is taken along."""
_BOMS = ((BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be"))
_INVISIBLE = re.compile("\x1b\\[[0-9;?]*[A-Za-z]|[\x01-\x08\x0b-\x1f\x7f\u200b-\u200f\u2060\ufeff]")
"""Colours, and what could stand within a word that should be found."""


def end_of_log(path: Path) -> str:
    """Its last whole lines, unpacked if it is packed, without colours. Memory: O(MOST_BYTES).

    Raises UsageError for what cannot be read, or is no text in UTF-8 or, with a mark at its
    beginning, UTF-16.
    """
    try:
        first, data, whole = _ends(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    return _INVISIBLE.sub("", _decoded(path, first, data, whole=whole))


def settings_text(path: Path) -> str:
    """The same of config.yml, or why it cannot be shown."""
    try:
        return end_of_log(path)
    except UsageError as error:
        return f"cannot be shown: {error}"


def _ends(path: Path) -> tuple[bytes, bytes, bool]:
    """The first bytes of the content, its last, and whether these are all of it."""
    with unpacked(path) as file:
        first = file.read(4)
        cut = max(0, file.seek(0, SEEK_END) - MOST_BYTES) // 4 * 4  # whole letters in UTF-16
        file.seek(cut)
        return first, file.read(MOST_BYTES + 4), cut == 0


def _decoded(path: Path, first: bytes, data: bytes, *, whole: bool) -> str:
    encoding = next((name for bom, name in _BOMS if first.startswith(bom)), "utf-8")
    if not whole:
        mark = "\n".encode(encoding)
        at = data.find(mark)
        while at % len(mark) and at >= 0:
            at = data.find(mark, at + 1)
        data = data[at + len(mark) :] if at >= 0 else b""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UsageError(
            f"{path}: this is no text in UTF-8 or UTF-16, so that secrets in it could not be "
            "masked; save it as UTF-8, or leave it out"
        )
    return text
