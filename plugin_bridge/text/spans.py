"""Runs of equal style, and their joining into one component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from plugin_bridge.text.component import Text


@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """Colours (0xrrggbb) to pass through from the first to the last character.

    Compared by identity: two gradients side by side are two, even in the same colours.
    """

    stops: tuple[int, ...]

    def at(self, index: int, length: int) -> str:
        """The colour of character `index` out of `length`."""
        place = index / max(1, length - 1) * (len(self.stops) - 1)
        left = min(int(place), len(self.stops) - 2)
        part = place - left
        mixed = (
            round(
                (self.stops[left] >> shift & 255) * (1 - part)
                + (self.stops[left + 1] >> shift & 255) * part
            )
            for shift in (16, 8, 0)
        )
        return "#" + "".join(f"{channel:02x}" for channel in mixed)


@dataclass(frozen=True, slots=True)
class Span:
    """Words, or a text with a style of its own, in the style that surrounds them."""

    content: str | Text
    style: Text
    gradient: Gradient | None = None


def join(spans: Iterable[Span]) -> Text:
    """One component out of all spans, as flat as they allow."""
    parts: list[Text] = []
    for span in _colored(list(spans)):
        part = _component(span)
        if part is None:
            continue
        if parts and isinstance(span.content, str) and _same_style(parts[-1], part):
            parts[-1] = msgspec.structs.replace(part, text=parts[-1].text + part.text)
        else:
            parts.append(part)
    if len(parts) == 1:
        return parts[0]
    return Text("", extra=tuple(parts))


def _component(span: Span) -> Text | None:
    if isinstance(span.content, str):
        return msgspec.structs.replace(span.style, text=span.content) if span.content else None
    if span.style == Text(""):
        return span.content
    return msgspec.structs.replace(span.style, extra=(span.content,))


def _same_style(left: Text, right: Text) -> bool:
    return not left.extra and msgspec.structs.replace(left, text=right.text) == right


def _colored(spans: list[Span]) -> Iterator[Span]:
    """The spans with every gradient turned into colours, character by character."""
    lengths: dict[Gradient, int] = {}
    for span in spans:
        if span.gradient:
            lengths[span.gradient] = lengths.get(span.gradient, 0) + _length(span)
    passed = dict.fromkeys(lengths, 0)
    for span in spans:
        if span.gradient is None:
            yield span
            continue
        pieces = span.content if isinstance(span.content, str) else (span.content,)
        for piece in pieces:
            color = span.gradient.at(passed[span.gradient], lengths[span.gradient])
            passed[span.gradient] += 1
            yield Span(piece, msgspec.structs.replace(span.style, color=color))


def _length(span: Span) -> int:
    return len(span.content) if isinstance(span.content, str) else 1
