"""Where the database is, and whose."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from plugin_bridge.errors import JournalGone, StoreUnavailable
from plugin_bridge.store import Store
from plugin_bridge.store.backup import back_up, restore
from plugin_bridge.store.lock import Lock
from plugin_bridge.store.rows import Batch, NameRow

BATCH = Batch(after=0, names=[NameRow("ann", "Ann", 1.0)])


def test_a_file_that_is_gone_or_replaced_takes_nothing_until_it_is_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = tmp_path / "adr.sqlite3"
        store = await Store.open(path)
        try:
            path.rename(tmp_path / "elsewhere")
            with pytest.raises(StoreUnavailable, match="deleted, moved or replaced"):
                await store.commit(BATCH)
            path.write_bytes(b"another file")
            with pytest.raises(StoreUnavailable, match="deleted, moved or replaced"):
                await store.commit(BATCH)
            (tmp_path / "elsewhere").replace(path)
            await store.commit(BATCH)
            assert await store.people.names(["ann"]) == {"ann": "Ann"}
        finally:
            await store.close()

    asyncio.run(scenario())


def test_what_is_made_belongs_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if os.name == "posix" and os.geteuid() == 0:
        os.chown(home, 1234, 1234)

    async def make() -> None:
        store = await Store.open(home / "data" / "deep" / "adr.sqlite3")
        await store.commit(BATCH)
        made = [*home.rglob("*")]
        assert len(made) > 3
        assert {path.stat().st_uid for path in made} == {home.stat().st_uid}
        await store.close()

    asyncio.run(make())


def test_behind_a_link_the_journal_is_guarded_and_the_lock_is_the_same(tmp_path: Path) -> None:
    path, link = tmp_path / "adr.sqlite3", tmp_path / "elsewhere" / "link.sqlite3"
    link.parent.mkdir()
    link.symlink_to(path)

    async def scenario() -> None:
        lock = Lock(link)
        assert lock.take()
        assert Lock(path).look().holder is not None
        store = await Store.open(link, lock)
        try:
            await store.commit(BATCH)
            Path(f"{path}-wal").unlink()
            with pytest.raises(JournalGone):
                store.check_place()
        finally:
            await store.close()

    asyncio.run(scenario())
    assert [file.name for file in link.parent.iterdir()] == [link.name]


def test_what_is_put_back_behind_a_link_takes_the_place_of_the_file(tmp_path: Path) -> None:
    path, link, copy = (tmp_path / name for name in ("adr.sqlite3", "link.sqlite3", "copy"))
    link.symlink_to(path)

    async def scenario() -> None:
        await (await Store.open(path)).close()
        await back_up(link, copy)
        assert await restore(copy, link, stamp="now") == tmp_path / "adr.sqlite3.before-now"
        assert await restore(copy, link, stamp="now") == tmp_path / "adr.sqlite3.before-now-2"

    asyncio.run(scenario())
    assert link.is_symlink()
    assert path.is_file()
