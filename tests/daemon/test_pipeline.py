"""While a batch is being committed the next one is rated, and nobody hears of it too early."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from plugin_bridge import engine
from plugin_bridge.errors import StoreUnavailable
from plugin_bridge.protocol.packets import Ack, Label
from plugin_bridge.store.rows import Batch

from .mod import awaited
from .running import PATIENCE
from .test_engine import Works, works


class Held:
    """Commits that begin only when they are let go; `errors` befall the first of them instead."""

    def __init__(self, works: Works, monkeypatch: pytest.MonkeyPatch, *errors: Exception) -> None:
        self.real, self.errors = works.store.commit, list(errors)
        self.begun: asyncio.Queue[Batch] = asyncio.Queue()
        self.gate = asyncio.Semaphore(0)
        monkeypatch.setattr(works.store, "commit", self.commit)

    async def commit(self, batch: Batch) -> None:
        self.begun.put_nowait(batch)
        await self.gate.acquire()
        if self.errors:
            raise self.errors.pop(0)
        await self.real(batch)

    async def next(self) -> list[int]:
        """The numbers of the kills in the next batch that is about to be committed."""
        batch = await asyncio.wait_for(self.begun.get(), PATIENCE)
        return [entry.seq for entry in batch.entries]


async def rated(ours: Works, kills: int) -> None:
    """Returns when the ladder has taken in that many kills."""
    async with asyncio.timeout(PATIENCE):
        while "ann" not in ours.ladder.players or ours.ladder.player("ann").events < kills:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


def said(ours: Works) -> tuple[list[int], list[int | None]]:
    """The acks since the last call, and what ann's labels showed."""
    sent = ours.sent()
    acks = [packet.seq for packet in sent if isinstance(packet, Ack)]
    return acks, [p.rating for p in sent if isinstance(p, Label) and p.player == "ann"]


@awaited
async def test_what_comes_during_a_commit_is_rated_at_once_and_said_when_it_is_stored_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with works(tmp_path) as ours:
        held, told = Held(ours, monkeypatch), []
        for seq in (1, 2, 3):
            await ours.kill(seq)
            await rated(ours, seq)
            told.append(round(ours.ladder.player("ann").mu))
        assert (ours.ledger.end, ours.ledger.rated.end) == (1, 4)  # the first are parameters
        assert (await held.next(), held.begun.empty()) == ([1], True)
        assert ours.sent() == []
        held.gate.release()
        assert await held.next() == [2, 3]
        assert said(ours) == ([1], [told[0]])
        held.gate.release()
        await ours.idle()
        assert said(ours) == ([3], [told[2]])


@awaited
async def test_no_more_is_rated_ahead_than_can_be_committed_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BATCH", 3)
    monkeypatch.setattr(engine, "BATCH_LIMIT", 3)
    async with works(tmp_path) as ours:
        held = Held(ours, monkeypatch)
        await ours.kill(1)
        assert await held.next() == [1]
        for seq in range(2, 7):
            await ours.kill(seq)
            await rated(ours, min(seq, 4))
        await asyncio.sleep(0.05)
        assert ours.ladder.player("ann").events == 4
        for batch in ([2, 3, 4], [5, 6]):
            held.gate.release()
            assert await held.next() == batch
        held.gate.release()
        await ours.idle()
        assert said(ours)[0] == [1, 4, 6]


@awaited
async def test_a_batch_that_is_worth_it_does_not_wait_for_those_that_come_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "HANDFUL", 1)
    monkeypatch.setattr(engine, "BATCH", 2)
    async with works(tmp_path) as ours:
        held = Held(ours, monkeypatch)
        for seq in range(1, 6):
            await ours.kill(seq)
        for batch in ([1, 2], [3, 4, 5]):
            assert await held.next() == batch
            held.gate.release()
        await ours.idle()
        assert said(ours)[0] == [2, 5]


@awaited
async def test_when_a_commit_fails_what_was_rated_ahead_is_rated_anew_as_well(
    tmp_path: Path, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with works(tmp_path / "a") as ours, works(tmp_path / "b") as untroubled:
        held = Held(ours, monkeypatch, StoreUnavailable("disk full"), StoreUnavailable("again"))
        for seq in (1, 2):
            await ours.kill(seq)
            await untroubled.kill(seq)
            await untroubled.idle()
            await rated(ours, seq)
        for batch in ([1], [1], [1], [2]):
            assert await held.next() == batch
            assert ours.acks() == ([1] if batch == [2] else [])
            held.gate.release()
        await ours.idle()
        assert ours.acks() == [2]
        assert ours.exact() == untroubled.exact()
        stored = ours.rows("SELECT position, seq FROM events WHERE kind = 'kill'")
        assert stored == [(2, 1), (3, 2)]


@awaited
async def test_a_fault_in_what_is_rated_ahead_touches_nothing_of_what_is_being_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with works(tmp_path / "a") as ours, works(tmp_path / "b") as untroubled:
        held, real = Held(ours, monkeypatch), ours.ledger._arena.apply

        def apply(entry, draft):  # type: ignore[no-untyped-def]
            real(entry, draft)
            if entry.victim == "cursed":
                raise ZeroDivisionError

        monkeypatch.setattr(ours.ledger._arena, "apply", apply)
        await ours.kill(1)
        await untroubled.kill(1)
        await rated(ours, 1)
        await ours.kill(2, "ann", "cursed")
        assert await held.next() == [1]
        for _ in range(3):
            held.gate.release()
        await ours.idle()
        assert ours.acks() == [1, 2]
        await untroubled.idle()
        assert ours.exact() == untroubled.exact()
        assert ours.rows("SELECT seq, kind FROM events WHERE lane > 1") == [
            (1, "kill"),
            (2, "rejected"),
        ]


@awaited
async def test_a_commit_that_fails_is_tried_again_though_nothing_more_comes(
    tmp_path: Path, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with works(tmp_path) as ours:
        held = Held(ours, monkeypatch, StoreUnavailable("disk full"))
        held.gate.release()
        held.gate.release()
        await ours.kill(1)
        async with asyncio.timeout(PATIENCE):
            while ours.ledger.end < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert ours.acks() == [1]
