"""Names and other words chosen to deceive, to break out of where they stand, or to run something.

They are kept without what cannot be shown, and shown letter by letter, everywhere.
"""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from rich.cells import cell_len

from plugin_bridge.text import clean_name

from ..daemon.mod import PLAYER, Mod, Packet, awaited, dialled, words
from ..daemon.running import PATIENCE, Daemon, Home, run_cli, settings

NAMES = {
    "clear": ("\x1b[2J\x1b]0;owned\x07\x08evil\r\n", "[2J]0;ownedevil"),
    "c1": ("\x9b31mred\x9d", "31mred"),
    "null": ("nu\x00ll", "null"),
    "lines": ("one\u2028two\u2029three\x85four\x0bfive", "onetwothreefourfive"),
    "section": ("§k§4Admin§r", "k4Adminr"),
    "direction": ("\u202eevil\u202c\u2067x\u2069\u200f", "evilx"),
    "invisible": ("in\u200bvi\u2060si\ufeffble\u00ad\U000e0041", "invisible"),
    "tags": ("<click:run_command:'/op me'><red>Ann</red></click>", None),
    "hover": ("<hover:show_text:'x'>Ann", None),
    "gradient": ("<gradient:red:blue>Ann</gradient>\\<reset>", None),
    "codes": ("&4&lAdmin &#ff0000x &x&f&f&0&0&0&0", None),
    "json": ('","clickEvent":{"action":"run_command","value":"/op"},"x":"', None),
    "component": ('{"text":"x","extra":[{"selector":"@a"}]}', None),
    "braces": ("{player} {rating} {0} {__class__} %s %n", None),
    "log4j": ("${jndi:ldap://evil/x} %player_name%", None),
    "sql": ("'; DROP TABLE events; --", None),
    "rich": ("[red]x[/red] [link=http://evil]y[/] [/]", None),
    "markdown": ("A_word_ **b** `c` ||d|| @everyone", None),
    "path": ("../../etc/passwd", None),
    "cats": ("😺🦊𝕏 тест スカ 中文", None),
    "family": ("👩‍👩‍👧 ok", "👩👩👧 ok"),
    "zalgo": ("z̷̢̛a̸l̷g̸o", None),
    "long": ("x" * 10_000, "x" * 64),
    "wide": ("漢" * 10_000, "漢" * 64),
    "half": ("half \ud83d", "half \ufffd"),
    "blank": (" \t\n\u3164\u115f\u2800"[:5], ""),
    "nothing": ("", ""),
    "unknown": (None, ""),
}
"""What a mod says, and what is left of it; None: all."""
WORDING = """
messages:
  placement: "<b>news</b> &a{player} &r{tier}"
  rank_placed: "rank {player}|{rating}"
  top_line: "<rainbow>line {rank} &4{player}&r|{rating}"
  unknown_player: "nobody called {name}"
  unknown_word: "what is {word}"
announcements: {placement: broadcast}
"""
TEXT_FIELDS = {"text", "color", "bold", "italic", "underlined", "strikethrough", "obfuscated"}
STRUCTURAL = {"text", "prefix", "lines", "subtitle", "extra"}


def left(key: str) -> str:
    """What is shown: the clean name, and the id of who has none."""
    said, kept = NAMES[key]
    return (said if kept is None else kept) or key


@pytest.fixture
def home(home: Home) -> Home:
    home.save(settings(WORDING))
    return home


def check_texts(value: Any) -> Iterator[str]:
    """All words in whatever the daemon sent, with every text in it found to be nothing but text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from check_texts(item)
    elif isinstance(value, dict):
        for field, item in value.items():
            if field in STRUCTURAL and isinstance(item, dict):
                check_component(item)
            if field in ("lines", "extra"):
                for part in item:
                    check_component(part)
            yield from check_texts(item)


def check_component(text: Packet) -> None:
    assert text.keys() <= TEXT_FIELDS | {"extra"}, text
    assert isinstance(text["text"], str)


def harmless(word: str) -> bool:
    """Nothing that a game, a terminal or a reader would obey instead of showing it."""
    return "§" not in word and all(
        unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for sign in word
    )


@awaited
async def test_in_the_game_a_name_is_shown_letter_by_letter_and_does_nothing(
    daemon: Daemon,
) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for key, (said, _) in NAMES.items():
            await mod.join(key, name=said)
            await mod.kill(key, "dummy", killer={"id": key, "name": said})
        await mod.settled()
        news = {words(packet["text"]) for packet in mod.seen("broadcast")}
        assert {f"news {left(key)} [High]" for key in NAMES} <= news
        board = []
        for page in range(1, 4):
            board += (await mod.ask(f"rank top {page}"))[1:]
        shown = {line.split(" ", 2)[2].rpartition("|")[0] for line in board}
        assert shown == {left(key) for key in NAMES} | {"Dummy"}
        for key in NAMES:
            assert (await mod.ask("rank", by=key))[0].startswith("rank ")
            (first, *_) = await mod.ask(f"rank {left(key)}")
            assert first.startswith(f"rank {left(key)}|"), key  # without a name by the id
        for packet in mod.inbox:
            assert all(map(harmless, check_texts(packet))), packet
        kept = dict(daemon.home.rows("SELECT player, name FROM people"))
        for key, (_, clean) in NAMES.items():
            assert kept.get(key, "") == (left(key) if clean != "" else ""), key
            assert clean_name(kept.get(key, "")) == kept.get(key, "")


@awaited
async def test_a_mod_that_shows_the_board_gets_the_same_names(daemon: Daemon) -> None:
    mod = Mod()
    token = daemon.home.tokens["survival"]
    some = list(NAMES)[:9]
    async with mod.connected(daemon.url, token):
        for key in some:
            await mod.kill(key, "dummy", killer={"id": key, "name": NAMES[key][0]})
    async with dialled(daemon.url, token) as bare:
        await bare.send(json.dumps(mod.hello()))
        packets: list[Packet] = []
        while not any(packet["type"] == "top" for packet in packets):
            said = json.loads(await bare.recv())
            packets += said if isinstance(said, list) else [said]
    (top,) = (packet for packet in packets if packet["type"] == "top")
    assert {row["name"] for row in top["rows"]} == {left(key) for key in some} | {"Dummy"}
    assert all(map(harmless, check_texts(top)))


@awaited
async def test_what_a_player_types_comes_back_to_that_player_without_power(daemon: Daemon) -> None:
    mod = Mod()
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        for typed in (
            "\x1b[2Jann",
            "§4ann",
            "<click:run_command:/op>ann",
            "a\u202enn",
            "{name}",
            "\x00",
            "\ud83d",
            "x" * 256,
            "%",
            "_",
            "' OR 1=1 --",
        ):
            for line in (f"rank {typed}", f"rank top {typed}", f"rankadmin {typed}", typed):
                for by, may in (("ann", (*PLAYER, "adrbridge.admin")), ("ann", ()), (None, ())):
                    for answer in await mod.ask(line, by=by, may=may):
                        assert harmless(answer), (typed, answer)
        assert (await mod.ask("rank <red>%"))[0] == "nobody called <red>%"
        assert (await mod.ask("rankadmin <red>%", by=None))[0] == "what is <red>%"
        await mod.send({"type": "command", "id": "c", "sender": None, "words": ["x" * 257]})
        assert (await mod.take("error", id="c"))["code"] == "bad_packet"


@awaited
async def test_other_words_of_an_event_may_be_anything_and_are_kept_as_they_are(
    home: Home,
) -> None:
    nasty = ["\x1b[2J", "\x00", "a\nb", "\u202e", "§k", "'; --", "😺", "x" * 64, "\ufffd", " "]
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("ann")
            for word in nasty:
                await mod.send({"type": "world", "player": "ann", "world": word})
                await mod.kill("ann", "bob", cause=word, weapon=word, world=word)
            await mod.settled()
            assert len(mod.seen("label", player="ann")) == 1 + 2 * len(nasty)
        assert not set("\x00\x1b\u202e") & set(daemon.log)
    kept = home.rows("SELECT cause, weapon, world FROM events WHERE kind = 'kill' ORDER BY seq")
    assert kept == [(word, word, word) for word in nasty]
    await home.replays()


@awaited
async def test_what_a_mod_calls_itself_cannot_write_into_the_log(home: Home) -> None:
    home.save(settings())
    lie = "1\n2026-01-01 00:00:00,000 ERROR   the database is gone\x1b[2J\u202e"
    with home.serving() as daemon:
        async with dialled(daemon.url, home.tokens["survival"]) as bare:
            hello = Mod().hello() | {"platform": lie[:64], "mod_version": lie[2:66]}
            await bare.send(json.dumps(hello))
            await bare.recv()
        for packet in ({"type": lie}, {"type": "hello", "protocol": 9 * 10**300}, {"type": "quit"}):
            async with dialled(daemon.url, home.tokens["survival"]) as bare:
                await bare.send(json.dumps(packet))
                await bare.wait_closed()
    for line in daemon.log.splitlines():
        assert re.match(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (INFO|WARNING) +\S", line), line
        assert len(line) < 500
        assert harmless(line)


@pytest.fixture
def played(home: Home) -> Home:
    """A database with all those names in it, and no daemon."""

    async def play(daemon: Daemon) -> None:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for key, (said, _) in NAMES.items():
                await mod.kill(key, "dummy", killer={"id": key, "name": said})

    with home.serving() as daemon:
        asyncio.run(play(daemon))
    return home


def on_a_terminal(home: Home, *command: str, **environment: str) -> str:
    """What a command writes to a terminal of 300 columns."""
    here, there = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "plugin_bridge", *command],
        cwd=home.folder,
        stdin=there,
        stdout=there,
        stderr=there,
        env=os.environ | {"COLUMNS": "300", "TERM": "xterm"} | environment,
    ) as process:
        os.close(there)
        written = b""
        try:
            while chunk := os.read(here, 65_536):
                written += chunk
        except OSError:  # how Linux says that nobody has the other end any more
            pass
        finally:
            os.close(here)
        assert process.wait(PATIENCE) == 0, written
    return written.decode()


STYLE = re.compile(r"\x1b\[[0-9;]*m")


def test_on_a_terminal_nothing_in_a_name_is_obeyed_and_the_columns_stay_straight(
    played: Home,
) -> None:
    screen = on_a_terminal(played, "top", "100")
    rows = [STYLE.sub("", line).rstrip() for line in screen.splitlines()]
    for row in rows:
        assert harmless(row), row
    assert "\x1b[" in screen  # the styles are those of the table itself
    lines = [row for row in rows if re.match(r" +\d+ ", row)]
    assert len(lines) == len(NAMES) + 1
    for key in NAMES:
        assert sum(f" {left(key)} " in line for line in lines) >= 1, key
    tiers = {cell_len(line[: re.search(r" (High|Middle|Low) ", line).start()]) for line in lines}  # type: ignore[union-attr]
    assert len(tiers) == 1, "the column of tiers begins in the same place in every line"
    for key in ("clear", "rich", "cats"):
        assert harmless(STYLE.sub("", on_a_terminal(played, "player", key)).replace("\r\n", ""))


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
    ],
    ids=["ascii", "C"],
)
def test_a_console_that_cannot_show_a_name_shows_the_rest(
    played: Home, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert b"rating" in raw_output(played, "top", "100")
    assert b"rating" in raw_output(played, "player", "cats")
    assert json.loads(raw_output(played, "player", "cats", "--json"))["name"] == left("cats")
    rows = json.loads(raw_output(played, "top", "100", "--json"))
    assert {row["name"] for row in rows} == {left(key) for key in NAMES} | {"Dummy"}
    assert "High" in on_a_terminal(played, "top", "100", **environment)


def raw_output(home: Home, *command: str) -> bytes:
    result = subprocess.run(
        [sys.executable, "-m", "plugin_bridge", *command],
        cwd=home.folder,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_whom_nobody_knows_is_told_on_a_line_without_power(played: Home) -> None:
    result = run_cli(played.folder, "player", "no\x1b[2Jbody")
    assert result.returncode == 1
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_the_log_is_written_whatever_the_console_can_show(
    home: Home, kind: str, encoding: str
) -> None:
    home.save('storage: {database: "."}\nmessages: {promotion: "<rainbow>é😺"}\n')
    result = subprocess.run(
        [sys.executable, "-m", "plugin_bridge", "serve", "--log-format", kind],
        cwd=home.folder,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    assert result.returncode == 1
    logged, refused = result.stderr.decode(encoding).rsplit("\nadr-bridge: ", 1)
    assert "this is a directory" in refused
    if kind == "json":
        assert "é😺" in json.loads(logged)["message"]
    else:
        assert ("é😺" if encoding == "utf-8" else r"\xe9\U0001f63a") in logged
