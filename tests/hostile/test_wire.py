"""Frames and handshakes that break the rules: each ends its own connection and nothing else."""

from __future__ import annotations

import asyncio
import json
import time
import zlib

import pytest

from plugin_bridge.protocol.packets import MAX_FRAME_BYTES

from ..daemon.mod import Mod, Packet, awaited
from ..daemon.running import Daemon, Home
from .raw import (
    BINARY,
    CLOSE,
    CONT,
    FIN,
    PING,
    PONG,
    RSV1,
    TEXT,
    UPGRADE,
    frame,
    in_pieces,
    opened,
    upgraded,
)
from .watching import bystander, in_a_hurry, megabytes

HELLO = json.dumps(Mod().hello()).encode()
ASK: Packet = {"type": "command", "id": "c", "sender": None, "words": ["rank", "top"]}
ASK |= {"permissions": []}


def padded(size: int, padding: str = " ") -> bytes:
    """A frame of `size` bytes that asks for the board."""
    text = json.dumps([ASK | {"padding": ""}])
    room = size - len(text.encode())
    many = padding * (room // len(padding.encode()))
    many += "x" * (room - len(many.encode()))
    return text.replace('"padding": ""', f'"padding": "{many}"').encode()


@pytest.fixture
def home(home: Home) -> Home:
    home.add("bystander")
    return home


@awaited
async def test_one_byte_at_a_time_is_slow_but_right(daemon: Daemon) -> None:
    async with upgraded(daemon.url, daemon.home.tokens["survival"]) as raw:
        for byte in frame(HELLO):
            raw.writer.write(bytes([byte]))
            await raw.writer.drain()
        await raw.take("welcome")
        await raw.send(in_pieces(json.dumps(ASK).encode()))
        await raw.take("reply")
        pieces = in_pieces(json.dumps(ASK | {"id": "ünïcödé 😺"}, ensure_ascii=False).encode())
        await raw.send(pieces)
        assert (await raw.take("reply"))["id"] == "ünïcödé 😺"
        between = [frame(b"p", PING), frame(b"", CONT, flags=0), frame(b"q", PONG)]
        text = json.dumps(ASK).encode()
        await raw.send(frame(text[:9], flags=0), *between * 20, frame(text[9:], CONT, flags=FIN))
        await raw.take("reply")


@awaited
@pytest.mark.parametrize("padding", [" ", "😺"], ids=["spaces", "cats"])
async def test_a_frame_of_a_mebibyte_is_taken_and_one_byte_more_is_not(
    daemon: Daemon, padding: str
) -> None:
    largest = padded(MAX_FRAME_BYTES, padding)
    assert len(largest) == MAX_FRAME_BYTES == 1_048_576
    for whole in (frame(largest), in_pieces(largest, 400)):
        async with upgraded(daemon.url, daemon.home.tokens["survival"]) as raw:
            await raw.send(frame(HELLO), whole)
            await raw.take("reply")
    larger = padded(MAX_FRAME_BYTES + 1, padding)
    for whole in (frame(larger), in_pieces(larger, 400)):
        async with upgraded(daemon.url, daemon.home.tokens["survival"]) as raw:
            await raw.send(frame(HELLO))
            await raw.take("welcome")
            raw.writer.write(whole)
            assert await raw.closed() == 1009


@awaited
async def test_a_frame_is_refused_by_its_announced_length_before_it_comes(daemon: Daemon) -> None:
    before = megabytes(daemon)
    for length in (MAX_FRAME_BYTES + 1, 1 << 40, (1 << 63) - 1):
        async with upgraded(daemon.url, daemon.home.tokens["survival"]) as raw:
            await raw.send(frame(HELLO))
            await raw.take("welcome")
            await raw.send(bytes([FIN | TEXT, 0xFF]) + length.to_bytes(8) + b"mask")
            assert await raw.closed() == 1009
    assert megabytes(daemon) - before < 20


@awaited
async def test_a_message_in_endlessly_many_pieces_takes_no_memory(home: Home) -> None:
    with home.serving(*in_a_hurry(CLOSING_SECONDS=0.5)) as daemon:
        before = megabytes(daemon)
        for piece in (frame(b"", CONT, flags=0), frame(b" ", CONT, flags=0)):
            async with upgraded(daemon.url, daemon.home.tokens["survival"]) as raw:
                await raw.send(frame(HELLO), frame(b"{", flags=0))
                await raw.take("welcome")
                raw.writer.write(piece * 200_000)
                assert await raw.closed() == 1009
        assert megabytes(daemon) - before < 20


@awaited
async def test_nothing_is_ever_inflated(daemon: Daemon) -> None:
    token = daemon.home.tokens["survival"]
    offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    async with opened(daemon.url) as raw:
        lines = f"{UPGRADE}{offer}\r\nAuthorization: Bearer {token}\r\n\r\n"
        raw.writer.write(lines.encode())
        status, head = await raw.answer()
        assert status == 101
        assert "extensions" not in head.lower()
        before = megabytes(daemon)
        squeezer = zlib.compressobj(9, wbits=-15)
        bomb = squeezer.compress(bytes(200_000_000)) + squeezer.flush(zlib.Z_SYNC_FLUSH)
        assert len(bomb) < MAX_FRAME_BYTES
        await raw.send(frame(HELLO), frame(bomb, flags=FIN | RSV1))
        assert await raw.closed() == 1002
        assert megabytes(daemon) - before < 20


BROKEN_FRAMES = {
    "reserved bit 1": (frame(b"{}", flags=FIN | RSV1), 1002),
    "reserved bit 2": (frame(b"{}", flags=FIN | 0x20), 1002),
    "reserved bit 3": (frame(b"{}", flags=FIN | 0x10), 1002),
    "unknown kind of frame": (frame(b"{}", 3), 1002),
    "unknown kind of control frame": (frame(b"{}", 11), 1002),
    "not masked": (bytes([FIN | TEXT, 2]) + b"{}", 1002),
    "continuation of nothing": (frame(b"{}", CONT), 1002),
    "text within a text": (frame(b"{", flags=0) + frame(b"{}"), 1002),
    "ping in pieces": (frame(b"x", PING, flags=0), 1002),
    "ping that is too long": (frame(b"x" * 126, PING), 1002),
    "close with half a code": (frame(b"\x03", CLOSE), 1002),
    "close with a code nobody may send": (frame((1006).to_bytes(2), CLOSE), 1002),
    "close with a reason that is no text": (frame(b"\x03\xe8\xff\xff", CLOSE), 1007),
    "not UTF-8": (frame(b'{"type":"\xff"}'), 1007),
    "half a character of UTF-16": (frame(b'{"type":"\xed\xa0\x80"}'), 1007),
    "cut within a character": (frame("😺".encode()[:3]), 1007),
    "binary": (frame(b"{}", BINARY), 4000),
    "empty": (frame(b""), 4000),
    "only spaces": (frame(b" \n\t "), 4000),
    "a byte order mark": (frame("\ufeff{}".encode()), 4000),
    "a number beyond all numbers": (frame(b"9" * 5_000), 4000),
    "deep brackets": (frame(b"[" * 500_000), 4000),
    "deep braces": (frame(b'{"a":' * 150_000), 4000),
    "null": (frame(b"null"), 4000),
    "a null character": (frame(b'{"type":"\x00"}'), 4000),
}


@awaited
async def test_a_frame_that_breaks_the_rules_ends_its_own_connection_alone(home: Home) -> None:
    token = home.tokens["survival"]
    with home.serving() as daemon:
        async with bystander(daemon) as other:
            for name, (broken, code) in BROKEN_FRAMES.items():
                for greeted in (True, False):
                    async with upgraded(daemon.url, token) as raw:
                        if greeted:
                            await raw.send(frame(HELLO))
                            await raw.take("welcome")
                        await raw.send(broken)
                        assert await raw.closed() == code, (name, greeted)
        assert other.longest < 5
        assert "ERROR" not in daemon.log


@awaited
async def test_a_polite_goodbye_is_answered_with_one(daemon: Daemon) -> None:
    async with upgraded(daemon.url, daemon.home.tokens["survival"]) as raw:
        await raw.send(frame(HELLO), frame((1000).to_bytes(2) + b"bye", CLOSE), frame(b"late"))
        assert await raw.closed() == 1000


KNOCKS = {
    "another method": UPGRADE.replace("GET", "POST"),
    "a body": UPGRADE + "Content-Length: 100000000\r\n",
    "a body without end": UPGRADE + "Transfer-Encoding: chunked\r\n",
    "an endless line": "GET /" + "a" * 200_000,
    "an endless header": UPGRADE + "X: " + "a" * 200_000,
    "endless headers": UPGRADE + "X: a\r\n" * 50_000,
    "a line break in a header": UPGRADE + "X: a\rY: b\r\n",
    "a null in a header": UPGRADE + "X: \x00\r\n",
    "no key": UPGRADE.replace("Sec-WebSocket-Key", "X"),
    "an old version": UPGRADE.replace("Version: 13", "Version: 8"),
    "a browser's page": "GET / HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n",
    "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/0.9": "GET /\r\n",
    "another protocol": "\x10\x00\x00\x04MQTT",
    "a game's ping": "\xfe\x01\xfa",
    "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x00" * 200,
}


@awaited
async def test_a_handshake_that_is_none_gets_in_nowhere_and_leaves_the_log_alone(
    home: Home,
) -> None:
    token = f"Authorization: Bearer {home.tokens['survival']}\r\n\r\n"
    with home.serving() as daemon:
        before = megabytes(daemon)
        async with bystander(daemon) as other:
            for name, knock in KNOCKS.items():
                async with opened(daemon.url) as raw:
                    raw.writer.write((knock + token).encode("latin-1"))
                    raw.writer.write_eof()
                    said = await asyncio.wait_for(raw.reader.read(), 5)
                    assert b" 101 " not in said[:40], name
                    assert home.tokens["survival"].encode() not in said
            for raw_token in (b"\xff\xfe", b"adr_\x80", b"\x00"):
                async with opened(daemon.url) as raw:
                    raw.writer.write(UPGRADE.encode() + b"Authorization: Bearer " + raw_token)
                    raw.writer.write(b"\r\n\r\n")
                    raw.writer.write_eof()
                    assert b" 101 " not in (await asyncio.wait_for(raw.reader.read(), 5))[:40]
        assert megabytes(daemon) - before < 20
        assert other.longest < 5
        assert "ERROR" not in daemon.log


@awaited
async def test_costly_frames_of_one_server_hardly_delay_another(home: Home) -> None:
    costly = [
        b"[" + b"{}," * 340_000 + b"{}]",
        b'{"type":"kill","seq":1,"cause":"' + b"\\ud800" * 160_000 + b'"}',
        json.dumps(
            [{"type": "join", "player": {"id": f"p{n}", "name": "x" * 900}} for n in range(1_000)]
        ).encode(),
        json.dumps(
            [ASK | {"words": ["rank", "x" * 256], "id": str(n)} for n in range(1_000)]
        ).encode(),
    ]
    with home.serving() as daemon:
        async with bystander(daemon) as other:
            until = time.monotonic() + 2
            while time.monotonic() < until:
                for one in costly:
                    async with upgraded(daemon.url, home.tokens["survival"]) as raw:
                        await raw.send(frame(HELLO))
                        await raw.take("welcome")
                        await raw.send(frame(one), frame(b"", CLOSE))
                        await raw.closed()
        assert other.longest < 5
        assert other.kills > 10
