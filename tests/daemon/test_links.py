"""Who is connected, who is online there, and what waits to be sent."""

from __future__ import annotations

import asyncio
import json

from plugin_bridge.links import Link, Links
from plugin_bridge.outbox import BYTES_PER_FRAME, CAPACITY, PACKETS_PER_FRAME, Outbox
from plugin_bridge.protocol.packets import Ack, Broadcast, CloseCode, Hello, Present
from plugin_bridge.roster import Roster
from plugin_bridge.text import Text

from .test_session import hello


def sent(outbox: Outbox) -> list[str]:
    """All frames of an outbox that is closed."""

    async def collect() -> list[str]:
        return [frame async for frame in outbox.frames()]

    return asyncio.run(asyncio.wait_for(collect(), 10))


def packets_of(frames: list[str]) -> list[dict[str, object]]:
    packets: list[dict[str, object]] = []
    for frame in frames:
        decoded = json.loads(frame)
        packets += decoded if isinstance(decoded, list) else [decoded]
    return packets


def closed(outbox: Outbox) -> Outbox:
    outbox.close(CloseCode.GOING_AWAY, "over")
    return outbox


def test_what_is_pushed_is_sent_in_order_and_several_packets_to_a_frame() -> None:
    outbox = Outbox()
    for seq in range(0, 1_000, 2):
        outbox.push(Ack(seq), Ack(seq + 1))
    frames = sent(closed(outbox))
    assert [packet["seq"] for packet in packets_of(frames)] == list(range(1_000))
    assert all(len(json.loads(frame)) <= PACKETS_PER_FRAME for frame in frames)
    assert len(frames) == 1_000 / PACKETS_PER_FRAME


def test_a_single_packet_is_a_frame_without_a_list() -> None:
    outbox = Outbox()
    outbox.push(Ack(7))
    assert sent(closed(outbox)) == ['{"type":"ack","seq":7}']


def test_frames_stay_small_however_long_the_packets_are() -> None:
    outbox = Outbox()
    long = Broadcast(where="chat", text=Text("x" * 10_000))
    outbox.push(*[long] * 400)
    frames = sent(closed(outbox))
    assert len(packets_of(frames)) == 400
    assert max(map(len, frames)) < BYTES_PER_FRAME + 11_000


def test_a_mod_that_does_not_read_is_given_up_and_takes_no_more_memory() -> None:
    outbox = Outbox()
    outbox.push(*[Ack(1)] * CAPACITY)
    assert outbox.closing is None
    outbox.push(Ack(2))
    assert outbox.closing == (CloseCode.TOO_SLOW, "the mod reads too slowly")
    outbox.push(*[Ack(3)] * 10)
    assert sent(outbox) == []


def test_only_the_first_reason_to_close_counts() -> None:
    outbox = Outbox()
    outbox.close(CloseCode.SUPERSEDED, "first")
    outbox.close(CloseCode.GOING_AWAY, "second")
    assert outbox.closing == (CloseCode.SUPERSEDED, "first")


def test_a_waiting_reader_gets_what_is_pushed_later() -> None:
    async def scenario() -> None:
        outbox = Outbox()
        frames = outbox.frames()
        for seq in range(3):
            waiting = asyncio.ensure_future(anext(frames))
            await asyncio.sleep(0)
            assert not waiting.done()
            outbox.push(Ack(seq))
            assert json.loads(await waiting)["seq"] == seq
        outbox.close(CloseCode.GOING_AWAY, "over")
        assert [frame async for frame in frames] == []

    asyncio.run(asyncio.wait_for(scenario(), 10))


def test_the_newest_connection_of_a_server_is_the_servers_own() -> None:
    links, older, newer = Links(), Link("survival", hello()), Link("survival", hello())
    elsewhere = Link("duels", hello())
    assert links.open(older) is False
    assert links.open(elsewhere) is False
    assert links.open(newer) is True
    assert older.outbox.closing
    assert older.outbox.closing[0] == CloseCode.SUPERSEDED
    assert newer.outbox.closing is None
    assert links.get("survival") is newer
    assert set(links) == {newer, elsewhere}
    assert links.close(older) is False
    assert links.get("survival") is newer
    assert links.close(newer) is True
    assert links.get("survival") is None
    assert list(links) == [elsewhere]


def test_the_roster_follows_players_over_servers_and_worlds() -> None:
    roster = Roster()
    roster.hello("survival", [Present("a", "Ann", "world"), Present("b", "Bob", None)])
    roster.join("duels", Present("a", "Ann", "arena"))
    assert roster.servers_of("a") == ["duels", "survival"]
    assert roster.servers_of("b") == ["survival"]
    roster.move("survival", "a", "nether")
    assert roster.find("survival", "a") == Present("a", "Ann", "nether")
    assert roster.find("duels", "a") == Present("a", "Ann", "arena")
    roster.move("survival", "nobody", "nether")
    assert roster.find("survival", "nobody") is None
    roster.quit("survival", "a")
    roster.quit("survival", "a")
    assert roster.servers_of("a") == ["duels"]
    assert [player.id for player in roster.online("survival")] == ["b"]


def test_a_new_hello_replaces_all_that_was_known_of_a_server() -> None:
    roster = Roster()
    roster.hello("survival", [Present("a"), Present("b"), Present("b", "Bob")])
    roster.join("duels", Present("b"))
    roster.hello("survival", [Present("c")])
    assert [player.id for player in roster.online("survival")] == ["c"]
    assert roster.servers_of("a") == []
    assert roster.servers_of("b") == ["duels"]
    roster.forget("survival")
    roster.forget("survival")
    assert roster.online("survival") == []
    assert roster.servers_of("c") == []


def test_a_roster_that_everybody_left_holds_nothing() -> None:
    roster = Roster()
    for number in range(1_000):
        roster.join("survival", Present(f"p{number}"))
        roster.quit("survival", f"p{number}")
    roster.quit("never-seen", "nobody")
    roster.forget("survival")
    assert not roster._whereabouts
    assert not roster._servers


def test_a_link_is_known_by_itself_and_not_by_what_it_says() -> None:
    same: Hello = hello()
    assert Link("survival", same) != Link("survival", same)
