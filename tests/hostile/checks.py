"""What must be true of every input, however it came about: shared by all who make inputs."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from plugin_bridge.config import ConfigError, default_config_text, parse_config
from plugin_bridge.errors import FrameError
from plugin_bridge.protocol.decode import KEPT_RAW_CHARACTERS, SAID_CHARACTERS, decode_frame
from plugin_bridge.protocol.packets import MAX_PACKETS_PER_FRAME, CloseCode, Rejected

SECONDS = 1.0
"""Of work that one input of a few kilobytes may make; a thousand times what it does make."""
PROBLEMS = 101
VECTORS = Path(__file__).parents[1] / "vectors"
PAGE = Path(__file__).parents[2] / "plugin_bridge" / "PROTOCOL.md"


def timely(check: Callable[[str], None], text: str) -> None:
    started = time.process_time()
    check(text)
    assert time.process_time() - started < SECONDS, f"too slow: {text[:200]!r}"


def check_frame(frame: str) -> None:
    """A frame is packets, rejected packets, or a broken frame, and each can be kept and told."""
    try:
        packets = decode_frame(frame)
    except FrameError as error:
        assert (error.code, error.close_code) == ("bad_frame", CloseCode.BROKEN_CONTRACT)
        assert len(str(error)) < SAID_CHARACTERS + 100
        assert str(error).isprintable()
        return
    assert 1 <= len(packets) <= MAX_PACKETS_PER_FRAME
    for packet in packets:
        for words in strings(msgspec.to_builtins(packet)):
            words.encode()  # no half characters: neither the store nor the wire could take them
        if isinstance(packet, Rejected):
            assert packet.code in ("bad_packet", "unknown_type")
            assert packet.text.isprintable()
            assert len(packet.text) <= SAID_CHARACTERS
            assert len(packet.raw) <= KEPT_RAW_CHARACTERS


def check_settings(text: str) -> None:
    """A settings file is settings or a list of problems, each of which can be shown."""
    try:
        parse_config(text)
    except ConfigError as error:
        assert 1 <= len(error.problems) <= PROBLEMS
        for problem in error.problems:
            assert problem.headline.isprintable() or "\t" in problem.headline
            str(problem).encode()
            assert len(str(problem)) < 2_000


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings(item)


def frames() -> list[str]:
    """Frames to begin with: all that the vectors and the page of the contract show."""
    vectors = json.loads((VECTORS / "from_mod.json").read_text(encoding="utf-8"))
    shown = [line.removeprefix("> ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    return [vector["frame"] for vector in vectors] + [line for line in shown if line[:1] == "{"]


def words(seeds: list[str]) -> list[str]:
    """What the seeds are made of, and more that means something to JSON, YAML or markup."""
    found = {word for seed in seeds for word in re.split(r"[\s\",:{}\[\]]+", seed)}
    special = (
        r"\ud83d \u0000 1e999 -0 |- >- !!int *x &x <<: ? --- %YAML &6 <red> </b> &#12 {player}"
    )
    return sorted(
        {*found, *special.split(" "), "\n  - ", "\r", "\t", "\u2028", "\ufeff", ": "} - {""}
    )


def settings_files() -> list[str]:
    """Settings to begin with: the shipped file, and each of its sections."""
    shipped = default_config_text()
    return [shipped, *(section + "\n" for section in shipped.split("\n\n"))]
