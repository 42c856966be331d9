"""config.yml: whatever stands in it, there are settings or a ConfigError."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin_bridge.config import ConfigError, default_config_text, load_config, parse_config

SHIPPED = default_config_text()

KEYS = (
    "listen port host tls servers name address rating preset mu_0 parameters tiers label weight "
    "messages promotion ladders worlds filters only display prefix language calibration interval"
)
SIGNS = r"{ } [ ] ' , # &6[ *x !x !!int | >- % ? --- ... <<: ~ <red> \ud83d \UFFFFFFFF \x00 \N"
VALUES = "1e9 -1 1e999 0x10 5m 1.5h off {player} { main survival HT1 '&a' paper zh_cn"
BREAKS = '\n,\n  ,\n    ,\n  - ,\t, # ,\r,\ufeff,\x85,\u2028,\x00,\ud83d,😺,",'
PIECES = st.one_of(
    st.sampled_from(re.split(" ", KEYS)).map(lambda key: key + ": "),
    st.sampled_from(re.split(" ", SIGNS)),
    st.sampled_from([*re.split(" ", VALUES), "9" * 400, "%YAML 9", "%YAML " + "9" * 5000]),
    st.sampled_from(re.split(",", BREAKS)),
    st.text(max_size=4),
)


def either_settings_or_a_config_error(text: str) -> None:
    lines = max(1, len(text.splitlines()) + 1)
    try:
        parse_config(text)
    except ConfigError as error:
        assert error.problems
        assert str(error).encode("utf-8")
        for problem in error.problems:
            assert 0 <= problem.line <= lines
            assert "\n" not in problem.headline


@given(st.text(st.characters(), max_size=80))
@settings(max_examples=300)
def test_no_text_makes_the_loader_fail_in_another_way(text: str) -> None:
    either_settings_or_a_config_error(text)


@given(st.lists(PIECES, max_size=25).map("".join))
@settings(max_examples=600, deadline=None)
def test_no_heap_of_yaml_makes_the_loader_fail_in_another_way(text: str) -> None:
    either_settings_or_a_config_error(text)


@given(st.integers(0, len(SHIPPED)), st.integers(0, 40), PIECES)
@settings(max_examples=150, deadline=None)
def test_no_slip_in_the_shipped_file_makes_the_loader_fail_in_another_way(
    start: int, length: int, piece: str
) -> None:
    either_settings_or_a_config_error(SHIPPED[:start] + piece + SHIPPED[start + length :])


@given(raw=st.binary(max_size=60))
def test_no_bytes_make_the_loader_fail_in_another_way(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    path = Path(tmp_path_factory.mktemp("config")) / "config.yml"
    path.write_bytes(raw)
    try:
        load_config(path)
    except ConfigError as error:
        assert str(error).startswith("config.yml")
