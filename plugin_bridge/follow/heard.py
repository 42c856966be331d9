"""What the daemon says, as far as it matters here: labels and the like are out of reach. Pure."""

import json

import msgspec

from plugin_bridge.protocol.packets import Ack, Broadcast, Error, Message, Reply, Welcome

Heard = Reply | Message | Broadcast | Error
Taken = Heard | Welcome | Ack
_tags = {kind.__struct_config__.tag for kind in Taken.__args__}


def understood(frame: str | bytes) -> list[Taken]:
    """The packets of a frame. Raises ValueError for what no daemon says."""
    try:
        decoded = json.loads(frame)
        packets = decoded if isinstance(decoded, list) else [decoded]
        return [msgspec.convert(one, Taken) for one in packets if one.get("type") in _tags]
    except (ValueError, AttributeError, TypeError, msgspec.ValidationError) as error:
        raise ValueError(f"what is there does not speak as a daemon does ({error})") from None
