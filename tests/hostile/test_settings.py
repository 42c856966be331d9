"""config.yml at its worst: other files by its name, and whatever takes more than linear time."""

from __future__ import annotations

import math
import os
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from plugin_bridge.config import ConfigError, parse_config
from plugin_bridge.config.values import Unfit, duration, number
from plugin_bridge.present import PROBLEMS_SHOWN
from plugin_bridge.protocol.packets import MAX_FRAME_BYTES

from ..daemon.mod import PLAYER, Mod, awaited, dialled
from ..daemon.running import Home, settings
from .watching import LAUNCHER

LARGEST = 256 * 1024
SECONDS = 8.0
"""Of work that a file of that size may make; what was mended here made hours of it."""
ADMIN = (*PLAYER, "adrbridge.admin")


def filled(head: str, piece: str, tail: str = "") -> str:
    """As much of the piece as a file may hold."""
    return head + piece * ((LARGEST - len(head) - len(tail)) // len(piece)) + tail


def numbered(head: str, line: str, tail: str = "") -> str:
    """As `filled`; every `#` in a line is another number."""
    lines, left, number = [head], LARGEST - len(head) - len(tail), 0
    while (left := left - len(one := line.replace("#", str(number)))) > 0:
        lines.append(one)
        number += 1
    return "".join((*lines, tail))


WORST = {
    "tags that do nothing": filled('messages: {promotion: "', "<a:1>", '"}'),
    "tags that close nothing": filled('messages: {promotion: "' + "<b>" * 40_000, "</i>", '"}'),
    "one gradient": filled('messages: {promotion: "<gradient:red:blue>', "x", '"}'),
    "braces": filled('messages: {promotion: "', "{{", '"}'),
    "a number": filled("rating: {parameters: {mu_0: ", "9", "x}}"),
    "a length of time": filled('calibration: {interval: "1d', " ", 'x"}'),
    "keys nobody knows": numbered("", "key#: 1\n"),
    "keys without values": filled("{", "a: b, ", "}"),
    "the same key": filled("", "port: 1\n"),
    "a list of nothing": filled("servers: [", "x,", "]"),
    "a list in a list": filled("", "["),
    "ladders": numbered("ladders:\n", "  l#: {worlds: [w#]}\n"),
    "ladders with bad rules": numbered(
        "ladders:\n", "  l#: {worlds: [w#], rating: {parameters: {tau: 0, w_ref: 0}}}\n"
    ),
    "every world of every server": (
        "ladders: {a: {servers: ["
        + ", ".join(f"s{number}" for number in range(17_000))
        + "], worlds: ["
        + ", ".join(f"w{number}" for number in range(17_000))
        + "]}}"
    ),
    "tiers": numbered("tiers:\n", "  - {name: T#}\n"),
    "a key and no end": filled("", "a: "),
    "an open quote": filled('"', "a\n"),
    "questions": filled("", "? "),
    "dashes": filled("", "- "),
    "empty lines": filled("", "\n"),
}


@pytest.mark.parametrize("text", WORST.values(), ids=WORST.keys())
def test_no_file_takes_more_than_moments_to_be_read_or_refused(text: str) -> None:
    assert LARGEST * 0.9 < len(text) <= LARGEST
    started = time.process_time()
    try:
        parse_config(text)
    except ConfigError as error:
        assert len(error.problems) <= 101
        assert len(str(error)) < 101 * 1_000
    assert time.process_time() - started < SECONDS


def test_of_hopelessly_many_problems_the_first_hundred_are_told_and_that_there_are_more() -> None:
    with pytest.raises(ConfigError) as error:
        parse_config("".join(f"key{number}: 1\n" for number in range(2_000)))
    first, *others = error.value.problems
    assert first.headline == "config.yml: 100 problems or more"
    assert [problem.line for problem in others] == list(range(1, 101))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f'messages: {{promotion: "{"x" * 2_001}"}}', "`promotion` is longer than 2000 characters"),
        (f'messages: {{promotion: "{"x" * 401}"}}', "`promotion` must be at most 400 characters"),
        (f'display: {{unranked: "{"&c" * 9}{"x" * 65}"}}', "`unranked` must be at most 64"),
        (f'display: {{prefix: "{"x" * 401}"}}', "`prefix` must be at most 400"),
        (
            "ladders:\n" + "".join(f"  l{n}: {{worlds: [w{n}]}}\n" for n in range(101)),
            "at most 100",
        ),
    ],
    ids=["value", "message", "label", "prefix", "ladders"],
)
def test_what_is_beyond_all_use_is_refused_with_the_limit(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_config(text)
    (problem,) = error.value.problems
    assert told in problem.headline
    assert len(problem.headline) < 400


def test_colours_letter_by_letter_leave_room_for_a_sentence() -> None:
    letters = "".join(f"&#ff88{number:02x}x" for number in range(200))
    parse_config(f'messages: {{promotion: "{letters}{{player}}"}}')


@given(st.text("0123456789.eE+-dhms \t", max_size=60))
@hypothesis_settings(max_examples=300)
def test_numbers_and_lengths_of_time_are_read_or_refused(text: str) -> None:
    for read in (number(), duration()):
        with suppress(Unfit):
            assert math.isfinite(read(text))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1d 2h 3m 4s", 93_784), ("1d2h", 93_600), ("1.5 h", 5_400), ("2m30s", 150), ("3  s", 3)],
)
def test_a_length_of_time_may_hold_spaces(text: str, seconds: float) -> None:
    assert duration()(text) == seconds


@awaited
async def test_settings_that_somebody_made_a_pipe_are_refused_and_nobody_waits(home: Home) -> None:
    mod, path = Mod(), home.folder / "config.yml"
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            path.unlink()
            os.mkfifo(path)
            answer = await mod.ask("rankadmin reload", may=ADMIN)
            assert "cannot be read: it is no ordinary file" in " ".join(answer)
            await mod.kill("ann", "bob")


@awaited
async def test_admins_in_the_game_are_told_the_first_problems_and_how_many_there_are(
    home: Home,
) -> None:
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            home.save("".join(f"key{number}: 1\n" for number in range(2_000)))
            daemon.logged("config.yml is broken")
            await mod.take("broadcast")
            await mod.settled()
            assert len(mod.seen("broadcast")) == PROBLEMS_SHOWN
            answer = await mod.ask("rankadmin reload", may=ADMIN)
            assert len(answer) == 1 + PROBLEMS_SHOWN
            assert "101" in answer[0]
            await mod.kill("ann", "bob")


@awaited
async def test_the_longest_texts_that_an_admin_can_write_fit_into_a_frame(home: Home) -> None:
    styles = "<b><i><u><st><obf><gradient:black:white:black:white>"
    long = styles + "\U0001f98a" * 64
    tiers = "tiers:\n" + "".join(f'  - {{name: T{n}, label: "{long}"}}\n' for n in range(3))
    texts = f"""
messages: {{top_line: "{styles}{{player}}{{tier}}{"x" * 400}"}}
display: {{prefix: "{styles}{"x" * 399}{{label}}"}}
"""
    home.save(settings(texts, tiers=tiers))
    with home.serving(LAUNCHER, "set:plugin_bridge.daemon:TOP_SECONDS:0.5", "--") as daemon:
        async with dialled(daemon.url, home.tokens["survival"]) as bare:
            mod = Mod()
            mod._socket = bare
            await mod.send(mod.hello())
            for number in range(12):
                name = f"\U0001f98a{'W' * 63}{number}"
                await mod.send(
                    mod.killed(
                        f"p{number}", f"q{number}", killer={"id": f"p{number}", "name": name}
                    )
                )
            await mod.send(
                {"type": "command", "id": "c", "sender": None, "words": ["rank", "top"]}
                | {"permissions": []}
            )
            sizes = {}
            while not {"top", "reply"} <= sizes.keys() or sizes["top"] < 10_000:
                frame = await bare.recv()
                for kind in ("top", "reply"):
                    if f'"type":"{kind}"' in str(frame):
                        sizes[kind] = len(str(frame).encode())
    assert 500_000 < sizes["reply"] < MAX_FRAME_BYTES, sizes
    assert 500_000 < sizes["top"] < MAX_FRAME_BYTES, sizes
