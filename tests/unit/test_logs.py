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


def written(*lines: tuple[float, str, object]) -> list[str]:
    """What the log holds of lines that were said at these seconds of these subjects."""
    stream = io.StringIO()
    calm = logs.Calm(stream)
    for second, words, subject in lines:
        record = logging.LogRecord("x", 20, "", 0, words, (subject,), None)
        record.created = second
        calm.handle(record)
    return stream.getvalue().splitlines()


def test_a_line_that_repeats_is_counted_instead_of_written() -> None:
    flood = [(60.0, "event %d rejected", number) for number in range(25)]
    later = [(121.0, "event %d rejected", 99), (122.0, "event %d rejected", 100)]
    lines = written(*flood, *later)
    assert lines[: logs.LINES_A_MINUTE] == [f"event {n} rejected" for n in range(10)]
    assert lines[logs.LINES_A_MINUTE :] == [
        "15 lines like the next one were not written",
        "event 99 rejected",
        "event 100 rejected",
    ]


def test_a_flood_of_one_server_hides_no_other() -> None:
    servers = [(60.0, "%s connected", f"server-{number}") for number in range(30)]
    assert len(written(*servers)) == 30
