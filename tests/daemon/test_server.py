"""The socket when things go wrong, with a daemon inside this process whose patience is short."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plugin_bridge import daemon as daemon_module
from plugin_bridge.config import parse_config
from plugin_bridge.daemon import Daemon
from plugin_bridge.errors import StoreUnavailable
from plugin_bridge.protocol.packets import (
    HELLO_SECONDS,
    Death,
    FromMod,
    Hello,
    Join,
    Kill,
    Message,
    Present,
    Quit,
    World,
)
from plugin_bridge.server import door, pace
from plugin_bridge.store import Store
from plugin_bridge.text import Text

from ..protocol.test_round_trip import from_mod
from .mod import Mod, awaited, dialled
from .running import PATIENCE, eventually, settings
from .test_link import read_to_the_end


@dataclass
class Inside:
    daemon: Daemon
    store: Store
    url: str
    token: str

    async def gone(self) -> None:
        """Waits until no mod is connected any more."""
        links = self.daemon._links
        await asyncio.to_thread(eventually, lambda: not list(links), "all have left")


@asynccontextmanager
async def inside(folder: Path) -> AsyncIterator[Inside]:
    """A whole daemon on a real socket, stopped in the end."""
    store = await Store.open(folder / "adr.sqlite3")
    try:
        token = await store.registry.add("survival", now=1.0)
        daemon = Daemon(store, parse_config(settings()), folder / "config.yml")
        stop, ports = asyncio.Event(), asyncio.Queue[int]()

        async def ready(_: Store, port: int) -> None:
            await ports.put(port)

        serving = asyncio.create_task(daemon.serve(ready, stop))
        port = await asyncio.wait_for(ports.get(), PATIENCE)
        yield Inside(daemon, store, f"ws://127.0.0.1:{port}/", token)
        stop.set()
        await asyncio.wait_for(serving, PATIENCE)
    finally:
        await store.close()


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.exc_info]


@awaited
async def test_a_peer_that_says_nothing_is_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pace.HELLO_SECONDS == HELLO_SECONDS == 10.0
    monkeypatch.setattr(pace, "HELLO_SECONDS", 0.2)
    async with inside(tmp_path) as ours, dialled(ours.url, ours.token) as bare:
        (said,) = await read_to_the_end(bare)
        assert (said["code"], said["text"]) == ("bad_hello", "no `hello` within 0.2 s")
        assert bare.close_code == 4000


@awaited
async def test_a_peer_that_is_gone_without_a_word_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 2 * pace.HEARTBEAT_SECONDS < 60
    monkeypatch.setattr(pace, "HEARTBEAT_SECONDS", 0.2)
    monkeypatch.setattr(pace, "CLOSING_SECONDS", 0.2)
    async with inside(tmp_path) as ours, dialled(ours.url, ours.token) as bare:
        await bare.send(json.dumps(Mod().hello()))
        await bare.recv()
        assert list(ours.daemon._links)
        bare.transport.pause_reading()
        await ours.gone()
        bare.transport.resume_reading()
        with pytest.raises(ConnectionClosed):
            while True:
                await bare.recv()


@awaited
async def test_a_mod_that_answers_pings_may_be_silent_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "HEARTBEAT_SECONDS", 0.2)
    mod = Mod()
    async with inside(tmp_path) as ours, mod.connected(ours.url, ours.token):
        await asyncio.sleep(1)
        await mod.settled()


@awaited
async def test_what_cannot_be_sent_ends_the_connection_instead_of_leaving_it_dumb(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mod = Mod()
    async with inside(tmp_path) as ours:
        async with mod.connected(ours.url, ours.token):
            (link,) = ours.daemon._links
            link.outbox.push(Message("ann", "chat", Text("\ud800")))
            assert await mod.closed() == 1011
        assert faults(caplog) == ["survival: a fault in the daemon closed this connection"]
        async with mod.connected(ours.url, ours.token):
            await mod.kill("ann", "bob")


@awaited
async def test_a_greeting_that_fails_leaves_no_ghost_of_a_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with inside(tmp_path) as ours:
        with monkeypatch.context() as patched:

            async def busy(_: object) -> dict[str, str]:
                raise StoreUnavailable("busy")

            patched.setattr(ours.store.people, "names", busy)
            async with dialled(ours.url, ours.token) as bare:
                await bare.send(json.dumps(Mod().hello()))
                assert await read_to_the_end(bare) == []
                assert bare.close_code == 1011
        await ours.gone()
        assert faults(caplog) == []
        mod = Mod()
        async with mod.connected(ours.url, ours.token):
            await mod.kill("ann", "bob")


@awaited
async def test_a_command_that_meets_a_fault_costs_one_connection_and_not_the_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mod = Mod()
    async with inside(tmp_path) as ours:
        async with mod.connected(ours.url, ours.token):

            async def faulty(_: str) -> None:
                raise ZeroDivisionError

            monkeypatch.setattr(ours.store.people, "find", faulty)
            command = {"type": "command", "id": "c", "sender": None, "words": ["rank", "x"]}
            await mod.send(command | {"permissions": []})
            assert await mod.closed() == 1011
        assert faults(caplog) == ["survival: a fault in the daemon closed this connection"]
        async with mod.connected(ours.url, ours.token):
            await mod.kill("ann", "bob")


@awaited
async def test_whoever_guesses_tokens_is_turned_away_and_the_log_stays_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(door, "address_of", lambda _: "203.0.113.7")
    caplog.set_level(logging.WARNING, logger="plugin_bridge")
    answers = []
    async with inside(tmp_path) as ours:
        for token in ("adr_wrong", "adr_wrong", "adr_wrong", ours.token):
            with pytest.raises(InvalidStatus) as refused:
                async with dialled(ours.url, token):
                    pass
            answers.append(refused.value.response.status_code)
        assert answers == [401, 401, 429, 429]
        await asyncio.sleep(1.1)  # the first pause
        async with Mod().connected(ours.url, ours.token):
            pass
        with pytest.raises(InvalidStatus):
            async with dialled(ours.url, "adr_wrong"):
                pass
        async with Mod().connected(ours.url, ours.token):  # it was forgiven: no pause this time
            pass
    refusals = [message for message in caplog.messages if "was refused" in message]
    assert len(refusals) == 2  # the first of each row of mistakes
    assert "adr_" not in caplog.text


@awaited
async def test_the_head_of_the_board_is_sent_when_it_changes_and_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert daemon_module.TOP_SECONDS <= 5
    monkeypatch.setattr(daemon_module, "TOP_SECONDS", 0.05)
    mod = Mod()
    async with inside(tmp_path) as ours, mod.connected(ours.url, ours.token):
        assert (await mod.take("top"))["rows"] == []
        for number in range(12):
            await mod.kill(f"p{number}", f"q{number}")
        top: dict[str, Any] = {"rows": []}
        while len(top["rows"]) < 10:
            top = await mod.take("top")
        assert top["rows"][0] == {
            "name": "P0",
            "rating": 1018,
            "tier": "High",
            "prefix": {"text": "", "extra": [{"text": "[High]", "color": "gold"}, {"text": " "}]},
        }
        await asyncio.sleep(0.2)
        mod.inbox.clear()
        await asyncio.sleep(0.2)
        assert mod.seen("top") == []


@hypothesis_settings(max_examples=30, deadline=None)
@given(packets=st.lists(from_mod.filter(lambda packet: not isinstance(packet, Hello))))
def test_whatever_a_mod_says_within_the_contract_is_answered_and_the_daemon_goes_on(
    tmp_path_factory: pytest.TempPathFactory, packets: list[FromMod]
) -> None:
    said: list[dict[str, Any]] = []
    for packet in packets:
        fields = msgspec.to_builtins(packet)
        if isinstance(packet, Kill | Death):
            fields["seq"] = 1 + sum("seq" in earlier for earlier in said)
        said.append(fields)

    async def scenario() -> None:
        mod = Mod()
        async with inside(tmp_path_factory.mktemp("any")) as ours:
            for _ in range(2):  # the second time it is old news
                async with mod.connected(ours.url, ours.token):
                    await mod.send(*said)
                    for seq in [packet["seq"] for packet in said if "seq" in packet][-1:]:
                        await mod.take("ack", seq=seq)
                    await mod.settled()

    asyncio.run(asyncio.wait_for(scenario(), 3 * PATIENCE))


@awaited
async def test_an_overtaken_connection_has_nothing_to_say_any_more(tmp_path: Path) -> None:
    older, newer = Mod(), Mod()
    async with inside(tmp_path) as ours, older.connected(ours.url, ours.token):
        (overtaken,) = ours.daemon._links
        async with newer.connected(ours.url, ours.token):
            host, engine = ours.daemon._server._conversations._host, ours.daemon._engine
            for late in (Join(Present("ann")), World("ann", "nether"), Quit("bob")):
                await engine.errand(partial(host.attend, overtaken, late, now=1.0))
            await newer.kill("ann", "bob")
            await newer.settled()
            assert newer.seen("label") == []
            await newer.join("bob")
            await newer.settled()
            await engine.errand(partial(host.attend, overtaken, Quit("bob"), now=1.0))
            newer.inbox.clear()
            await newer.kill("ann", "bob")
            await newer.take("label", player="bob")
