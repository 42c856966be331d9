"""From packets to frames."""

from collections.abc import Sequence

import msgspec

from plugin_bridge.protocol.packets import FromDaemon

_encoder = msgspec.json.Encoder()


def encode_frame(packets: Sequence[FromDaemon]) -> str:
    """One frame for one or more packets. Cost: linear in their size."""
    return _encoder.encode(packets[0] if len(packets) == 1 else packets).decode()
