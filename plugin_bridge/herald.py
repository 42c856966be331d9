"""Tells the game servers what a committed batch means to them. Never before the commit."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from adr_core import Ladder
from plugin_bridge import present
from plugin_bridge.config import Config
from plugin_bridge.draft import Draft, TierMove
from plugin_bridge.history.revision import Revision
from plugin_bridge.links import Link, Links
from plugin_bridge.protocol.packets import Broadcast, FromDaemon, Label, Present
from plugin_bridge.roster import Roster

NEWS_SECONDS = 600.0
"""A tier move by an older event (a backlog) shows in the labels, but is not announced."""

News = tuple[Link, FromDaemon]
"""What is to be sent, and to whom."""


class Herald:
    """Finds out whom a change concerns.

    names: those who were seen lately. revision: tells which ids belong to one player.
    """

    def __init__(
        self,
        *,
        links: Links,
        roster: Roster,
        ladders: Mapping[str, Ladder],
        names: Mapping[str, str],
        revision: Callable[[], Revision] = Revision,
    ) -> None:
        self._links = links
        self._roster = roster
        self._ladders = ladders
        self._names = names
        self._revision = revision

    def news(self, draft: Draft, config: Config, lanes: Mapping[int, str]) -> list[News]:
        """Labels of everybody who was touched, and announcements, as the ladders are now.

        `lanes`: the server of each lane. Cost: O(log P) for each touched player who is online.
        """
        news: list[News] = []
        for ladder, player in self._touched(draft):
            news += self._labelled(player, config, only=ladder)
        for move in draft.moves:
            if move.entry.received - move.entry.time <= NEWS_SECONDS:
                news += self._announced(move, config, lanes.get(move.entry.lane))
        return news

    def _touched(self, draft: Draft) -> Iterator[tuple[str, str]]:
        """Ladder and id of the touched who are online. Cost: linear in the fewer of the two."""
        revision, touched, online = self._revision(), draft.touched, self._roster.everybody()
        if len(touched) <= len(online):
            for ladder, rated in touched:
                yield from ((ladder, one) for one in revision.ids_of(rated) if one in online)
        else:
            for player in online:
                rated = revision.rated_as(player)
                yield from ((name, player) for name in self._ladders if (name, rated) in touched)

    def tell(self, news: Iterable[News]) -> None:
        """Sends them, now that they are true for good."""
        for link, packet in news:
            link.outbox.push(packet)

    def relabel_all(self, config: Config) -> None:
        """After other tiers or texts: every label anew. Cost: O(log P) for each player online."""
        for link in self._links:
            link.outbox.push(present.settings(config))
            link.outbox.push(*self.labels(link.server, self._roster.online(link.server), config))

    def labels(self, server: str, players: Iterable[Present], config: Config) -> list[Label]:
        return [
            self._label(p.id, config, ladder=config.ladder_for(server, p.world)) for p in players
        ]

    def notify_admins(self, lines: Iterable[Broadcast]) -> None:
        packets = list(lines)
        for link in self._links:
            link.outbox.push(*packets)

    def _labelled(self, player: str, config: Config, *, only: str) -> list[News]:
        links = self._playing(player, only, config)
        return [(link, self._label(player, config, ladder=only)) for link in links]

    def _label(self, player: str, config: Config, *, ladder: str) -> Label:
        rated = self._revision().rated_as(player)
        return replace(present.label(config, self._ladders[ladder], rated), player=player)

    def _announced(self, move: TierMove, config: Config, origin: str | None) -> list[News]:
        """To the servers where the player is on that ladder; all may hear it where it happened."""
        there = self._links.get(origin) if origin else None
        if not there and not self._roster.has(move.player):
            return []
        name = self._name(move.player)
        news = present.announcement(config, self._ladders[move.ladder], move, name)
        if news is None:
            return []
        links = self._playing(move.player, move.ladder, config)
        if isinstance(news, Broadcast) and there and there not in links:
            links.append(there)
        return [(link, news) for link in links]

    def _playing(self, player: str, ladder: str, config: Config) -> list[Link]:
        """The servers where a player is online in a world of that ladder."""
        links = []
        for server in self._roster.servers_of(player):
            link, there = self._links.get(server), self._roster.find(server, player)
            if link and there and config.ladder_for(server, there.world) == ladder:
                links.append(link)
        return links

    def _name(self, player: str) -> str:
        """Names are remembered for a while only, but whoever is online came with one."""
        seen = (self._roster.find(server, player) for server in self._roster.servers_of(player))
        names = [self._names.get(player), *(there.name for there in seen if there)]
        return next(filter(None, names), player)
