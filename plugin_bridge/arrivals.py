"""What has come from the mods, and the log entries that are made of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from plugin_bridge.config import Config
from plugin_bridge.intake import NumberedPacket, entry_for, people_in
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Link
from plugin_bridge.protocol.packets import Player
from plugin_bridge.roster import Roster
from plugin_bridge.store.rows import LogEntry, NameRow


@dataclass(frozen=True, slots=True)
class Arrival:
    """Numbered packets that came together. `received`: seconds since 1970."""

    link: Link
    packets: Sequence[NumberedPacket]
    received: float


def news_of(
    arrivals: Sequence[Arrival], config: Config, ledger: Ledger, roster: Roster
) -> tuple[list[LogEntry], list[NameRow]]:
    """What is new among them, numbered on from the end of what is rated. O(1) a packet."""
    entries: list[LogEntry] = []
    people: dict[str, NameRow] = {}
    position, last = ledger.rated.end, dict(ledger.rated.last)
    for arrival in arrivals:
        server, lane = arrival.link.server, arrival.link.lane
        named: dict[str, Player] = {}
        for packet in arrival.packets:
            assert packet.seq is not None
            if packet.seq <= last[lane]:
                continue
            last[lane] = packet.seq
            position += 1
            entries.append(
                entry_for(
                    packet,
                    server=server,
                    lane=lane,
                    position=position,
                    received=arrival.received,
                    config=config,
                    book=ledger.book,
                    roster=roster,
                )
            )
            named.update((player.id, player) for player in people_in(packet) if player.name)
        fresh = ledger.fresh_names(named.values(), seen=arrival.received)
        people.update((row.player, row) for row in fresh)
    return entries, list(people.values())
