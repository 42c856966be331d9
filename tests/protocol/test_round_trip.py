"""What one side writes is what the other side reads."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.protocol.decode import decode_frame
from plugin_bridge.protocol.encode import encode_frame
from plugin_bridge.protocol.packets import (
    Ack,
    Broadcast,
    Command,
    Death,
    Error,
    FromDaemon,
    FromMod,
    Hello,
    Join,
    Kill,
    Label,
    Message,
    Player,
    Present,
    Quit,
    Reply,
    Settings,
    Top,
    TopRow,
    Welcome,
    World,
)
from plugin_bridge.text import Text

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ids = st.text("abcXYZ019_.:-", min_size=1, max_size=64)
keys = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=64)
spools = st.text("abcXYZ019_-", min_size=8, max_size=64)
seqs = st.integers(1, 1 << 53)
times = st.floats(0, 4_102_444_800)
worlds = st.none() | keys
players = st.builds(Player, ids, st.none() | words)
addresses = st.none() | st.from_regex(r"[A-Za-z0-9_\-]{8,64}", fullmatch=True)
present = st.builds(Present, ids, st.none() | words, worlds, addresses)
pairs = st.tuples(players, players).filter(lambda pair: pair[0].id != pair[1].id)
permissions = st.lists(keys, max_size=4)

from_mod = st.one_of(
    st.builds(
        Hello,
        protocol=st.integers(0, 9),
        platform=keys,
        mod_version=keys,
        spool=spools,
        first=seqs,
        time=times,
        online=st.lists(present, max_size=4),
        platform_version=worlds,
    ),
    st.builds(
        lambda pair, **rest: Kill(killer=pair[0], victim=pair[1], **rest),
        pairs,
        seq=seqs,
        time=times,
        cause=keys,
        weapon=worlds,
        world=worlds,
    ),
    st.builds(Death, seqs, times, players, keys, worlds),
    st.builds(Join, present),
    st.builds(Quit, ids),
    st.builds(World, ids, keys),
    st.builds(
        Command,
        keys,
        st.none() | players,
        st.lists(words, min_size=1, max_size=32),
        permissions,
        worlds,
    ),
)

colors = st.none() | st.sampled_from(["gold", "#12ab34"])
flags = st.none() | st.booleans()
plain_texts = st.builds(Text, words, colors, flags, flags, flags, flags, flags)
texts = plain_texts | st.builds(
    lambda text, extra: msgspec.structs.replace(text, extra=tuple(extra)),
    plain_texts,
    st.lists(plain_texts, max_size=3),
)
whole = st.integers(-(1 << 53), 1 << 53)
where = st.sampled_from(["chat", "action_bar", "title"])
from_daemon = st.one_of(
    st.builds(Welcome, words, words, whole, whole, whole),
    st.builds(Settings, times, st.sampled_from(["kill", "ignore"]), st.booleans(), st.booleans()),
    st.builds(Ack, whole),
    st.builds(
        Label,
        ids,
        st.none() | texts,
        st.none() | words,
        st.none() | whole,
        whole,
        st.none() | whole,
    ),
    st.builds(Message, ids, where, texts, st.none() | texts),
    st.builds(Broadcast, where, texts, st.none() | texts, st.none() | words),
    st.builds(Reply, words, st.lists(texts, max_size=4)),
    st.builds(
        Top,
        st.lists(
            st.builds(TopRow, words, whole, st.none() | words, st.none() | texts), max_size=10
        ),
    ),
    st.builds(Error, words, words, st.none() | whole, st.none() | words),
)


@given(st.lists(from_mod, min_size=1, max_size=5))
def test_the_daemon_reads_every_packet_that_a_mod_can_write(packets: list[FromMod]) -> None:
    assert decode_frame(msgspec.json.encode(packets).decode()) == packets
    for packet in packets:
        assert decode_frame(msgspec.json.encode(packet).decode()) == [packet]


@given(st.lists(from_daemon, min_size=1, max_size=5))
def test_a_mod_reads_every_packet_that_the_daemon_can_write(packets: list[FromDaemon]) -> None:
    frame = encode_frame(packets)
    read = msgspec.json.decode(frame, type=FromDaemon | list[FromDaemon])
    assert read == (packets[0] if len(packets) == 1 else packets)


@given(words | keys)
def test_a_name_that_was_cleaned_once_stays_as_it_is(name: str) -> None:
    once = Player("a", name)
    assert Player("a", once.name) == once
