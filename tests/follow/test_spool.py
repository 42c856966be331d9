"""The spool of `adr-bridge follow` on a disk that loses and changes bytes."""

from __future__ import annotations

import gc
import itertools
import logging
import os
import random
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from plugin_bridge.errors import StoreError
from plugin_bridge.follow.places import START, Place
from plugin_bridge.follow.spool import Spool
from plugin_bridge.gamelog.people import People, offline_id
from plugin_bridge.importing.happenings import Being, Happening

PLACE = Place(7, 4_321, "abc", 512)


def kills(count: int, *, start: float = 1.0) -> list[Happening]:
    one, other = (Being(offline_id(name), name) for name in ("Ann", "Bob"))
    return [Happening(start + number, one, other, weapon="sword") for number in range(count)]


@contextmanager
def opened(path: Path) -> Iterator[Spool]:
    spool = Spool(path)
    try:
        yield spool
    finally:
        spool.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Five kills, of which the daemon has the first two."""
    path = tmp_path / "follow.sqlite3"
    with opened(path) as spool:
        people = People(told={"Ann": offline_id("Ann")}, seen={"Ann", "Bob"})
        spool.keep(kills(5), people, PLACE)
        assert spool.welcome(0)
        spool.drop(2)
    return path


def numbers(spool: Spool, after: int = 0) -> list[int]:
    return [seq for seq, _ in spool.after(after, 100)]


def asides(path: Path) -> list[str]:
    return [other.name for other in path.parent.glob("*.damaged-*")]


def changed(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(sql)


def test_what_is_whole_goes_on_where_it_was(path: Path) -> None:
    with opened(path) as spool:
        before = spool.id
        assert (spool.first, spool.next, spool.place, spool.damaged) == (3, 6, PLACE, False)
        spool.keep(kills(1), People(), PLACE)
        assert numbers(spool, 2) == [3, 4, 5, 6]
    with opened(path) as spool:
        assert spool.id == before
    assert asides(path) == []


def test_a_kill_that_is_not_what_was_written_is_left_out_and_the_others_keep_their_numbers(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    changed(path, "UPDATE events SET packet = replace(packet, 'sword', 'sward') WHERE seq = 4")
    with closing(sqlite3.connect(path)) as file:
        before = file.execute("SELECT id FROM spool").fetchone()[0]
    with caplog.at_level(logging.ERROR), opened(path) as spool:
        assert (spool.id, spool.first, spool.next, spool.place) == (before, 3, 6, PLACE)
        assert numbers(spool, 2) == [3], "nothing may be sent behind a hole"
        spool.drop(3)
        assert (spool.first, numbers(spool, 4)) == (5, [5])
        assert spool.people({}).told == {"Ann": offline_id("Ann")}
    (aside,) = asides(path)
    assert "2 kills that the daemon may not have yet could be read, and are sent" in caplog.text
    assert "None is rated twice" in caplog.text
    assert aside in caplog.text


@pytest.mark.parametrize("lost", ["DELETE FROM spool", "DELETE FROM state WHERE name = 'spool'"])
def test_its_name_stands_in_two_places(path: Path, lost: str) -> None:
    with opened(path) as spool:
        before = spool.id
    changed(path, lost)
    changed(path, "UPDATE events SET seal = '' WHERE seq = 5")
    with opened(path) as spool:
        assert (spool.id, numbers(spool, 2)) == (before, [3, 4])


def test_a_place_that_is_not_what_was_written_is_not_gone_by(path: Path) -> None:
    changed(path, "UPDATE state SET value = replace(value, '4321', '1321') WHERE name = 'place'")
    with opened(path) as spool:
        assert (spool.place, spool.damaged) == (None, True)
        assert numbers(spool, 2) == [3, 4, 5]


@pytest.mark.parametrize("damage", [b"", b"no database at all", b"\0" * 16_384])
def test_of_a_file_that_is_no_spool_any_more_nothing_is_told_twice(
    path: Path, damage: bytes
) -> None:
    with opened(path) as spool:
        before = spool.id
    path.write_bytes(damage)
    with opened(path) as spool:
        assert spool.id != before
        assert (spool.first, spool.next, numbers(spool)) == (1, 1, [])
    assert len(asides(path)) == (1 if damage else 0)


def test_whatever_bytes_change_each_kill_is_what_it_was_or_is_left_out(tmp_path: Path) -> None:
    chance = random.Random(8)
    whole = tmp_path / "whole.sqlite3"
    with opened(whole) as spool:
        spool.keep(kills(200), People(), PLACE)
        written, name = dict(spool.after(0, 1_000)), spool.id
    content, kept, lost = whole.read_bytes(), 0, 0
    for number in range(150):
        path = tmp_path / f"{number}.sqlite3"
        spoiled = bytearray(content)
        at = chance.randrange(len(content))
        for place in range(at, min(len(content), at + chance.choice([1, 8, 600, 4_096]))):
            spoiled[place] ^= chance.randrange(1, 256)
        path.write_bytes(spoiled)
        with opened(path) as spool:
            rows = spool._file.run("SELECT seq, packet FROM events")
            if spool.id == name:
                assert all(written[seq] == packet for seq, packet in rows)
                assert spool.place in (PLACE, None)
            else:
                assert not rows, "under another name the daemon would rate them again"
            kept, lost = kept + len(rows), lost + 200 - len(rows)
    assert kept > 10 * lost > 0


@pytest.mark.parametrize("stop", [0, 1, 2])
def test_a_repair_that_is_broken_off_is_done_again_or_has_been_done(
    path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    changed(path, "UPDATE events SET seal = '' WHERE seq = 3")
    rename, steps = Path.rename, itertools.count()

    def broken_off(source: Path, target: Path | str) -> Path:
        if next(steps) == stop:
            raise KeyboardInterrupt
        return rename(source, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "rename", broken_off)
        Spool(path)
    gc.collect()  # lets go of the file, as the end of the process would
    with opened(path) as spool:
        assert (spool.first, spool.next, spool.place, numbers(spool, 3)) == (4, 6, PLACE, [4, 5])
    assert len(asides(path)) == 1
    assert not path.with_name(f"{path.name}.new").exists()


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_it_is_its_owners_alone(path: Path) -> None:
    path.chmod(0o644)  # of an earlier version
    with opened(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    changed(path, "UPDATE events SET seal = '' WHERE seq = 3")
    with opened(path) as spool:
        assert spool.damaged
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_another_one_holds_is_left_alone(path: Path) -> None:
    with opened(path), pytest.raises(StoreError, match="another `adr-bridge follow` running"):
        Spool(path)
    assert asides(path) == []


def test_an_older_copy_is_noticed_also_when_more_has_come_before_the_daemon_answers(
    path: Path,
) -> None:
    with opened(path) as spool:
        before = spool.id
        spool.keep(kills(4, start=100.0), People(), START)
        assert spool.next == 10
        assert not spool.welcome(7), "5 were there at the start, so 6 and 7 are others"
        assert spool.id != before
        events = [msgspec.json.decode(packet) for _, packet in spool.after(0, 10)]
        assert [(e["seq"], e["time"]) for e in events] == [
            (1, 100.0),
            (2, 101.0),
            (3, 102.0),
            (4, 103.0),
        ]
        assert spool.welcome(0)
        assert spool.welcome(4), "these are from here"
