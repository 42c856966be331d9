"""HTML and SVG as trees of elements: whatever is put in as text stays text."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring

from plugin_bridge.config.source import shown

Child = Element | str | None
"""None is left out, which spares the caller a branch."""


def element(
    tag: str, attributes: dict[str, str | float] | None = None, *children: Child
) -> Element:
    """An element with its children in order. Signs that no page may hold become visible marks."""
    made = Element(tag, {name: _text(value) for name, value in (attributes or {}).items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif child is not None and last is None:
            made.text = (made.text or "") + _text(child)
        elif child is not None and last is not None:
            last.tail = (last.tail or "") + _text(child)
    return made


def name(words: str) -> Element:
    """A player's name, kept from turning the direction of the words around it."""
    return element("bdi", None, words)


def document(root: Element) -> str:
    """The file as text."""
    return "<!doctype html>\n" + tostring(root, encoding="unicode", method="html") + "\n"


def _text(value: str | float) -> str:
    if isinstance(value, str):
        return shown(value)
    return f"{value:.2f}".rstrip("0").rstrip(".")
