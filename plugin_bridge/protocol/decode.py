"""From a frame to packets. The only place that says a peer sent something malformed."""

import re
from typing import TypeVar

import msgspec

from plugin_bridge.errors import FrameError
from plugin_bridge.protocol.packets import (
    MAX_PACKETS_PER_FRAME,
    CloseCode,
    Death,
    FromMod,
    Key,
    Kill,
    Rejected,
    Seq,
)

KEPT_RAW_CHARACTERS = 2_000
"""How much of a rejected packet is kept, for the admin to look at."""
SAID_CHARACTERS = 300
"""How much is said about one: the words may quote the packet."""

_T = TypeVar("_T")
_BROKEN = (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError)
_one = msgspec.json.Decoder(FromMod)
_many = msgspec.json.Decoder(list[FromMod])
_raws = msgspec.json.Decoder(list[msgspec.Raw])
_head = msgspec.json.Decoder(dict[str, msgspec.Raw])
_kind = msgspec.json.Decoder(str)
_seq = msgspec.json.Decoder(Seq)
_mark = msgspec.json.Decoder(Key)
_tags = frozenset(t.__struct_config__.tag for t in FromMod.__args__)
_event_tags = frozenset(t.__struct_config__.tag for t in (Kill, Death))
_escape = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def decode_frame(frame: str | bytes) -> list[FromMod | Rejected]:
    """The packets of one frame, in order; those that break the contract as `Rejected`.

    Raises FrameError when the frame as a whole is no JSON object or array of 1 to 1,000.
    Cost: linear in the size of the frame.
    """
    if isinstance(frame, bytes):
        raise _bad_frame("frames must be text, not binary")
    frame = _whole_characters(frame)
    if not frame.lstrip().startswith("["):
        return [_decode_packet(frame)]
    try:
        packets: list[FromMod | Rejected] = [*_many.decode(frame)]
    except _BROKEN:
        raws = _split(frame)
        _check_count(len(raws))
        return [_decode_packet(bytes(raw).decode()) for raw in raws]
    _check_count(len(packets))
    return packets


def _whole_characters(frame: str) -> str:
    """Half a character, which mods send when they cut a text, is taken as an unreadable one."""
    if "\\ud" not in frame and "\\uD" not in frame:
        return frame
    return _escape.sub(lambda escape: r"\ufffd" if escape["half"] else escape[0], frame)


def _split(frame: str) -> list[msgspec.Raw]:
    try:
        return _raws.decode(frame)
    except _BROKEN as error:
        raise _not_json(error) from None


def _check_count(count: int) -> None:
    if not 1 <= count <= MAX_PACKETS_PER_FRAME:
        raise _bad_frame(f"a frame holds 1 to {MAX_PACKETS_PER_FRAME} packets, not {count}")


def _decode_packet(raw: str) -> FromMod | Rejected:
    try:
        return _one.decode(raw)
    except _BROKEN as error:
        return _reject(raw, _said(error))


def _reject(raw: str, why: str) -> Rejected:
    """What can still be told of a packet. A field that nobody can read is as good as none."""
    try:
        head = _head.decode(raw)
    except msgspec.ValidationError:
        raise _bad_frame("a packet must be a JSON object") from None
    except _BROKEN as error:
        raise _not_json(error) from None
    kind = _field(head, "type", _kind)
    known = kind in _tags
    return Rejected(
        code="bad_packet" if known or "type" not in head else "unknown_type",
        text=why,
        raw=raw[:KEPT_RAW_CHARACTERS],
        seq=_field(head, "seq", _seq) if kind in _event_tags or not known else None,
        id=_field(head, "id", _mark),
    )


def _field(head: dict[str, msgspec.Raw], name: str, decoder: msgspec.json.Decoder[_T]) -> _T | None:
    try:
        return decoder.decode(head[name])
    except (KeyError, *_BROKEN):
        return None


def _not_json(error: Exception) -> FrameError:
    return _bad_frame(f"this is not valid JSON: {_said(error)}")


def _bad_frame(text: str) -> FrameError:
    return FrameError("bad_frame", text, close_code=CloseCode.BROKEN_CONTRACT)


def _said(error: Exception) -> str:
    """An error in one short line."""
    text = str(error)[:SAID_CHARACTERS]
    return "".join(sign if sign.isprintable() else "?" for sign in text)
