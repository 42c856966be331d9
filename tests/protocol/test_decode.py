"""What a frame may hold: anything at all, without ever more than a refusal."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.errors import FrameError
from plugin_bridge.protocol.decode import KEPT_RAW_CHARACTERS, SAID_CHARACTERS, decode_frame
from plugin_bridge.protocol.packets import (
    MAX_FRAME_BYTES,
    MAX_PACKETS_PER_FRAME,
    CloseCode,
    Command,
    FromMod,
    Join,
    Kill,
    Quit,
    Rejected,
)

TYPES = ["hello", "kill", "death", "join", "quit", "world", "command", "ack", "", 7, None]
FIELDS = ["type", "seq", "time", "killer", "victim", "player", "id", "name", "world", "words"]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.sampled_from(["a", "b", "rank"]),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=12,
)
packets = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)}, optional=dict.fromkeys(FIELDS[1:], values)
)
frames = st.one_of(
    st.text(),
    st.binary(),
    values.map(json.dumps),
    packets.map(json.dumps),
    st.lists(packets, max_size=5).map(json.dumps),
    st.lists(packets | values, max_size=5).map(lambda items: json.dumps(items, ensure_ascii=False)),
)


def kill(**fields: Any) -> dict[str, Any]:
    return {"type": "kill", "seq": 1, "time": 5, "killer": {"id": "a"}, "victim": {"id": "b"}} | (
        fields
    )


def only(packet: dict[str, Any] | str) -> FromMod | Rejected:
    text = packet if isinstance(packet, str) else json.dumps(packet)
    (decoded,) = decode_frame(text)
    return decoded


@given(frames)
def test_whatever_comes_is_a_packet_a_rejected_one_or_a_broken_frame(frame: str | bytes) -> None:
    try:
        decoded = decode_frame(frame)
    except FrameError as error:
        assert error.code == "bad_frame"
        assert error.close_code == CloseCode.BROKEN_CONTRACT
        assert len(str(error)) < SAID_CHARACTERS + 100
        return
    assert 1 <= len(decoded) <= MAX_PACKETS_PER_FRAME
    for packet in decoded:
        if isinstance(packet, Rejected):
            assert packet.code in {"bad_packet", "unknown_type"}
            assert packet.text.isprintable()
            assert packet.seq is None or 1 <= packet.seq <= 1 << 53


@given(st.data())
def test_a_valid_frame_with_a_few_letters_changed_is_no_more_than_refused(
    data: st.DataObject,
) -> None:
    frame = list(json.dumps([kill(), {"type": "quit", "player": "a"}]))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(frame) - 1))
        frame[place] = data.draw(st.characters() | st.sampled_from('[]{}",:\\0'))
    try:
        decode_frame("".join(frame))
    except FrameError as error:
        assert error.code == "bad_frame"


@pytest.mark.parametrize(
    "frame",
    [
        "[" + "{}," * 340_000 + "{}]",
        "[" + "0," * 500_000 + "0]",
        "[" + '{"type":"kill","seq":1},' * 40_000 + "{}]",
        "[" * 1_000_000,
        '{"a":' * 200_000,
        " " * 1_000_000,
        '{"type":"' + "x" * 1_000_000 + '"}',
        '{"type":"kill","seq":1,"cause":"' + "\\ud800" * 160_000 + '"}',
        '{"type":"kill","seq":1,"cause":"' + "\\\\" * 400_000 + '\\ud800"}',
        '{"seq":' + "9" * 1_000_000 + "}",
    ],
    ids=lambda frame: frame[:16],
)
def test_the_worst_frame_of_full_size_takes_a_moment_only(frame: str) -> None:
    assert len(frame) <= MAX_FRAME_BYTES
    started = time.process_time()
    with suppress(FrameError):
        decode_frame(frame)
    assert time.process_time() - started < 1


def test_a_frame_holds_up_to_a_thousand_packets() -> None:
    quits = [{"type": "quit", "player": "a"}] * MAX_PACKETS_PER_FRAME
    assert decode_frame(json.dumps(quits)) == [Quit("a")] * MAX_PACKETS_PER_FRAME
    for extra in ({"type": "quit", "player": "a"}, {"type": "quit"}):
        with pytest.raises(FrameError):
            decode_frame(json.dumps([*quits, extra]))


def test_a_binary_frame_is_refused_even_if_its_bytes_are_a_packet() -> None:
    with pytest.raises(FrameError, match="text"):
        decode_frame(b'{"type":"quit","player":"a"}')


def test_an_id_is_the_same_in_every_letter_case_and_has_no_line_break() -> None:
    assert only({"type": "quit", "player": "AbC"}) == Quit("abc")
    for bad in ("a\n", "a b", "", "x" * 65, "ä"):
        assert isinstance(only({"type": "quit", "player": bad}), Rejected)


def test_a_name_is_cleaned_and_any_name_is_accepted() -> None:
    for raw, clean in (
        ("Two Words", "Two Words"),
        (".Steve", ".Steve"),
        ("Abc | 😺 тест スカ", "Abc | 😺 тест スカ"),
        ("§cRed\n", "cRed"),
        ("\u200b \u202e", ""),
        ("x" * 100, "x" * 64),
        (None, ""),
    ):
        packet = only({"type": "join", "player": {"id": "a", "name": raw}})
        assert isinstance(packet, Join)
        assert packet.player.name == clean


def test_half_a_character_in_a_text_costs_no_more_than_that_character() -> None:
    packet = only('{"type":"join","player":{"id":"a","name":"cut \\ud83d"}}')
    assert isinstance(packet, Join)
    assert packet.player.name == "cut \ufffd"
    whole = only('{"type":"join","player":{"id":"a","name":"\\ud83e\\udd8a \\\\ud800"}}')
    assert isinstance(whole, Join)
    assert whole.player.name == "🦊 \\ud800"
    command = only(
        '{"type":"command","id":"c","sender":null,"words":["rank","\\uD83D"],"permissions":[]}'
    )
    assert isinstance(command, Command)
    assert command.words == ["rank", "\ufffd"]


def test_a_field_the_contract_does_not_name_is_passed_over_whatever_it_holds() -> None:
    packet = only(
        '{"type":"kill","seq":1,"time":5,"killer":{"id":"a"},"victim":{"id":"b"},"x":1e999}'
    )
    assert isinstance(packet, Kill)
    assert isinstance(only(kill(mood={"deep": [1, {"er": None}]})), Kill)


def test_a_rejected_event_keeps_its_number_even_if_another_field_is_beyond_reading() -> None:
    rejected = only('{"type":"kill","seq":4,"time":1e999}')
    assert isinstance(rejected, Rejected)
    assert (rejected.code, rejected.seq) == ("bad_packet", 4)


def test_only_events_and_packets_nobody_knows_have_a_number_to_keep() -> None:
    for packet, code, seq in (
        ({"type": "death", "seq": 3}, "bad_packet", 3),
        ({"type": "dance", "seq": 3}, "unknown_type", 3),
        ({"seq": 3}, "bad_packet", 3),
        ({"type": 5, "seq": 3}, "unknown_type", 3),
        ({"type": "join", "seq": 3}, "bad_packet", None),
        ({"type": "kill", "seq": True}, "bad_packet", None),
        ({"type": "kill", "seq": 1.5}, "bad_packet", None),
        ({"type": "kill", "seq": 0}, "bad_packet", None),
        ({"type": "kill", "seq": 2**53 + 1}, "bad_packet", None),
    ):
        rejected = only(packet)
        assert isinstance(rejected, Rejected)
        assert (rejected.code, rejected.seq) == (code, seq), packet


def test_a_rejected_command_keeps_the_mark_by_which_the_mod_knows_it() -> None:
    rejected = only({"type": "command", "id": "c7", "words": []})
    assert isinstance(rejected, Rejected)
    assert rejected.id == "c7"
    unusable = only({"type": "command", "id": "c" * 65, "words": []})
    assert isinstance(unusable, Rejected)
    assert unusable.id is None


def test_a_rejected_packet_is_quoted_in_part_and_without_control_characters() -> None:
    rejected = only({"type": "x\n\x1b[31m" + "y" * 100_000})
    assert isinstance(rejected, Rejected)
    assert len(rejected.raw) == KEPT_RAW_CHARACTERS
    assert len(rejected.text) <= SAID_CHARACTERS
    assert rejected.text.isprintable()


def test_times_and_numbers_are_taken_within_their_limits_only() -> None:
    for good in (kill(time=0), kill(time=4_102_444_800), kill(seq=2**53)):
        assert isinstance(only(good), Kill)
    for bad in (kill(time=-1), kill(time=4_102_444_801), kill(time="5"), kill(time=True)):
        assert isinstance(only(bad), Rejected)
    for bad in (kill(cause=""), kill(cause="x" * 65), kill(world=""), kill(killer="a")):
        assert isinstance(only(bad), Rejected)
