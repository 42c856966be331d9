"""Whom a change concerns."""

from __future__ import annotations

import pytest

from adr_core import Ladder
from plugin_bridge.config import parse_config
from plugin_bridge.draft import Draft
from plugin_bridge.herald import Herald
from plugin_bridge.history.amendments import Merge, written
from plugin_bridge.history.revision import Revision
from plugin_bridge.links import Link, Links
from plugin_bridge.protocol.packets import Label, Present
from plugin_bridge.roster import Roster
from plugin_bridge.store.rows import LogEntry

from .running import settings
from .test_session import hello


@pytest.mark.parametrize("others", [0, 50])
def test_whoever_is_online_and_was_touched_is_told_however_many_were_touched(others: int) -> None:
    config = parse_config(settings())
    ladders = {name: Ladder(config.ladder("main").parameters) for name in ("main", "other")}
    ladders["main"].kill("ann", "bob", 1.0)
    links, roster = Links(), Roster()
    link = Link("survival", hello())
    links.open(link)
    online = ("ann", "bobby", "cid", "dan")
    roster.hello("survival", [Present(player, player.title()) for player in online])
    merge = written(Merge("bobby", "bob", "one player", "admin"))
    entry = LogEntry(1, 1, 1, "merge", 1.0, 1.0, detail=merge)
    herald = Herald(
        links=links, roster=roster, ladders=ladders, names={}, revision=lambda: Revision([entry])
    )
    draft = Draft()
    for player in ("ann", "bob", *(f"p{number}" for number in range(others))):
        draft.player("main", player)
    draft.player("other", "cid")  # where nobody plays
    news = herald.news(draft, config, {})
    assert all(to is link for to, _ in news)
    labels = {packet.player: packet.rating for _, packet in news if isinstance(packet, Label)}
    now = {player: round(ladders["main"].player(player).mu) for player in ("ann", "bob")}
    assert labels == {"ann": now["ann"], "bobby": now["bob"]}
    assert not link.outbox._waiting
    herald.tell(news)
    assert len(link.outbox._waiting) == 2
