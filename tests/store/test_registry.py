"""Tokens: shown once, kept as a hash, and worth nothing after a new one or a removal."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from plugin_bridge.errors import UsageError
from plugin_bridge.store import Store, registry

from .history import opened


def on_a_store(folder: Path, scenario: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            await scenario(store)

    asyncio.run(run())


def test_a_token_tells_whose_it_is_and_nothing_else_does(tmp_path: Path) -> None:
    async def scenario(store: Store) -> None:
        survival = await store.registry.add("survival", now=1.0)
        duels = await store.registry.add("duels", now=2.0)
        assert await store.registry.whose(survival) == ("survival", 1.0)
        assert await store.registry.whose(duels) == ("duels", 2.0)
        for wrong in ("", survival[:-1], survival.upper(), f"{survival} ", "\udcff", "ä" * 9_000):
            assert await store.registry.whose(wrong) is None
        assert await store.registry.all() == [("duels", 2.0), ("survival", 1.0)]

    on_a_store(tmp_path, scenario)


def test_no_file_of_the_database_holds_a_token(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def scenario(store: Store) -> None:
        tokens.append(await store.registry.add("survival", now=1.0))
        for file in tmp_path.iterdir():
            assert tokens[0].encode() not in file.read_bytes()

    on_a_store(tmp_path, scenario)
    assert tokens[0].encode() not in (tmp_path / "adr.sqlite3").read_bytes()
    assert len(tokens[0]) > 40


def test_a_new_token_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    async def scenario(store: Store) -> None:
        old = await store.registry.add("survival", now=1.0)
        new = await store.registry.add("survival", now=2.0)
        assert old != new
        assert await store.registry.whose(old) is None
        assert await store.registry.whose(new) == ("survival", 2.0)
        assert await store.registry.all() == [("survival", 2.0)]

    on_a_store(tmp_path, scenario)


def test_a_removed_server_is_nobodys_and_removing_it_again_names_those_there_are(
    tmp_path: Path,
) -> None:
    async def scenario(store: Store) -> None:
        token = await store.registry.add("survival", now=1.0)
        await store.registry.add("duels", now=1.0)
        await store.registry.remove("survival")
        assert await store.registry.whose(token) is None
        with pytest.raises(UsageError, match=r"no server 'survival' \(known: duels\)"):
            await store.registry.remove("survival")

    on_a_store(tmp_path, scenario)


@pytest.mark.parametrize("name", ["", "Survival", "a b", "a" * 33, "ä", "a\n", "../x", "a.b"])
def test_a_server_id_is_plain(tmp_path: Path, name: str) -> None:
    async def scenario(store: Store) -> None:
        with pytest.raises(UsageError, match="no server id"):
            await store.registry.add(name, now=1.0)

    on_a_store(tmp_path, scenario)


def test_every_stored_hash_is_compared_whichever_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[bytes] = []

    def compare(stored: bytes, presented: bytes) -> bool:
        compared.append(stored)
        return hmac.compare_digest(stored, presented)

    assert registry.compare_digest is hmac.compare_digest
    monkeypatch.setattr(registry, "compare_digest", compare)

    async def scenario(store: Store) -> None:
        tokens = [await store.registry.add(f"server-{n}", now=1.0) for n in range(5)]
        for token in (*tokens, "wrong"):
            compared.clear()
            await store.registry.whose(token)
            assert len(set(compared)) == 5

    on_a_store(tmp_path, scenario)
