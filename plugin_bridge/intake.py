"""From a packet that a mod sent to the entry that the log keeps."""

from functools import partial

import msgspec

from plugin_bridge.config import Config
from plugin_bridge.logs import masked
from plugin_bridge.protocol.packets import Death, Kill, Player, Rejected
from plugin_bridge.store.rows import LogEntry

NumberedPacket = Kill | Death | Rejected


def entry_for(
    packet: NumberedPacket,
    *,
    server: str,
    lane: int,
    position: int,
    received: float,
    config: Config,
) -> LogEntry:
    """The entry, with the ladder that the config names now: later changes do not rewrite history.

    A kill in a world that is not rated gets no ladder. Cost: O(1).
    """
    assert packet.seq is not None  # unnumbered packets never come here
    entry = partial(LogEntry, position=position, lane=lane, seq=packet.seq, received=received)
    match packet:
        case Kill():
            rated = config.rates(packet.world)
            return entry(
                kind="kill",
                time=packet.time,
                ladder=config.ladder_for(server, packet.world) if rated else None,
                killer=packet.killer.id,
                victim=packet.victim.id,
                cause=packet.cause,
                weapon=packet.weapon,
                world=packet.world,
            )
        case Death():
            return entry(
                kind="death",
                time=packet.time,
                victim=packet.victim.id,
                cause=packet.cause,
                world=packet.world,
            )
        case Rejected():
            return entry(
                kind="rejected", time=received, cause=packet.code, detail=masked(packet.raw)
            )


def people_in(packet: NumberedPacket) -> list[Player]:
    """The players a packet names."""
    match packet:
        case Kill():
            return [packet.killer, packet.victim]
        case Death():
            return [packet.victim]
        case Rejected():
            return []


def set_aside(packet: Kill | Death) -> Rejected:
    """What is kept of an event that could not be rated through no fault of the mod."""
    raw = msgspec.json.encode(packet).decode()
    text = "a fault in the daemon: the event is kept, but not rated"
    return Rejected("fault", text, raw, packet.seq)
