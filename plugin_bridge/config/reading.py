"""Reading of sections: every problem is noted, and the default stands in for what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

from plugin_bridge.config.problems import Problem, closest, note
from plugin_bridge.config.source import Broken, Items, Node, Pair, Pairs, Scalar, Source
from plugin_bridge.config.values import Unfit
from plugin_bridge.text import Stray, stray_tags

T = TypeVar("T")
D = TypeVar("D")

_LONGEST_VALUE: Final = 2_000
_MOST_STRAYS: Final = 5
"""Of the tags in one text that do nothing, so many are told."""


class Report:
    """What was noted while a file was read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def problem(self, node: Node, message: str, suggestion: str | None = None) -> None:
        """Note a problem at the beginning of a node."""
        note(self.problems, self.source.problem(node.start, message, suggestion))

    def warn(self, node: Node, message: str, suggestion: str | None = None) -> None:
        """Note something odd at the beginning of a node that does not make the file useless."""
        self.warnings.append(self.source.problem(node.start, message, suggestion))

    def warn_of_tags(
        self, node: Scalar, strays: Callable[[str], tuple[Stray, ...]] = stray_tags
    ) -> None:
        """Note the tags in a text that are shown instead of doing what they do elsewhere."""
        if len(node.text) > _LONGEST_VALUE:
            return  # it is a problem already
        for stray in strays(node.text)[:_MOST_STRAYS]:
            message = f"{stray.tag} does nothing here and is shown as it is"
            offset = self._offset(node, stray.position)
            self.warnings.append(self.source.problem(offset, message))

    def unfit(self, node: Scalar, error: Unfit, name: str) -> None:
        """Note a value that cannot be used for the setting of that name."""
        offset = node.start if error.position is None else self._offset(node, error.position)
        message = f"`{name}`: {error}" if error.position is not None else f"`{name}` {error}"
        note(self.problems, self.source.problem(offset, message, error.suggestion))

    def _offset(self, node: Scalar, position: int) -> int:
        """Where a character of the value stands in the file.

        Quotes, escapes and folded lines come between the two, so the same character is counted
        off in both. If that leads nowhere, the beginning of the value has to do.
        """
        character = node.text[position]
        offset = node.start - 1
        for _ in range(node.text.count(character, 0, position) + 1):
            offset = self.source.text.find(character, offset + 1, node.end)
            if offset < 0:
                return node.start
        return offset


class Section:
    """One section, key by key. A missing section is an empty one.

    `keys` are those that may be in it; None where the admin makes them up.
    """

    def __init__(
        self, report: Report, node: Node | None, name: str, keys: Collection[str] | None
    ) -> None:
        self.report = report
        self.node = node
        self._pairs: dict[str, Pair] = {}
        if isinstance(node, Pairs):
            self._pairs = {pair.key.text: pair for pair in node.pairs}
        elif node is not None and not isinstance(node, Broken) and not _is_null(node):
            what = f"`{name}`" if name else "the file"
            message = f"{what} must hold lines of the form `key: value`, indented below it"
            report.problem(node, message, _spaced(node, keys or ()))
        for key, pair in self._pairs.items():
            if keys is not None and key not in keys:
                where = f"in `{name}`" if name else "at the top level"
                message = f"there is no setting `{key}` {where}"
                report.problem(pair.key, message, closest(key, keys))

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def get(self, key: str) -> Node | None:
        """The node of a key; None where nothing was written."""
        pair = self._pairs.get(key)
        return None if pair is None or _is_null(pair.value) else pair.value

    def key(self, key: str) -> Scalar | None:
        """The key itself, for problems that concern the setting as a whole."""
        pair = self._pairs.get(key)
        return pair.key if pair else None

    def pairs(self) -> list[Pair]:
        """All keys that are there, the unknown ones too."""
        return list(self._pairs.values())

    def value(self, key: str, read: Callable[[str], T], default: D) -> T | D:
        """A single value; the default if it is missing or wrong."""
        node = self.get(key)
        if node is None:
            return default
        value = scalar(self.report, node, read, key)
        return default if value is None else value

    def items(self, key: str) -> list[Node] | None:
        """The members of a list, or None if there is none; a single value is a list of one."""
        node = self.get(key)
        if isinstance(node, Items):
            return list(node.nodes)
        if isinstance(node, Scalar):
            return [node]
        if isinstance(node, Pairs):
            self.report.problem(node, f"`{key}` must be a list: each line begins with `- `")
        return None

    def values(self, key: str, read: Callable[[str], T]) -> dict[T, Scalar]:
        """A list of single values without repetition, each with its place."""
        found: dict[T, Scalar] = {}
        for node in self.items(key) or []:
            value = scalar(self.report, node, read, key)
            if value is not None and isinstance(node, Scalar):
                found.setdefault(value, node)
        return found


def scalar(report: Report, node: Node, read: Callable[[str], T], name: str) -> T | None:
    """The value of a node for the setting of that name, or None with a problem noted."""
    if isinstance(node, Scalar) and len(node.text) > _LONGEST_VALUE:
        report.problem(node, f"`{name}` is longer than {_LONGEST_VALUE} characters")
    elif isinstance(node, Scalar):
        try:
            return read(node.text)
        except Unfit as error:
            report.unfit(node, error, name)
    elif not isinstance(node, Broken):
        opening = report.source.text[node.start : node.start + 1]
        hint = ": put it in quotes if it is a text" if opening in "[{" else ""
        report.problem(node, f"`{name}` must be a single value{hint}")
    return None


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.is_null


def _spaced(node: Node, keys: Collection[str]) -> str | None:
    """The usual slip: no space after the colon."""
    if isinstance(node, Scalar) and ":" in node.text:
        key, _, value = node.text.partition(":")
        if key in keys and "\n" not in value:
            return f"{key}: {value.strip()}"
    return None
