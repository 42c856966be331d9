"""The packets that every side of the link is held to, and the examples of the contract page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from plugin_bridge.errors import FrameError
from plugin_bridge.protocol.decode import decode_frame
from plugin_bridge.protocol.encode import encode_frame
from plugin_bridge.protocol.packets import FromDaemon, FromMod, Rejected

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = (ROOT / "plugin_bridge" / "PROTOCOL.md").read_text(encoding="utf-8")
FROM_LATER_VERSIONS = {"sparkle"}


def vectors(name: str) -> list[Any]:
    """One of the shared files, each entry with its own name as a test."""
    entries = json.loads((ROOT / "tests" / "vectors" / name).read_text(encoding="utf-8"))
    assert len(entries) > 10
    return [pytest.param(entry, id=entry["name"]) for entry in entries]


def as_vector(packet: object) -> dict[str, Any]:
    if isinstance(packet, Rejected):
        return {"rejected": packet.code, "seq": packet.seq}
    built: dict[str, Any] = msgspec.to_builtins(packet)
    return built


@pytest.mark.parametrize("vector", vectors("from_mod.json"))
def test_a_frame_of_a_mod_holds_just_the_packets_of_its_vector(vector: dict[str, Any]) -> None:
    if "closes" in vector:
        with pytest.raises(FrameError) as refused:
            decode_frame(vector["frame"])
        assert refused.value.close_code == vector["closes"]
    else:
        assert [as_vector(packet) for packet in decode_frame(vector["frame"])] == vector["packets"]


@pytest.mark.parametrize("vector", vectors("from_daemon.json"))
def test_the_daemon_writes_a_packet_exactly_as_its_vector_has_it(vector: dict[str, Any]) -> None:
    packet = vector["packet"]
    if packet["type"] in FROM_LATER_VERSIONS:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(packet, FromDaemon)
    else:
        assert json.loads(encode_frame([msgspec.convert(packet, FromDaemon)])) == packet


def test_the_vectors_have_every_packet_there_is() -> None:
    def tags(union: Any) -> set[str]:
        return {kind.__struct_config__.tag for kind in union.__args__}

    mod = json.loads((ROOT / "tests/vectors/from_mod.json").read_text(encoding="utf-8"))
    daemon = json.loads((ROOT / "tests/vectors/from_daemon.json").read_text(encoding="utf-8"))
    said = {packet.get("type") for vector in mod for packet in vector.get("packets", [])}
    heard = {vector["packet"]["type"] for vector in daemon}
    assert said >= tags(FromMod)
    assert heard == tags(FromDaemon) | FROM_LATER_VERSIONS


def examples(mark: str) -> list[str]:
    """The lines of the contract's example session that one side says."""
    return [line[2:] for line in CONTRACT.splitlines() if line.startswith(f"{mark} {{")]


def test_what_the_contract_page_lets_a_mod_say_is_understood() -> None:
    shown = [line for line in CONTRACT.splitlines() if line.startswith('{"type":')]
    said = examples(">")
    assert len(shown) >= 2
    assert len(said) >= 4
    for frame in (*shown, *said):
        (packet,) = decode_frame(frame)
        assert not isinstance(packet, Rejected), frame


def test_what_the_contract_page_lets_the_daemon_say_is_what_it_says() -> None:
    heard = examples("<")
    assert len(heard) >= 6
    for frame in heard:
        packet = msgspec.json.decode(frame, type=FromDaemon)
        assert json.loads(encode_frame([packet])) == json.loads(frame)
