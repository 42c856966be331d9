"""A journal that is cut short, and a file that is damaged, under an open store."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from plugin_bridge.errors import JournalGone, StoreRefused
from plugin_bridge.store import Store
from plugin_bridge.store.rows import Batch, NameRow

from ..guarantees.journal import FRAME_HEADER, HEADER, journal_of

PAGE = 4_096


def named(number: int, *, step: int = 1) -> Batch:
    """New names for players so many and so far apart that most pages change."""
    rows = [
        NameRow(f"{n:04}", f"{n * 7_919 % 1_000} of {number}", 1.0)
        for n in range(number, 1_000, step)
    ]
    return Batch(after=0, names=rows)


def test_wherever_the_journal_is_cut_what_was_committed_before_is_whole(tmp_path: Path) -> None:
    async def scenario(folder: Path, frames: int) -> bool:
        path = folder / "adr.sqlite3"
        store = await Store.open(path)
        try:
            for number in (1, 2, 3):
                await store.commit(named(number, step=30))
            journal = journal_of(path)
            cut = HEADER + frames * (FRAME_HEADER + PAGE) + 100
            if cut >= journal.path.stat().st_size:
                return False
            whole = sum(end <= cut for end in journal.commits)
            os.truncate(journal.path, cut)
            with pytest.raises(JournalGone):
                await store.registry.add("survival", now=1.0)  # the other writer sees it as well
        finally:
            await store.close()
        store = await Store.open(path)
        try:
            await store.check()
            names = await store.people.names(["0001", "0002", "0003"])
            batches = [int(name.split()[-1]) for _, name in sorted(names.items())]
            assert batches == [number if number <= whole else 0 for number in (1, 2, 3)]
        finally:
            await store.close()
        return True

    base = tmp_path / "base"
    base.mkdir()

    async def make() -> None:
        store = await Store.open(base / "adr.sqlite3")
        await store.commit(named(0))
        await store.close()

    asyncio.run(make())
    for tried in count():
        folder = tmp_path / str(tried)
        shutil.copytree(base, folder)
        if not asyncio.run(scenario(folder, 2 * tried)):
            break
    assert tried > 20


def test_a_cut_between_the_begin_and_the_end_of_a_transaction_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"

    async def scenario() -> None:
        store = await Store.open(path)
        try:
            await store.commit(named(0))
            ends = journal_of(path).commits
            await store.commit(named(1, step=30))
            with pytest.raises(JournalGone, match="cut short"):
                async with store.as_one():
                    await store.commit(named(2))
                    os.truncate(f"{path}-wal", ends[-1])
        finally:
            await store.close()
        store = await Store.open(path)
        try:
            await store.check()
            names = await store.people.names(["0001", "0002"])
            assert {name.split()[-1] for name in names.values()} == {"0"}
        finally:
            await store.close()

    asyncio.run(scenario())


def test_once_something_is_found_damaged_nothing_is_stored_any_more(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"

    async def scenario() -> None:
        await (await Store.open(path)).close()
        with closing(sqlite3.connect(path)) as connection:
            pages = connection.execute(
                "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'servers'"
            ).fetchall()
        with path.open("r+b") as file:
            for (page,) in pages:
                file.seek((page - 1) * PAGE)
                file.write(b"\xff" * PAGE)
        store = await Store.open(path)
        try:
            await store.commit(named(1))
            with pytest.raises(StoreRefused, match="the file is damaged"):
                await store.registry.all()
            with pytest.raises(StoreRefused, match="the file is damaged"):
                await store.commit(named(2))
            with pytest.raises(StoreRefused, match="the file is damaged"):
                store.check_place()
        finally:
            await store.close()

    asyncio.run(scenario())
