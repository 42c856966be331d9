"""The lines of a growing log: each once, whatever happens to the file or to us."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path

import pytest

from plugin_bridge.follow.places import START, Place, end_of, lines_before
from plugin_bridge.follow.tail import PATIENT_LOOKS, Tail

Make = Callable[[Path, Place | None], Tail]
HEAD = "[10:00:00] [Server thread/INFO]: Starting minecraft server version 1.21.4\n"


class Log:
    """A log as a server writes and rotates it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "latest.log"
        self.rotated = 0

    def write(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)

    def rotate(self) -> None:
        """As log4j does it: packed under a dated name, and the old file removed."""
        self.rotated += 1
        packed = self.path.with_name(f"2024-05-01-{self.rotated}.log.gz")
        packed.write_bytes(gzip.compress(self.path.read_bytes()))
        self.path.unlink()


@pytest.fixture
def log(tmp_path: Path) -> Log:
    log = Log(tmp_path)
    log.write(HEAD)
    return log


@pytest.fixture
def tailed() -> Iterator[Make]:
    """Makes tails that are closed in the end."""
    with ExitStack() as open_ones:
        yield lambda path, place: open_ones.enter_context(closing(Tail(path, place)))


def all_new(tail: Tail) -> list[str]:
    found: list[str] = []
    idle = 0
    while idle < 2:  # that a file has come in the place of another is seen after its end
        chunk = tail.read()
        idle = 0 if chunk else idle + 1
        found += chunk.lines if chunk else ()
    return found


def test_lines_come_whole_and_once(log: Log, tailed: Make) -> None:
    tail = tailed(log.path, None)
    assert all_new(tail) == [HEAD]
    log.write("a\nb")
    assert all_new(tail) == ["a\n"]
    log.write("c\n")
    assert all_new(tail) == ["bc\n"]
    assert all_new(tail) == []


def test_no_player_can_begin_a_line(log: Log, tailed: Make) -> None:
    tail = tailed(log.path, None)
    all_new(tail)
    said = "[10:00:01] [x/INFO]: <Eve> a\u2028[10:00:02] [x/INFO]: b\x0bc\x85d\x1ce\rf\n"
    log.write(said)
    assert all_new(tail) == [said]


def test_a_log_that_must_not_be_held_open_is_read_all_the_same(
    log: Log, tailed: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plugin_bridge.follow.tail._HOLDS_UP_ROTATION", True)
    tail = tailed(log.path, None)
    assert all_new(tail) == [HEAD]
    log.write("a\n")
    assert all_new(tail) == ["a\n"]
    log.rotate()
    assert all_new(tail) == []
    log.write("first of the new\n")
    assert all_new(tail) == ["first of the new\n"]


def test_reading_goes_on_in_the_next_log_after_a_rotation(log: Log, tailed: Make) -> None:
    tail = tailed(log.path, None)
    all_new(tail)
    log.write("last of the old\n")
    log.rotate()
    log.write("first of the new\n")
    assert all_new(tail) == ["last of the old\n", "first of the new\n"]


def test_a_log_that_is_emptied_is_read_from_its_beginning(log: Log, tailed: Make) -> None:
    tail = tailed(log.path, None)
    all_new(tail)
    log.path.write_text("", encoding="utf-8")
    assert all_new(tail) == []
    log.write("x\n")
    assert all_new(tail) == ["x\n"]


def test_a_restart_goes_on_at_its_place(log: Log, tailed: Make) -> None:
    tail = tailed(log.path, None)
    all_new(tail)
    place = tail.place
    log.write("meanwhile\n")
    again = tailed(log.path, place)
    assert again.missed() is None
    assert list(lines_before(log.path, again.place)) == [HEAD]
    assert all_new(again) == ["meanwhile\n"]


@pytest.mark.parametrize("rotations", [1, 3])
def test_a_restart_finds_what_was_rotated_away_meanwhile(
    log: Log, tailed: Make, rotations: int
) -> None:
    tail = tailed(log.path, None)
    all_new(tail)
    place = tail.place
    for number in range(rotations):
        log.write(f"missed {number}\n")
        log.rotate()
        log.write(HEAD.replace("10:", f"1{number + 1}:"))
    again = tailed(log.path, place)
    missed = again.missed()
    assert missed is not None and not missed.lost
    assert [line for one in missed.missed for line in one.lines if "missed" in line] == [
        f"missed {number}\n" for number in range(rotations)
    ]
    assert missed.missed[0].before == (HEAD,)
    assert again.place == START
    assert all_new(again) == [HEAD.replace("10:", f"1{rotations}:")]


@pytest.mark.parametrize("windows", [False, True])
def test_logs_that_come_and_go_between_two_looks_are_found_beside_it(
    log: Log, tailed: Make, monkeypatch: pytest.MonkeyPatch, windows: bool
) -> None:
    monkeypatch.setattr("plugin_bridge.follow.tail._HOLDS_UP_ROTATION", windows)
    chat = log.path.with_name("chat-2024-05-01-2.log")
    chat.write_text("another log\n", encoding="utf-8")
    tail = tailed(log.path, None)
    assert all_new(tail) == [HEAD]
    for number in range(3):
        log.rotate()
        log.write(HEAD.replace("10:", f"1{number + 1}:") + f"middle {number}\n")
    twice = log.path.with_name("2024-05-01-2.log")  # while it is packed
    packed = log.path.with_name("2024-05-01-2.log.gz")
    twice.write_bytes(gzip.decompress(packed.read_bytes()))
    packed.write_bytes(packed.read_bytes()[:20])
    chunk = tail.read()
    assert chunk is not None and not chunk.lost
    found = [line for one in chunk.missed for line in one.lines]
    assert [line for line in found if line != HEAD and "middle" in line] == [
        "middle 0\n",
        "middle 1\n",
    ]
    assert [one.day for one in chunk.missed] == [date(2024, 5, 1)] * 2
    assert all_new(tail) == [HEAD.replace("10:", "13:"), "middle 2\n"]


def test_a_log_that_is_still_being_packed_is_waited_for(log: Log, tailed: Make) -> None:
    tail = tailed(log.path, None)
    all_new(tail)
    log.rotate()
    log.write(HEAD.replace("10:", "11:") + "middle\n")
    log.rotate()
    log.write(HEAD.replace("10:", "12:"))
    packed = log.path.with_name("2024-05-01-2.log.gz")
    content = packed.read_bytes()
    packed.write_bytes(content[:-9])
    assert [tail.read() for _ in range(PATIENT_LOOKS - 2)] == [None] * (PATIENT_LOOKS - 2)
    packed.write_bytes(content)
    chunk = tail.read()
    assert chunk is not None and not chunk.lost
    assert chunk.missed[0].lines[-1] == "middle\n"


def test_that_a_log_is_gone_for_good_is_told(log: Log, tailed: Make) -> None:
    tail = tailed(log.path, None)
    all_new(tail)
    log.path.unlink()
    (log.path.parent / "other").write_text("keeps the inode from being the same", "utf-8")
    log.write("another\n")
    chunks = [chunk for _ in range(PATIENT_LOOKS + 1) if (chunk := tail.read())]
    assert [(chunk.lines, chunk.lost) for chunk in chunks] == [((), True), (("another\n",), False)]


def test_the_end_of_a_log_is_behind_its_last_whole_line(log: Log) -> None:
    log.write("half")
    place = end_of(log.path)
    assert place is not None
    assert place.offset == len(HEAD)
    log.write("x" * 200_000 + "\n")
    place = end_of(log.path)
    assert place is not None
    assert place.offset == log.path.stat().st_size
    assert end_of(log.path.with_name("none.log")) is None


def test_a_place_in_another_log_is_not_taken_for_one_in_this(log: Log, tailed: Make) -> None:
    place = Place(log.path.stat().st_ino, 10, "0" * 32, 10)
    assert list(lines_before(log.path, place)) == []
    assert all_new(tailed(log.path, START)) == [HEAD]
