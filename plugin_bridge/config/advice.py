"""What a YAML parser's complaint means for somebody who pasted a colour code."""

from __future__ import annotations

import re
from typing import Final

from plugin_bridge.config.problems import Problem
from plugin_bridge.config.source import Source

_VALUE: Final = re.compile(r" *(?:- +(?:[\w.-]+: +)?|[\w.-]+: +)(?=\S)")
"""What stands before a value in its line."""
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
    "while scanning a plain scalar": "not YAML: this text cannot stand here without quotes",
    "while parsing a flow node": "a value or a closing bracket is missing here",
}
_SECOND_COLON: Final = f"there is a second colon in this line: {_QUOTES}"
_WRONG_SECTION: Final = "no section can begin here: look at the indentation and at the line above"
_LEFT_OVER: Final = f"something is left over behind the value: {_QUOTES}"
_MISFIT: Final = "this line does not fit: all lines of a section begin in the same column"


def quoted(source: Source, offset: int) -> str | None:
    """The text that begins at the offset, up to where its value ends, in quotes."""
    line_start = max(source.text.rfind(mark, 0, offset) for mark in "\n\r") + 1
    rest = re.split("[\n\r]", source.text[offset:], maxsplit=1)[0]
    if "{" in source.text[line_start:offset]:
        rest = re.split(r",\s|\}\s*$", rest, maxsplit=1)[0]
    return _in_quotes(rest.strip())


def _in_quotes(words: str) -> str | None:
    if words[:1] in ("'", '"'):
        # A quote inside a quoted text. Where the outer pair is incomplete, a guess would mislead.
        if len(words) < 2 or words[0] != words[-1]:
            return None
        words = words[1:-1]
    if not words:
        return None
    if '"' not in words and "\\" not in words:
        return f'"{words}"'
    return "'" + words.replace("'", "''") + "'"


def explain(source: Source, *, context: str, problem: str, start: int, end: int) -> Problem:
    """The complaint in plain words. `start`: what the parser was reading; `end`: where it stopped.

    Often the culprit is the first and the parser only stumbles much later.
    """
    message, offset = _words(source, context, problem, start, end)
    suggestion = quoted(source, offset) if _QUOTES in message else None
    return source.problem(min(offset, len(source.text)), message, suggestion)


def _words(source: Source, context: str, problem: str, start: int, end: int) -> tuple[str, int]:
    if context == "while scanning for the next token":
        return _cannot_begin(source.text[end : end + 1]), end
    if message := _AT_START.get(context):
        return message.format(sign=source.text[start : start + 1]), start
    if message := _AT_END.get(context):
        return message, end
    value = _value_start(source, end)
    if problem.startswith("mapping values are not allowed"):
        return (_SECOND_COLON, value) if value < end else (_WRONG_SECTION, end)
    if context.startswith("while parsing a block"):
        return (_LEFT_OVER, value) if value < end else (_MISFIT, end)
    return f"not YAML: {problem or context}", end


def _cannot_begin(sign: str) -> str:
    if sign == "\t":
        return "a tab: YAML wants spaces here"
    return f"a text cannot begin with {sign}: {_QUOTES}"


def _value_start(source: Source, offset: int) -> int:
    """Where the value of that line begins; the offset itself if the line is but a key."""
    line = source.problem(offset, "")
    value = _VALUE.match(line.text)
    return offset - line.column + 1 + value.end() if value else offset
