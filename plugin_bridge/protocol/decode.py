"""From a frame to packets. The only place that says a peer sent something malformed."""

from typing import Any

import msgspec

from plugin_bridge.errors import FrameError
from plugin_bridge.protocol.packets import (
    MAX_PACKETS_PER_FRAME,
    CloseCode,
    Death,
    FromMod,
    Kill,
    Rejected,
    Seq,
)

KEPT_RAW_CHARACTERS = 2_000
"""How much of a rejected packet is kept, for the admin to look at."""

_BROKEN = (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError)
_one = msgspec.json.Decoder(FromMod)
_many = msgspec.json.Decoder(list[FromMod])
_raws = msgspec.json.Decoder(list[msgspec.Raw])
_head = msgspec.json.Decoder(dict[str, Any])
_tags = frozenset(t.__struct_config__.tag for t in FromMod.__args__)
_event_tags = frozenset(t.__struct_config__.tag for t in (Kill, Death))


def decode_frame(frame: str | bytes) -> list[FromMod | Rejected]:
    """The packets of one frame, in order; those that break the contract as `Rejected`.

    Raises FrameError when the frame as a whole is no JSON object or array of 1 to 1,000.
    Cost: linear in the size of the frame.
    """
    if isinstance(frame, bytes):
        raise FrameError(
            "bad_frame", "frames must be text, not binary", close_code=CloseCode.BROKEN_CONTRACT
        )
    if not frame.lstrip().startswith("["):
        return [_decode_packet(frame)]
    try:
        packets: list[FromMod | Rejected] = [*_many.decode(frame)]
    except _BROKEN:
        packets = [_decode_packet(bytes(raw).decode()) for raw in _split(frame)]
    if not 1 <= len(packets) <= MAX_PACKETS_PER_FRAME:
        raise FrameError(
            "bad_frame",
            f"a frame holds 1 to {MAX_PACKETS_PER_FRAME} packets, not {len(packets)}",
            close_code=CloseCode.BROKEN_CONTRACT,
        )
    return packets


def _split(frame: str) -> list[msgspec.Raw]:
    try:
        return _raws.decode(frame)
    except _BROKEN as error:
        raise _not_json(error) from None


def _decode_packet(raw: str) -> FromMod | Rejected:
    try:
        return _one.decode(raw)
    except _BROKEN as error:
        return _reject(raw, str(error))


def _reject(raw: str, why: str) -> Rejected:
    try:
        head = _head.decode(raw)
    except msgspec.ValidationError:
        raise FrameError(
            "bad_frame", "a packet must be a JSON object", close_code=CloseCode.BROKEN_CONTRACT
        ) from None
    except _BROKEN as error:
        raise _not_json(error) from None
    kind, mark = head.get("type"), head.get("id")
    known = isinstance(kind, str) and kind in _tags
    return Rejected(
        code="bad_packet" if known or kind is None else "unknown_type",
        text=why,
        raw=raw[:KEPT_RAW_CHARACTERS],
        seq=_seq(head.get("seq")) if kind in _event_tags or not known else None,
        id=mark if isinstance(mark, str) and len(mark) <= 64 else None,
    )


def _seq(value: object) -> int | None:
    try:
        return None if isinstance(value, bool) else msgspec.convert(value, Seq)
    except msgspec.ValidationError:
        return None


def _not_json(error: Exception) -> FrameError:
    return FrameError(
        "bad_frame", f"this is not valid JSON: {error}", close_code=CloseCode.BROKEN_CONTRACT
    )
