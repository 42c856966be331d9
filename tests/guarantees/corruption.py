"""What editors, panels, disks and tired admins do to a config.yml."""

from __future__ import annotations

import random
from collections.abc import Callable

Corruption = Callable[[bytes, random.Random], bytes]

NOISE = (
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    '"',
    "'",
    "#",
    "&a ",
    "*a ",
    "|",
    ">",
    "%",
    "@",
    "`",
    "\t",
    "\n",
    "- ",
    "---\n",
    "...",
    "!!python/object:os.system ",
    "<<: ",
    "\x00",
    "\x1b",
    "é",
    "\u2028",
    "𝄞",
    "?",
)
WORDS = (
    "-1",
    "0",
    "1e999",
    ".nan",
    "99999999999999999999",
    "0x10",
    "null",
    "~",
    "yes",
    "[]",
    "{}",
    '""',
    "1000000d",
    "-5s",
    "2015-01-01",
    "*anchor",
    "main",
    "lang",
    "&4&l",
)


def _cut(raw: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(raw))
    return raw[:start] + raw[start + chance.randint(1, 60) :]


def _stop_short(raw: bytes, chance: random.Random) -> bytes:
    return raw[: chance.randrange(1, len(raw))]


def _insert(raw: bytes, chance: random.Random) -> bytes:
    where = chance.randrange(len(raw))
    return raw[:where] + chance.choice(NOISE).encode() * chance.choice((1, 1, 1, 5)) + raw[where:]


def _flip(raw: bytes, chance: random.Random) -> bytes:
    changed = bytearray(raw)
    for _ in range(chance.randint(1, 5)):
        changed[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _another_value(raw: bytes, chance: random.Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    number = chance.choice([n for n, line in enumerate(lines) if b": " in line])
    key, _, _ = lines[number].partition(b": ")
    lines[number] = key + b": " + chance.choice(WORDS).encode() + b"\n"
    return b"".join(lines)


def _another_number(raw: bytes, chance: random.Random) -> bytes:
    digits = [n for n, byte in enumerate(raw) if chr(byte).isdigit()]
    where = chance.choice(digits)
    return raw[:where] + str(chance.randrange(1000)).encode() + raw[where + 1 :]


def _shuffle_lines(raw: bytes, chance: random.Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines[first], lines[second] = lines[second], lines[first]
        case 1:
            lines.insert(second, lines[first])
        case 2:
            del lines[first]
        case 3:
            lines[first] = b" " * chance.randint(1, 4) + lines[first]
    return b"".join(lines)


def _wrong_encoding(raw: bytes, chance: random.Random) -> bytes:
    text = raw.decode()
    return chance.choice(
        (
            text.encode("utf-16"),
            b"\xef\xbb\xbf" + raw,
            text.replace("#", "§").encode("latin-1", "replace"),
            text.replace("\n", "\r\n").encode(),
            text.replace("\n", "\r").encode(),
            raw + b"\x80\xff",
        )
    )


def _something_else(raw: bytes, chance: random.Random) -> bytes:
    return chance.choice(
        (
            b"\n",
            b"null",
            b"[]",
            b"just a note to myself",
            raw + raw,
            raw + b"\n---\n" + raw,
            chance.randbytes(3_000),
            b"[" * 20_000,
            b"{a: " * 5_000,
            b"- " * 20_000,
            b"a: &a [1]\n" + b"".join(b"b%d: [*a, *a]\n" % n for n in range(500)),
            raw + b"# " + b"x" * 3_000_000,
            raw + b"\nmessages: {" + b"promotion: x, " * 20_000 + b"}",
        )
    )


CORRUPTIONS: tuple[Corruption, ...] = (
    _cut,
    _stop_short,
    _insert,
    _flip,
    _another_value,
    _another_number,
    _shuffle_lines,
    _wrong_encoding,
    _something_else,
)


def corrupted(raw: bytes, chance: random.Random) -> bytes:
    """The file with one to three things wrong with it, or right by luck."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        raw = chance.choice(CORRUPTIONS)(raw or b"\n", chance) if _is_text(raw) else raw
    return raw


def _is_text(raw: bytes) -> bool:
    try:
        return b": " in raw and any(chr(byte).isdigit() for byte in raw) and bool(raw.decode())
    except UnicodeDecodeError:
        return False
