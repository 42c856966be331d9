"""The markup admins write: `&` codes and MiniMessage tags, also both in one string.

Nothing here can fail: what is not understood is shown as it stands.

    &a &l &r      a code, in either case, with the section sign as well; a colour ends bold and co.
    &#ff8800      a colour by its numbers; &x&f&f&8&8&0&0 is the old way to write the same
    <red> </red>  a colour until the closing tag; also <#ff8800>, <color:red>, <c:#ff8800>
    <bold> <b>    a decoration; <!bold> takes it away
    <gradient:#a1b2c3:gold>, <reset>, and \\< for a bare <
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from plugin_bridge.text.component import Text, literal
from plugin_bridge.text.spans import Span, join
from plugin_bridge.text.styles import Pen

_TOKEN: Final = re.compile(
    r"""
      (?P<double>&&)
    | [&§]\#(?P<hex>[0-9a-f]{6})
    | [&§]x(?P<spread>(?:[&§][0-9a-f]){6})
    | [&§](?P<code>[0-9a-fk-or])
    | \\(?P<escaped>[<\\])
    | <(?P<tag>/?!?[a-z\#_][^<>{}]*)>
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)

_BROKEN: Final = re.compile(
    r"[&§](?:\#[0-9a-z]{0,6}|[^\s&§<\#])|<[/!]?[a-z\#_]\w*", re.IGNORECASE | re.ASCII
)
"""Between tokens, what looks like the beginning of one."""

_NOT_OURS: Final = frozenset(
    {"br", "click", "font", "head", "hover", "insert", "insertion", "key", "lang", "nbt", "newline"}
    | {"pride", "rainbow", "score", "selector", "shadow", "sprite", "tr", "transition", "translate"}
)
"""Tags that mean something elsewhere, so that an admin may expect them to work."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A tag or code shown as plain text, where the admin may have meant it to do something."""

    position: int
    tag: str


def parse_markup(markup: str) -> Text:
    """The text that the markup describes; never raises."""
    return join(spans(markup, Pen()))


def stray_tags(markup: str) -> tuple[Stray, ...]:
    """Tags that look meant but do nothing here: unknown with arguments, or closing nothing.

    `/rank <player>` is how people write help, so a bare unknown word is not among them.
    """
    pen = Pen()
    found = []
    for match in _TOKEN.finditer(markup):
        tag = match["tag"]
        if tag is None or pen.tag(tag):
            continue
        name, _, arguments = tag.lstrip("!/").lower().partition(":")
        if tag.startswith("/") or arguments or name in _NOT_OURS:
            found.append(Stray(match.start(), match.group()))
    return tuple(found)


def stray_marks(markup: str) -> tuple[Stray, ...]:
    """Every tag and code that does nothing, for texts in which nobody writes `<player>`."""
    pen = Pen()
    found: list[Stray] = []
    end = 0
    for match in _TOKEN.finditer(markup):
        found += _broken(markup, end, match.start())
        end = match.end()
        if match["tag"] and not pen.tag(match["tag"]):
            found.append(Stray(match.start(), match.group()))
    return (*found, *_broken(markup, end, len(markup)))


def _broken(markup: str, start: int, end: int) -> list[Stray]:
    return [Stray(part.start(), part.group()) for part in _BROKEN.finditer(markup, start, end)]


def spans(markup: str, pen: Pen) -> Iterator[Span]:
    """Runs of equal style, in order; the pen carries the style on to the next piece of markup."""
    end = 0
    for match in _TOKEN.finditer(markup):
        yield _span(markup[end : match.start()], pen)
        end = match.end()
        words = _apply(match, pen)
        if words:
            yield _span(words, pen)
    yield _span(markup[end:], pen)


def _span(words: str, pen: Pen) -> Span:
    return Span(content=literal(words), style=pen.style, gradient=pen.gradient)


def _apply(match: re.Match[str], pen: Pen) -> str:
    """Move the pen as the token says; returns the words to show instead, if any."""
    if match["code"]:
        pen.code(match["code"].lower())
    elif match["hex"]:
        pen.color_code("#" + match["hex"].lower())
    elif match["spread"]:
        pen.color_code("#" + match["spread"][1::2].lower())
    elif match["escaped"]:
        return match["escaped"]
    elif match["double"] or not pen.tag(match["tag"]):
        return match.group()
    return ""
