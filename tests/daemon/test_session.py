"""One connection's rules: who speaks first, the order of numbers, and whose clock is right."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.errors import FrameError
from plugin_bridge.protocol.packets import (
    CloseCode,
    Death,
    FromMod,
    Hello,
    Join,
    Kill,
    Player,
    Present,
    Quit,
    Rejected,
)
from plugin_bridge.session import SKEW_SECONDS, Session, greet

NOW = 1_764_500_000.0
YEAR = 365 * 86_400.0


def hello(*, first: int = 1, time: float = NOW, protocol: int = 1) -> Hello:
    return Hello(
        protocol=protocol,
        platform="test",
        mod_version="1",
        spool="spool-0001",
        first=first,
        time=time,
        online=[],
    )


def kill(seq: int, *, time: float = NOW) -> Kill:
    return Kill(seq=seq, time=time, killer=Player("a"), victim=Player("b"))


def session(*, last: int = 0, now: float = NOW, **fields: Any) -> Session:
    return Session(hello(**fields), last=last, now=now)


def test_the_first_packet_is_a_hello_of_our_protocol() -> None:
    assert greet(hello()) == hello()
    with pytest.raises(FrameError) as other_version:
        greet(hello(protocol=2))
    assert other_version.value.close_code == CloseCode.VERSION
    assert "install matching versions" in str(other_version.value)
    for first in (Quit("a"), kill(1), Rejected("bad_packet", "no spool", "{}")):
        with pytest.raises(FrameError) as refused:
            greet(first)
        assert refused.value.code == "bad_hello"
        assert refused.value.close_code == CloseCode.BROKEN_CONTRACT


def test_there_is_no_second_hello() -> None:
    with pytest.raises(FrameError) as refused:
        session().take(hello(), now=NOW)
    assert refused.value.close_code == CloseCode.BROKEN_CONTRACT


def test_numbers_go_on_from_the_last_that_is_stored() -> None:
    ours = session(last=41)
    for seq in (42, 43, 44):
        assert ours.take(kill(seq), now=NOW) == kill(seq)
    assert len(ours.lost) == 0


def test_a_repeated_number_passes_so_that_it_is_acknowledged_again() -> None:
    ours = session(last=41)
    for seq in (1, 41, 42, 42, 40, 43):
        assert ours.take(kill(seq), now=NOW) == kill(seq)


@pytest.mark.parametrize(
    "packet",
    [kill(44), Death(seq=44, time=NOW, victim=Player("a")), Rejected("bad_packet", "", "", 44)],
    ids=["kill", "death", "rejected"],
)
def test_a_hole_in_the_numbers_ends_the_connection(packet: FromMod | Rejected) -> None:
    ours = session(last=41)
    ours.take(kill(42), now=NOW)
    with pytest.raises(FrameError, match="event 44 came, but 43 is next") as refused:
        ours.take(packet, now=NOW)
    assert (refused.value.code, refused.value.close_code) == ("gap", CloseCode.GAP)
    ours.take(kill(43), now=NOW)  # a refused number was not counted


def test_a_rejected_event_counts_as_its_number() -> None:
    ours = session()
    ours.take(Rejected("bad_packet", "", "", 1), now=NOW)
    ours.take(kill(2), now=NOW)


def test_packets_without_a_number_pass_as_they_are() -> None:
    ours = session()
    for packet in (Join(Present("a")), Quit("a"), Rejected("bad_packet", "", "")):
        assert ours.take(packet, now=NOW) is packet


def test_what_a_mod_had_to_throw_away_is_known_as_lost_and_no_hole() -> None:
    ours = session(last=41, first=50)
    assert list(ours.lost) == list(range(42, 50))
    ours.take(kill(50), now=NOW)
    with pytest.raises(FrameError):
        ours.take(kill(52), now=NOW)
    assert len(session(last=41, first=42).lost) == 0
    assert len(session(last=41, first=1).lost) == 0


@pytest.mark.parametrize("off", [10 * YEAR, -YEAR, 3_600.0, -31.0, 31.0])
def test_times_of_a_clock_that_is_off_are_put_right(off: float) -> None:
    ours = session(time=NOW + off)
    assert ours.skew == -off
    taken = ours.take(kill(1, time=NOW + off + 5), now=NOW + 60)
    assert isinstance(taken, Kill)
    assert taken.time == pytest.approx(NOW + 5)


@pytest.mark.parametrize("off", [0.0, SKEW_SECONDS, -SKEW_SECONDS])
def test_a_clock_that_is_hardly_off_is_taken_at_its_word(off: float) -> None:
    ours = session(time=NOW + off)
    assert ours.skew == 0.0
    taken = ours.take(kill(1, time=NOW - 100), now=NOW + 60)
    assert isinstance(taken, Kill)
    assert taken.time == NOW - 100


@given(st.floats(0, 4_102_444_800), st.floats(0, 4_102_444_800), st.floats(0, 1e6), st.booleans())
def test_no_event_is_in_the_future_or_before_the_epoch(
    clock: float, time: float, later: float, dies: bool
) -> None:
    packet = Death(seq=1, time=time, victim=Player("a")) if dies else kill(1, time=time)
    taken = session(time=clock).take(packet, now=NOW + later)
    assert isinstance(taken, Kill | Death)
    assert 0 <= taken.time <= NOW + later
