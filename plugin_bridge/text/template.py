"""Lines with placeholders: markup by the admin, values by the daemon."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from plugin_bridge.text.component import Text, literal
from plugin_bridge.text.markup import spans
from plugin_bridge.text.spans import Gradient, Span, join
from plugin_bridge.text.styles import Pen

_BRACES: Final = re.compile(r"(?P<twin>\{\{|\}\})|\{(?P<name>[^{}]*)\}|(?P<lone>[{}])")


class TemplateError(ValueError):
    """A template that cannot be filled in: `position` is the offset of the brace in the markup."""

    def __init__(self, message: str, *, position: int, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.position = position
        self.suggestion = suggestion


@dataclass(frozen=True, slots=True)
class _Hole:
    """A placeholder, and the style of the text around it."""

    name: str
    style: Text
    gradient: Gradient | None


@dataclass(frozen=True, slots=True)
class Template:
    """Markup with `{placeholder}`s, parsed once; `{{` and `}}` stand for bare braces."""

    markup: str
    _parts: tuple[Span | _Hole, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and self.markup == other.markup

    def __hash__(self) -> int:
        return hash(self.markup)

    @classmethod
    def parse(cls, markup: str, allowed: frozenset[str]) -> Template:
        """Raises TemplateError for a lone brace or a placeholder that is not allowed."""
        pen = Pen()
        parts: list[Span | _Hole] = []
        end = 0
        words = ""
        for match in _BRACES.finditer(markup):
            words += markup[end : match.start()]
            end = match.end()
            if match["lone"]:
                raise _lone_brace(match)
            if match["twin"]:
                words += match["twin"][0]
                continue
            parts.extend(spans(words, pen))
            words = ""
            if match["name"] not in allowed:
                raise _unknown(match, allowed)
            parts.append(_Hole(match["name"], pen.style, pen.gradient))
        parts.extend(spans(words + markup[end:], pen))
        return cls(markup, tuple(part for part in parts if not _is_empty(part)))

    @property
    def silent(self) -> bool:
        """Whether there is nothing to show, whatever the values."""
        return not self._parts

    @property
    def length(self) -> int:
        """How many characters are shown besides the values."""
        return sum(len(str(part.content)) for part in self._parts if isinstance(part, Span))

    def render(self, values: Mapping[str, str | Text]) -> Text | None:
        """The line with its values, or None for a silenced (empty) one.

        Strings are inserted letter by letter and never read as markup; a Text keeps its own style
        and takes the rest from the text around it. Raises KeyError for a missing value.
        """
        if not self._parts:
            return None
        return join(
            part if isinstance(part, Span) else _filled(part, values[part.name])
            for part in self._parts
        )


def _filled(hole: _Hole, value: str | Text) -> Span:
    content = literal(value) if isinstance(value, str) else value
    return Span(content=content, style=hole.style, gradient=hole.gradient)


def _is_empty(part: Span | _Hole) -> bool:
    return isinstance(part, Span) and part.content == ""


def _lone_brace(match: re.Match[str]) -> TemplateError:
    brace = match["lone"]
    message = "this { is never closed" if brace == "{" else "this } closes nothing"
    return TemplateError(
        f"{message} (a bare {brace} is written {brace * 2})", position=match.start()
    )


def _unknown(match: re.Match[str], allowed: frozenset[str]) -> TemplateError:
    name = match["name"]
    if not allowed:
        return TemplateError(
            f"there is no placeholder {{{name}}}: this text has none", position=match.start()
        )
    near = get_close_matches(name.strip().lower(), sorted(allowed), n=1)
    known = ", ".join(f"{{{word}}}" for word in sorted(allowed))
    return TemplateError(
        f"there is no placeholder {{{name}}} here; there are {known}",
        position=match.start(),
        suggestion=f"{{{near[0]}}}" if near else None,
    )
