"""From a packet that a mod sent to the entry that the log keeps."""

from functools import partial

import msgspec

from plugin_bridge.config import Config
from plugin_bridge.contests.book import Book
from plugin_bridge.logs import masked
from plugin_bridge.protocol.packets import Death, Kill, Player, Rejected
from plugin_bridge.store.rows import LogEntry

NumberedPacket = Kill | Death | Rejected

CONTEST_ONLY = "contest"
"""Reason of a kill that counts for a contest, but not for the ladder."""


def entry_for(
    packet: NumberedPacket,
    *,
    server: str,
    lane: int,
    position: int,
    received: float,
    config: Config,
    book: Book | None = None,
) -> LogEntry:
    """The entry, with the ladder that the config names now: later changes do not rewrite history.

    For the same reason it names the contest of the book that it belongs to, if any. A kill that is
    not rated gets no ladder, and as its `detail` why, unless the world is why. Cost: O(1).
    """
    assert packet.seq is not None  # unnumbered packets never come here
    entry = partial(LogEntry, position=position, lane=lane, seq=packet.seq, received=received)
    match packet:
        case Kill():
            contest, for_ladder = _contest(
                packet, packet.killer, packet.victim, server=server, config=config, book=book
            )
            rated = for_ladder and config.rates(packet.world)
            return entry(
                kind="kill",
                time=packet.time,
                ladder=config.ladder_for(server, packet.world) if rated else None,
                killer=packet.killer.id,
                victim=packet.victim.id,
                cause=packet.cause,
                weapon=packet.weapon,
                world=packet.world,
                detail=None if for_ladder else CONTEST_ONLY,
                contest=contest,
            )
        case Death():
            contest, _ = _contest(packet, packet.victim, server=server, config=config, book=book)
            return entry(
                kind="death",
                time=packet.time,
                victim=packet.victim.id,
                cause=packet.cause,
                world=packet.world,
                contest=contest,
            )
        case Rejected():
            return entry(
                kind="rejected", time=received, cause=packet.code, detail=masked(packet.raw)
            )


def _contest(
    packet: Kill | Death, *players: Player, server: str, config: Config, book: Book | None
) -> tuple[int | None, bool]:
    """The contest in which these took part then, if any; whether it counts for the ladder too."""
    ids = [player.id for player in players]
    row = book and config.rates(packet.world) and book.claims(server, packet.time, ids)
    if not book or not row:
        return None, True
    return row.contest, book.charter(row.contest).ladder


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
