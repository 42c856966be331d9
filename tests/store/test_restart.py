"""The database holds all of every ladder: after a restart, and after a replay of its log."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from plugin_bridge.arena import Arena

from .history import LIVELY, Scribe, all_exact, history, make_lanes, opened, record
from .replay import LIVE, replay, tables

SEEDS = range(12)


async def loaded(path: Path) -> Arena:
    """The ladders as a daemon that starts now would have them."""
    arena = Arena()
    async with opened(path) as store:
        arena.load(await store.load())
    return arena


@pytest.mark.parametrize("seed", SEEDS)
def test_a_restart_changes_no_bit_of_any_ladder_nor_of_what_becomes_of_it(
    tmp_path: Path, seed: int
) -> None:
    past = history(seed, batches=80)
    path = tmp_path / "a.sqlite3"

    async def scenario() -> None:
        live = Arena()
        for start in range(0, len(past), 20):
            async with opened(path) as store:
                if not start:
                    await make_lanes(store)
                await record(store, live, past[start : start + 20])
            restarted = await loaded(path)
            assert all_exact(restarted) == all_exact(live)
            live = restarted
        uninterrupted = Arena()
        async with opened(tmp_path / "b.sqlite3") as store:
            await make_lanes(store)
            await record(store, uninterrupted, past)
        assert all_exact(live) == all_exact(uninterrupted)

    asyncio.run(scenario())


@pytest.mark.parametrize("seed", SEEDS)
def test_replaying_the_log_gives_the_very_same_tables(tmp_path: Path, seed: int) -> None:
    first, second = tmp_path / "first.sqlite3", tmp_path / "second.sqlite3"

    async def scenario() -> None:
        async with opened(first) as store:
            await make_lanes(store)
            await record(store, Arena(), history(seed, batches=80))
        await replay(first, second, size=1 + seed % 5 * 7)

    asyncio.run(scenario())
    there = tables(first)
    assert all(there[table] for table in LIVE)
    assert tables(second) == there


def test_the_histories_are_worth_replaying(tmp_path: Path) -> None:
    reasons: set[str | None] = set()
    tiers: set[int | None] = set()
    for seed in SEEDS:
        path = tmp_path / f"{seed}.sqlite3"

        async def scenario(seed: int = seed, path: Path = path) -> None:
            async with opened(path) as store:
                await make_lanes(store)
                await record(store, Arena(), history(seed, batches=80))

        asyncio.run(scenario())
        rows = tables(path)
        reasons |= {row[1] for row in rows["outcomes"]}
        tiers |= {row[10] for row in rows["players"]}
        assert len(rows["pairs"]) > LIVELY.pairs_remembered  # some are forgotten, yet still there
    assert reasons == {None, "cooldown", "world"}
    assert tiers >= {None, 1, 2, 3}


def test_a_pair_that_the_ladder_forgot_is_forgotten_after_a_restart_as_well(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.sqlite3"
    scribe = Scribe()
    past = [
        [scribe.parameters("main", LIVELY, 0.0)],
        [scribe.kill(f"k{number}", f"v{number}", 1.0 + number) for number in range(8)],
        [scribe.kill("k3", "v3", 100.0)],
    ]

    async def scenario() -> None:
        live = Arena()
        async with opened(path) as store:
            await make_lanes(store)
            await record(store, live, past)
        restarted = await loaded(path)
        remembered = [pair[:2] for pair in restarted.ladders["main"].dump().pairs]
        assert remembered == [(f"k{n}", f"v{n}") for n in (2, 4, 5, 6, 7, 3)]
        assert all_exact(restarted) == all_exact(live)

    asyncio.run(scenario())
    assert len(tables(path)["pairs"]) == LIVELY.pairs_remembered


def test_pairs_forgotten_under_a_short_memory_do_not_come_back_with_a_longer_one(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.sqlite3"
    scribe = Scribe()
    past = [
        [scribe.parameters("main", LIVELY, 0.0)],
        [scribe.kill(f"k{number}", f"v{number}", 1.0 + number) for number in range(5)],
        [scribe.parameters("main", replace(LIVELY, pairs_remembered=2), 50.0)],
        [scribe.parameters("main", replace(LIVELY, pairs_remembered=9), 51.0)],
    ]

    async def scenario() -> None:
        live = Arena()
        async with opened(path) as store:
            await make_lanes(store)
            await record(store, live, past)
        restarted = await loaded(path)
        assert [pair[0] for pair in restarted.ladders["main"].dump().pairs] == ["k3", "k4"]
        assert all_exact(restarted) == all_exact(live)

    asyncio.run(scenario())


@pytest.mark.parametrize("more", [0, 20])
def test_what_was_read_during_the_check_is_taken_only_if_nothing_came_after_it(
    tmp_path: Path, more: int
) -> None:
    past, live = history(3, batches=80), Arena()

    async def scenario() -> None:
        async with opened(tmp_path / "a.sqlite3") as store:
            await make_lanes(store)
            await record(store, live, past[:40])
            await store.check(loading=True)
            await record(store, live, past[40 : 40 + more])
            for _ in range(2):
                restarted = Arena()
                restarted.load(await store.load())
                assert all_exact(restarted) == all_exact(live)
            await store.check(loading=True)  # and closed before it was asked for

    asyncio.run(scenario())
