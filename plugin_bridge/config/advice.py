"""What a YAML parser's complaint means for somebody who pasted a colour code."""

from __future__ import annotations

import re
from typing import Final

from plugin_bridge.config.problems import Problem
from plugin_bridge.config.source import Source

_VALUE: Final = re.compile(r"(?:- +)*(?:[\w.-]+: +)?(?P<value>\S.*?)\s*$")
_QUOTES: Final = "put the text in quotes"

_AT_START: Final = {
    "while scanning an anchor": f"{{sign}} begins something else in YAML: {_QUOTES}",
    "while scanning an alias": f"{{sign}} begins something else in YAML: {_QUOTES}",
    "while scanning a tag": f"{{sign}} begins something else in YAML: {_QUOTES}",
    "while parsing a node": f"{{sign}} begins something else in YAML: {_QUOTES}",
    "while scanning a block scalar": f"{{sign}} begins a text of many lines in YAML: {_QUOTES}",
    "while parsing a flow mapping": f"{{sign}} begins a list in YAML: close it, or {_QUOTES}",
    "while parsing a flow sequence": f"{{sign}} begins a list in YAML: close it, or {_QUOTES}",
    "while scanning a quoted scalar": "this quote is never closed",
    "while scanning a simple key": "not `key: value`: is the colon missing, or the space after it?",
}
"""By what the parser was reading, where the fault lies at the beginning of it."""

_AT_END: Final = {
    "while scanning a double-quoted scalar": (
        "\\ has a meaning inside double quotes: write \\\\, or use single quotes"
    ),
    "while scanning a plain scalar": f"this text needs quotes: {_QUOTES}",
}


def quoted(source: Source, offset: int) -> str | None:
    """The text that begins at the offset, up to where its value ends, in quotes."""
    line_start = max(source.text.rfind(mark, 0, offset) for mark in "\n\r") + 1
    rest = re.split("[\n\r]", source.text[offset:], maxsplit=1)[0]
    if "{" in source.text[line_start:offset]:
        rest = re.split(r",\s|\}\s*$", rest, maxsplit=1)[0]
    return _in_quotes(rest.strip())


def _in_quotes(words: str) -> str | None:
    if not words:
        return None
    if '"' not in words and "\\" not in words:
        return f'"{words}"'
    if words[0] in "\"'":
        return None
    return "'" + words.replace("'", "''") + "'"


def explain(source: Source, *, context: str, problem: str, start: int, end: int) -> Problem:
    """The complaint in plain words. `start`: what the parser was reading; `end`: where it stopped.

    Often the culprit is the first and the parser only stumbles much later.
    """
    message, offset = _words(source, context, problem, start, end)
    suggestion = None
    if _QUOTES in message:
        if offset == end and offset != start:
            offset = _value_start(source, offset)
        suggestion = quoted(source, offset)
    return source.problem(min(offset, len(source.text)), message, suggestion)


def _words(source: Source, context: str, problem: str, start: int, end: int) -> tuple[str, int]:
    if context == "while scanning for the next token":
        if source.text[end : end + 1] == "\t":
            return "a tab: YAML wants spaces here", end
        return f"a text cannot begin with {source.text[end : end + 1]}: {_QUOTES}", end
    if message := _AT_START.get(context):
        return message.format(sign=source.text[start : start + 1]), start
    if message := _AT_END.get(context):
        return message, end
    if problem.startswith("mapping values are not allowed"):
        return _second_colon(source, end), end
    if context.startswith("while parsing a block"):
        return _misfit(source, end), end
    return f"not YAML: {problem or context}", end


def _second_colon(source: Source, end: int) -> str:
    line = source.problem(end, "")
    if ": " in line.text[: line.column - 1]:
        return f"a second colon in one line: {_QUOTES}"
    return "a section cannot begin here: look at its indentation and at the line above it"


def _misfit(source: Source, end: int) -> str:
    if _value_start(source, end) < end:
        return f"the value ends before this, and something is left over: {_QUOTES}"
    return "this line does not fit: the lines of a section must begin in the same column"


def _value_start(source: Source, offset: int) -> int:
    line = source.problem(offset, "")
    value = _VALUE.search(line.text)
    return offset - line.column + 1 + value.start("value") if value else offset
