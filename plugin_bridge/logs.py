"""The daemon's log: one line an event, for people or as JSON; no secrets, no floods."""

import json
import logging
import re
import sys
from typing import Literal, TextIO

Format = Literal["text", "json"]

LINES_A_MINUTE = 10
"""How often the same kind of line is written in a minute; the rest is counted, not written."""

KINDS_REMEMBERED = 1_000

_TOKEN = re.compile(r"adr_[A-Za-z0-9_-]{8,}")
_MASKED = "adr_…"


def set_up(kind: Format, stream: TextIO = sys.stderr) -> None:
    """Sends everything from INFO on to the stream."""
    handler = Calm(stream)
    ascii_only = not (stream.encoding or "utf-8").lower().startswith("utf")
    handler.setFormatter(JsonLines(ascii_only=ascii_only) if kind == "json" else PlainLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("websockets").setLevel(logging.ERROR)


class PlainLines(logging.Formatter):
    """`2026-01-31 12:00:00,000 WARNING words`, a traceback below it where there is one."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return safe(super().format(record))


class JsonLines(logging.Formatter):
    """An object a line with `time` (seconds since 1970), `level`, `part` and `message`."""

    def __init__(self, *, ascii_only: bool) -> None:
        super().__init__()
        self._ascii = ascii_only

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "part": record.name.removeprefix("plugin_bridge."),
            "message": safe(record.getMessage()),
        }
        if record.exc_info:
            line["traceback"] = safe(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=self._ascii)


class Calm(logging.StreamHandler[TextIO]):
    """Writes the same kind of line a few times a minute, then only says how many were left out.

    Of one kind are lines that say the same of the same server (or whatever their first word is);
    numbers do not count. So one peer with ever other values cannot fill the disk, and hides
    nobody else. Cost: O(1) a line; memory: one entry a kind, for at most a thousand.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._minutes: dict[tuple[str, str, str], tuple[int, int]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        kind, minute = _kind(record), int(record.created // 60)
        before, count = self._minutes.get(kind, (minute, 0))
        if before != minute:
            if count > LINES_A_MINUTE:
                super().emit(_note(record, count - LINES_A_MINUTE))
            count = 0
        if len(self._minutes) >= KINDS_REMEMBERED:
            self._minutes.clear()
        self._minutes[kind] = (minute, count + 1)
        if count < LINES_A_MINUTE:
            super().emit(record)


def _kind(record: logging.LogRecord) -> tuple[str, str, str]:
    first = record.args[0] if isinstance(record.args, tuple) and record.args else ""
    return record.name, str(record.msg), first[:64] if isinstance(first, str) else ""


def _note(record: logging.LogRecord, left_out: int) -> logging.LogRecord:
    """Says before a line how many of its kind were left out since the last."""
    words, details = "%d lines like the next one were not written", (left_out,)
    note = logging.LogRecord(record.name, record.levelno, "", 0, words, details, None)
    note.created, note.msecs = record.created, record.msecs
    return note


def safe(text: str) -> str:
    """The text without tokens, and without anything that a terminal would obey."""
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() or sign in "\n\t" else "?" for sign in text)
    return masked(text)


def masked(text: str) -> str:
    """The text without tokens."""
    return _TOKEN.sub(_MASKED, text)
