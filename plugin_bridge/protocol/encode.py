"""From packets to frames."""

from collections.abc import Sequence

import msgspec

from plugin_bridge.protocol.packets import FromDaemon

_encoder = msgspec.json.Encoder()


def encode_packet(packet: FromDaemon) -> bytes:
    """One packet as JSON. Cost: linear in its size."""
    return _encoder.encode(packet)


def join_frame(packets: Sequence[bytes]) -> str:
    """One frame for one or more encoded packets."""
    if len(packets) == 1:
        return packets[0].decode()
    return f"[{b','.join(packets).decode()}]"


def encode_frame(packets: Sequence[FromDaemon]) -> str:
    """One frame for one or more packets. Cost: linear in their size."""
    return join_frame([encode_packet(packet) for packet in packets])
