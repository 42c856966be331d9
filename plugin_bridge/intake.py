"""From a packet that a mod sent to the entry that the log keeps."""

import msgspec

from plugin_bridge.config import Config
from plugin_bridge.contests.book import Book
from plugin_bridge.protocol.nameless import nameless
from plugin_bridge.protocol.packets import Death, Kill, Player, Rejected
from plugin_bridge.roster import Roster
from plugin_bridge.store.rows import LogEntry

NumberedPacket = Kill | Death | Rejected

CONTEST_ONLY = "contest"
"""Reason of a kill that counts for a contest, but not for the ladder."""
SAME_ADDRESS = "same_address"
"""Reason of a kill between players of one internet connection, where those are not rated."""


def entry_for(
    packet: NumberedPacket,
    *,
    server: str,
    lane: int,
    position: int,
    received: float,
    config: Config,
    book: Book | None = None,
    roster: Roster | None = None,
) -> LogEntry:
    """The entry, with the ladder that the config names now: later changes do not rewrite history.

    For the same reason it names the contest of the book that it belongs to, if any. A kill that is
    not rated gets no ladder, and as its `detail` why, unless the world is why. Cost: O(1).
    """
    assert packet.seq is not None  # unnumbered packets never come here
    match packet:
        case Kill():
            ladder, reason, contest = _verdict(
                packet, server=server, config=config, book=book, roster=roster
            )
            return LogEntry(
                position=position,
                lane=lane,
                seq=packet.seq,
                kind="kill",
                time=packet.time,
                received=received,
                ladder=ladder,
                killer=packet.killer.id,
                victim=packet.victim.id,
                cause=packet.cause,
                weapon=packet.weapon,
                world=packet.world,
                detail=reason,
                contest=contest,
            )
        case Death():
            contest = _contest(packet, packet.victim, server=server, config=config, book=book)
            return LogEntry(
                position=position,
                lane=lane,
                seq=packet.seq,
                kind="death",
                time=packet.time,
                received=received,
                victim=packet.victim.id,
                cause=packet.cause,
                world=packet.world,
                contest=contest,
            )
        case Rejected():
            detail = nameless(packet.raw)  # the log is for good, and a name must not be
            return LogEntry(
                position=position,
                lane=lane,
                seq=packet.seq,
                kind="rejected",
                time=received,
                received=received,
                cause=packet.code,
                detail=detail,
            )


def _verdict(
    packet: Kill, *, server: str, config: Config, book: Book | None, roster: Roster | None
) -> tuple[str | None, str | None, int | None]:
    """The ladder that the kill counts for, or why for none, and the contest that it belongs to."""
    killer, victim = packet.killer, packet.victim
    if not config.rates(packet.world):
        return None, None, None
    strict = config.filters.same_address == "ignore"
    if strict and roster and roster.same_address(server, killer.id, victim.id):
        return None, SAME_ADDRESS, None
    contest = _contest(packet, killer, victim, server=server, config=config, book=book)
    if book and contest and not book.charter(contest).ladder:
        return None, CONTEST_ONLY, contest
    return config.ladder_for(server, packet.world), None, contest


def _contest(
    packet: Kill | Death, *players: Player, server: str, config: Config, book: Book | None
) -> int | None:
    """The contest in which these players took part then, if any."""
    if book is None or book.on(server) is None or not config.rates(packet.world):
        return None
    row = book.claims(server, packet.time, [player.id for player in players])
    return row.contest if row else None


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
