"""The pen: which style the next words get, as codes and tags come by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import msgspec

from plugin_bridge.text.component import Text
from plugin_bridge.text.spans import Gradient

PLAIN: Final = Text("")
"""A style is a text without words."""

_NUMBERS: Final = {
    "black": "000000",
    "dark_blue": "0000aa",
    "dark_green": "00aa00",
    "dark_aqua": "00aaaa",
    "dark_red": "aa0000",
    "dark_purple": "aa00aa",
    "gold": "ffaa00",
    "gray": "aaaaaa",
    "dark_gray": "555555",
    "blue": "5555ff",
    "green": "55ff55",
    "aqua": "55ffff",
    "red": "ff5555",
    "light_purple": "ff55ff",
    "yellow": "ffff55",
    "white": "ffffff",
}
"""The named colours in the order of their codes, with what the game shows for them."""

_CODE_COLORS: Final = dict(zip("0123456789abcdef", _NUMBERS, strict=True))
_NAMED: Final = {
    **{name: name for name in _NUMBERS},
    "grey": "gray",
    "dark_grey": "dark_gray",
}
_CODE_DECORATIONS: Final = {
    "k": "obfuscated",
    "l": "bold",
    "m": "strikethrough",
    "n": "underlined",
    "o": "italic",
}
_DECORATIONS: Final = {
    "bold": "bold",
    "b": "bold",
    "italic": "italic",
    "i": "italic",
    "em": "italic",
    "underlined": "underlined",
    "u": "underlined",
    "strikethrough": "strikethrough",
    "st": "strikethrough",
    "obfuscated": "obfuscated",
    "obf": "obfuscated",
}
_COLOR_TAGS: Final = frozenset({"color", "colour", "c"})
_HEX: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)


def color(word: str) -> str | None:
    """The colour of that name or number as the wire knows it, or None."""
    word = word.lower()
    return word if _HEX.fullmatch(word) else _NAMED.get(word)


def _number(wire_color: str) -> int:
    return int(_NUMBERS.get(wire_color, wire_color[1:]), 16)


@dataclass(frozen=True, slots=True)
class _Open:
    """An open tag, and what was in force before it."""

    name: str
    style: Text
    base: Text
    gradient: Gradient | None


class Pen:
    """The style in force. Codes start from the style of the innermost open tag, tags add to all."""

    __slots__ = ("_base", "_open", "gradient", "style")

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._clear()

    def _clear(self) -> None:
        self.style = self._base = PLAIN
        self.gradient: Gradient | None = None
        self._open.clear()

    def code(self, code: str) -> None:
        """One of `0-9 a-f k-o r`, as after an `&`."""
        if code == "r":
            self.style, self.gradient = PLAIN, None
        elif code in _CODE_COLORS:
            self.color_code(_CODE_COLORS[code])
        else:
            self._decorate(_CODE_DECORATIONS[code], on=True)

    def color_code(self, wire_color: str) -> None:
        """A colour from a code: in the game such a code also ends the decorations before it."""
        self.style = msgspec.structs.replace(self._base, color=wire_color)
        self.gradient = None

    def tag(self, tag: str) -> bool:
        """What stands between `<` and `>`; False, and no change, if that is no tag of ours."""
        tag = tag.lower()
        if tag.startswith("/"):
            return self._close(tag[1:])
        if tag == "reset":
            self._clear()
            return True
        name, _, arguments = tag.partition(":")
        if name == "gradient":
            return self._open_gradient(arguments)
        if decoration := _DECORATIONS.get(tag.removeprefix("!")):
            self._push(decoration)
            self._decorate(decoration, on=not tag.startswith("!"))
        elif found := color(arguments) if name in _COLOR_TAGS else color(tag):
            self._push(_closed_by(tag))
            self.style, self.gradient = msgspec.structs.replace(self.style, color=found), None
        else:
            return False
        self._base = self.style
        return True

    def _open_gradient(self, arguments: str) -> bool:
        colors = [color(word) for word in arguments.split(":")]
        stops = tuple(_number(stop) for stop in colors if stop is not None)
        if len(stops) < 2 or len(stops) != len(colors):
            return False
        self._push("gradient")
        self.gradient = Gradient(stops)
        return True

    def _push(self, name: str) -> None:
        self._open.append(_Open(name, self.style, self._base, self.gradient))

    def _close(self, tag: str) -> bool:
        """Back to before the innermost tag of that name; tags inside it are closed with it."""
        name = _closed_by(tag)
        for depth in reversed(range(len(self._open))):
            if self._open[depth].name == name:
                before = self._open[depth]
                del self._open[depth:]
                self.style, self._base = before.style, before.base
                self.gradient = before.gradient
                return True
        return False

    def _decorate(self, decoration: str, *, on: bool) -> None:
        self.style = msgspec.structs.replace(self.style, **{decoration: on})


def _closed_by(tag: str) -> str:
    """The name under which an opening and a closing tag find each other."""
    name = tag.partition(":")[0]
    if name in _COLOR_TAGS:
        return "color"
    return _DECORATIONS.get(tag.removeprefix("!")) or _NAMED.get(name, name)
