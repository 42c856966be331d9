"""The daemon's log: one line an event, for people or as JSON; no secrets, no floods."""

import json
import logging
import re
import sys
from typing import Literal, TextIO

Format = Literal["text", "json"]

LINES_A_MINUTE = 10
"""How often the same kind of line is written in a minute; the rest is counted, not written."""

_TOKEN = re.compile(r"adr_[A-Za-z0-9_-]{8,}")
_MASKED = "adr_…"


def set_up(kind: Format, stream: TextIO = sys.stderr) -> None:
    """Sends everything from INFO on to the stream."""
    handler = logging.StreamHandler(stream)
    ascii_only = not (stream.encoding or "utf-8").lower().startswith("utf")
    handler.setFormatter(JsonLines(ascii_only=ascii_only) if kind == "json" else PlainLines())
    handler.addFilter(Calm())
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


class Calm(logging.Filter):
    """Lets the same kind of line through a few times a minute, then says how many were left out.

    The kind is the words without what is filled in, so that one peer with ever other values
    cannot fill the disk. Cost: O(1) a line; memory: one entry a kind.
    """

    def __init__(self) -> None:
        super().__init__()
        self._minutes: dict[tuple[str, object], tuple[int, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind, minute = (record.name, record.msg), int(record.created // 60)
        before, count = self._minutes.get(kind, (minute, 0))
        if before != minute:
            if count > LINES_A_MINUTE:
                left_out = count - LINES_A_MINUTE
                record.msg = f"{record.msg} ({left_out} more like this were not written)"
            count = 0
        self._minutes[kind] = (minute, count + 1)
        return count < LINES_A_MINUTE


def safe(text: str) -> str:
    """The text without tokens, and without anything that a terminal would obey."""
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() or sign in "\n\t" else "?" for sign in text)
    return masked(text)


def masked(text: str) -> str:
    """The text without tokens."""
    return _TOKEN.sub(_MASKED, text)
