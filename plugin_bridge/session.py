"""One connection's half of the wire contract: what may come when, numbering, and the mod's clock.

Pure: packets in, packets out, no sockets and no clock of its own.
"""

import msgspec

from plugin_bridge.errors import FrameError
from plugin_bridge.protocol.packets import (
    PROTOCOL_VERSION,
    CloseCode,
    Death,
    FromMod,
    Hello,
    Kill,
    Rejected,
)

OLDEST_SECONDS = 30 * 86_400.0
"""What claims to have waited longer was rather written by a clock that was not set yet."""
SKEW_SECONDS = 30.0
"""A mod's clock that is off by less is taken as right: the rest is the way and the queue."""


def greet(packet: FromMod | Rejected) -> Hello:
    """The first packet of a connection. Raises FrameError unless it is a `hello` we can serve."""
    if not isinstance(packet, Hello):
        why = packet.text if isinstance(packet, Rejected) else "the first packet must be `hello`"
        raise FrameError("bad_hello", why, close_code=CloseCode.BROKEN_CONTRACT)
    if packet.protocol != PROTOCOL_VERSION:
        raise FrameError(
            "bad_hello",
            f"the mod speaks protocol {packet.protocol}, this daemon {PROTOCOL_VERSION}: "
            "install matching versions of both",
            close_code=CloseCode.VERSION,
        )
    return packet


class Session:
    """Follows one connection from its `hello` on.

    last: the last `seq` of the spool that is stored for good.
    now: the daemon's clock when the hello came, seconds since 1970.
    """

    def __init__(self, hello: Hello, *, last: int, now: float) -> None:
        self.lost = range(last + 1, hello.first)
        """Numbers that the mod says it can no longer deliver."""
        skew = now - hello.time
        self.skew = skew if abs(skew) > SKEW_SECONDS else 0.0
        """Seconds that the mod's clock is behind the daemon's; added to its times."""
        self._expected = max(last + 1, hello.first)

    def take(self, packet: FromMod | Rejected, *, now: float) -> FromMod | Rejected:
        """The packet with its time on the daemon's clock. A repeated event passes, for its ack.

        Raises FrameError for a second `hello` and for a hole in the numbering.
        """
        match packet:
            case Hello():
                raise FrameError(
                    "bad_hello",
                    "a second `hello` on one connection",
                    close_code=CloseCode.BROKEN_CONTRACT,
                )
            case Kill() | Death():
                self._count(packet.seq)
                time = self._moment(packet.time, now=now)
                if time != packet.time:
                    return msgspec.structs.replace(packet, time=time)
            case Rejected(seq=int(seq)):
                self._count(seq)
        return packet

    def _moment(self, time: float, *, now: float) -> float:
        """When it happened. A clock that is far off says nothing: then it was just now.

        Were it believed, its players would come back from years of absence with their next kill.
        """
        time += self.skew
        return time if max(0.0, now - OLDEST_SECONDS) <= time <= now else now

    def _count(self, seq: int) -> None:
        if seq > self._expected:
            raise FrameError(
                "gap",
                f"event {seq} came, but {self._expected} is next; send it again from there",
                close_code=CloseCode.GAP,
            )
        self._expected = max(self._expected, seq + 1)
