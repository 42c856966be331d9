"""From YAML text to nodes. The only file that knows YAML.

Only the plain part of YAML is accepted. Anchors, aliases and explicit types never help in a
settings file, but `&6[HT1]` without quotes is an anchor, and would lose its colour in silence.
Values keep their text: YAML would read `off` as false and `1:30` as 90.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml

from plugin_bridge.config.advice import explain, quoted
from plugin_bridge.config.problems import ConfigError, Problem, note
from plugin_bridge.config.source import Broken, Items, Node, Pair, Pairs, Scalar, Source

_DEEPEST: Final = 16
LONGEST: Final = 256 * 1024
"""Characters of a file that is still read."""
_UNPRINTABLE: Final = yaml.reader.Reader.NON_PRINTABLE
_TOO_GREAT_A_CODE: Final = re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}")


def compose(source: Source) -> tuple[Node | None, list[Problem]]:
    """The root (None for an empty file) and what was wrong with single values.

    Raises ConfigError where the text as a whole cannot be read as YAML.
    """
    if len(source.text) > LONGEST:
        raise ConfigError([Problem(source.name, 0, 0, "", "too long for a settings file")])
    if found := _UNPRINTABLE.search(source.text):
        message = f"the character U+{ord(found.group()):04X} cannot stand in a YAML file"
        raise ConfigError([source.problem(found.start(), message)])
    composer = _Composer(source)
    try:
        root = composer.root()
    except yaml.MarkedYAMLError as error:
        first = error.context_mark or error.problem_mark
        last = error.problem_mark or error.context_mark
        raise ConfigError(
            [
                explain(
                    source,
                    context=error.context or "",
                    problem=error.problem or "",
                    start=first.index if first else 0,
                    end=last.index if last else 0,
                )
            ]
        ) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The parser lets Python's own errors through for codes and versions out of range.
        code = _TOO_GREAT_A_CODE.search(source.text)
        message = "there is no character with this code" if code else f"not YAML: {error}"
        raise ConfigError([source.problem(code.start() if code else 0, message)]) from None
    return root, composer.problems


class _Composer:
    """Builds nodes out of the parser's events."""

    def __init__(self, source: Source) -> None:
        self.problems: list[Problem] = []
        self._source = source
        self._events: Iterator[yaml.Event] = yaml.parse(source.text, Loader=yaml.SafeLoader)

    def root(self) -> Node | None:
        """The only document of the stream."""
        root = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._report(_extent(event)[0], "a second document begins here")
                node = self._node(next(self._events), depth=0)
                root = root or node
        return root

    def _node(self, event: yaml.Event, *, depth: int) -> Node:
        start, end = _extent(event)
        if depth > _DEEPEST:
            raise ConfigError([self._source.problem(start, "too many levels inside each other")])
        node: Node
        if isinstance(event, yaml.SequenceStartEvent):
            node = self._items(start, depth)
        elif isinstance(event, yaml.MappingStartEvent):
            node = self._pairs(start, depth)
        elif isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event)
        else:
            node = Broken(start, end)
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor is None and tag is None:
            return node
        sign = self._source.text[start]
        message = f"{sign} at the beginning means something else in YAML: put the text in quotes"
        self._report(start, message, quoted(self._source, start))
        return Broken(start, end)

    def _items(self, start: int, depth: int) -> Items:
        nodes = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            nodes.append(self._node(event, depth=depth + 1))
        return Items(start, _extent(event)[1], tuple(nodes))

    def _pairs(self, start: int, depth: int) -> Pairs:
        pairs: dict[str, Pair] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event, depth=depth + 1)
            value = self._node(next(self._events), depth=depth + 1)
            if not isinstance(key, Scalar):
                if not isinstance(key, Broken):
                    self._report(key.start, "a key must be a single word")
            elif key.text in pairs:
                first = self._source.problem(pairs[key.text].key.start, "").line
                self._report(key.start, f"`{key.text}` is here twice (first in line {first})")
            else:
                pairs[key.text] = Pair(key, value)
        return Pairs(start, _extent(event)[1], tuple(pairs.values()))

    def _scalar(self, event: yaml.ScalarEvent) -> Node:
        start, end = _extent(event)
        # JSON writes an emoji as two escapes of half a character each.
        halves = event.value.encode("utf-16-le", "surrogatepass")
        try:
            text = halves.decode("utf-16-le")
        except UnicodeDecodeError:
            self._report(start, "an escape in this text stands for half a character")
            return Broken(start, end)
        return Scalar(start, end, text, quoted=event.style is not None)

    def _report(self, offset: int, message: str, suggestion: str | None = None) -> None:
        note(self.problems, self._source.problem(offset, message, suggestion))


def _extent(event: yaml.Event) -> tuple[int, int]:
    """Where the event begins and ends in the text; the parser marks all of them."""
    start, end = event.start_mark, event.end_mark
    return (start.index if start else 0, end.index if end else 0)
