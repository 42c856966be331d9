"""A piece of chat text, and the cleaning of words that came from somebody else."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import msgspec

MAX_NAME: Final = 64
"""Characters that are kept of a name."""

SECTION_SIGN: Final = "\N{SECTION SIGN}"

_NEVER_SENT: Final = re.compile(f"[{SECTION_SIGN}\ud800-\udfff]")
_NO_PLACE_IN_A_NAME: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Letters and marks by category, but nothing to see: names made of them look empty.
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0" + SECTION_SIGN)


class Text(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Minecraft JSON text component; `msgspec.json.encode` writes it as the wire wants it.

    `color` is a named colour or `#rrggbb`. What is None is as in the surrounding text. The words
    hold no section sign and no half characters if they were made by this package's functions.
    """

    text: str
    color: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    underlined: bool | None = None
    strikethrough: bool | None = None
    obfuscated: bool | None = None
    extra: tuple[Text, ...] = ()


def plain(text: Text) -> str:
    """The words alone, without any style."""
    if not text.extra:
        return text.text
    return text.text + "".join(plain(part) for part in text.extra)


def literal(words: str) -> str:
    """The words fit for the wire, and such that the game shows them instead of obeying them.

    The game itself reads a section sign as a style even inside a component; half of a surrogate
    pair cannot be encoded at all. Both are dropped.
    """
    if words.isascii():
        return words
    return _NEVER_SENT.sub("", words)


def clean_name(raw: str | None) -> str:
    """A name as it can be stored and shown; may be empty.

    Drops control and formatting characters (line breaks, text direction, zero width), section
    signs, half characters and blanks that pass for letters; trims; keeps the first 64 characters.
    """
    if not raw:
        return ""
    if not (raw.isascii() and raw.isprintable()):
        raw = "".join(
            character
            for character in raw
            if character not in _INVISIBLE
            and unicodedata.category(character) not in _NO_PLACE_IN_A_NAME
        )
    return raw.strip()[:MAX_NAME].rstrip()
