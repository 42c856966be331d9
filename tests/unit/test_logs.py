"""What the daemon writes to its log."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from plugin_bridge import logs

TOKEN = "adr_HPiC-ZDTvpYROzg68ldaM99fRLfD1wPtW4lzdV2MrMQ"


@pytest.fixture(autouse=True)
def root_logger_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_token_never_reaches_the_log() -> None:
    for kind in ("text", "json"):
        stream = io.StringIO()
        logs.set_up(kind, stream)
        try:
            raise RuntimeError(TOKEN)
        except RuntimeError:
            logging.getLogger("plugin_bridge.server").exception("refused %s", TOKEN)
        assert TOKEN not in stream.getvalue()
        assert "refused adr_…" in stream.getvalue()


def test_json_lines_hold_one_event_each() -> None:
    stream = io.StringIO()
    logs.set_up("json", stream)
    logging.getLogger("plugin_bridge.watch").warning("two\nlines")
    line = json.loads(stream.getvalue())
    assert (line["level"], line["part"], line["message"]) == ("warning", "watch", "two\nlines")
    assert stream.getvalue().count("\n") == 1


def test_a_line_that_repeats_is_counted_instead_of_written() -> None:
    calm = logs.Calm()

    def say(number: int, second: float) -> logging.LogRecord | None:
        record = logging.LogRecord("x", 20, "", 0, "event %d rejected", (number,), None)
        record.created = second
        return record if calm.filter(record) else None

    written = [say(number, 60.0) for number in range(25)]
    assert sum(record is not None for record in written) == logs.LINES_A_MINUTE
    later = say(99, 121.0)
    assert later is not None
    assert later.getMessage() == "event 99 rejected (15 more like this were not written)"
    assert say(100, 122.0) is not None
