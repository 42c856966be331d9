"""What is said of a batch once it is stored: to the mods that sent it, and to those it concerns."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from plugin_bridge.arrivals import Arrival
from plugin_bridge.config import Config
from plugin_bridge.draft import Draft
from plugin_bridge.herald import Herald, News
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Link
from plugin_bridge.protocol.packets import Ack, Error, Rejected

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """`acks`: how far each mod has been heard."""

    arrivals: Sequence[Arrival]
    acks: dict[Link, int]
    news: list[News]


def answer_to(
    arrivals: Sequence[Arrival], draft: Draft, config: Config, ledger: Ledger, herald: Herald
) -> Answer:
    """Made while the ladders are as these have left them."""
    last = ledger.rated.last
    acks = {arrival.link: last[arrival.link.lane] for arrival in arrivals}
    try:
        news = herald.news(draft, config, ledger.lanes)
    except Exception:
        log.exception("a fault in the daemon; some labels or news were not sent")
        news = []
    return Answer(arrivals, acks, news)


def tell(answer: Answer, herald: Herald) -> None:
    """Only when all of it is stored."""
    for arrival in answer.arrivals:
        for packet in arrival.packets:
            if isinstance(packet, Rejected):
                _refuse(arrival.link, packet)
    for link, seq in answer.acks.items():
        link.outbox.push(Ack(seq))
    herald.tell(answer.news)


def _refuse(link: Link, packet: Rejected) -> None:
    link.outbox.push(Error(packet.code, packet.text, seq=packet.seq))
    log.warning("%s: event %s rejected: %s", link.server, packet.seq, packet.text)
