"""Opening the database: made, migrated, or refused in words that say what to do."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from plugin_bridge.errors import StoreRefused, StoreUnavailable
from plugin_bridge.store import Store
from plugin_bridge.store.schema import APPLICATION_ID, SCHEMA_VERSION

from .history import make_lanes, opened


def open_and_close(path: Path) -> None:
    async def scenario() -> None:
        async with opened(path):
            pass

    asyncio.run(scenario())


def refusal(path: Path) -> str:
    """Why the file is refused; it must be left as it was."""
    before = path.read_bytes()
    with pytest.raises(StoreRefused) as refused:
        open_and_close(path)
    assert path.read_bytes() == before
    assert sorted(other.name for other in path.parent.iterdir()) == [path.name]
    assert str(path) in str(refused.value)
    return str(refused.value)


def pragma(path: Path, name: str) -> object:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


def test_a_missing_database_is_made_with_its_folders_and_for_its_owner_only(
    tmp_path: Path,
) -> None:
    path = tmp_path / "deep" / "down" / "adr.sqlite3"

    async def scenario() -> None:
        async with opened(path) as store:
            await make_lanes(store)
            modes = [stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()]
            assert modes == [0o600] * 3  # the file, its journal, and the journal's index

    asyncio.run(scenario())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert pragma(path, "application_id") == APPLICATION_ID
    assert pragma(path, "user_version") == SCHEMA_VERSION
    assert pragma(path, "journal_mode") == "wal"


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"
    path.touch(mode=0o600)
    open_and_close(path)
    assert pragma(path, "user_version") == SCHEMA_VERSION


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"

    def schema() -> list[object]:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute("SELECT * FROM sqlite_schema").fetchall()

    open_and_close(path)
    first = schema()
    open_and_close(path)
    assert schema() == first
    assert len(first) > 10


def test_after_a_clean_end_everything_is_in_the_one_file(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"

    async def scenario() -> None:
        async with opened(path) as store:
            await store.registry.add("survival", now=1.0)

    asyncio.run(scenario())
    assert list(tmp_path.iterdir()) == [path]
    copy = tmp_path / "copy.sqlite3"
    copy.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT server FROM servers").fetchall() == [("survival",)]


def test_another_program_that_reads_the_file_does_not_take_the_journal_away(
    tmp_path: Path,
) -> None:
    path = tmp_path / "adr.sqlite3"
    program = f"""
import sqlite3
connection = sqlite3.connect({str(path)!r})
print(connection.execute("SELECT count(*) FROM servers").fetchone()[0])
connection.close()  # whoever closes last takes the journal away, unless others hold their locks
"""

    def servers_seen_outside() -> int:
        return int(subprocess.check_output([sys.executable, "-c", program], timeout=20))

    async def scenario() -> None:
        async with opened(path) as store:
            for count in range(1, 4):
                await store.registry.add(f"server-{count}", now=1.0)
                assert servers_seen_outside() == count
            journal = path.with_name(path.name + "-wal")
            assert journal.exists()
            async with opened(path):  # nor does a second look from within this process
                pass
            await store.registry.add("server-4", now=1.0)
            assert servers_seen_outside() == 4
        assert servers_seen_outside() == 4

    asyncio.run(scenario())


def test_every_commit_is_forced_to_the_disk(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "adr.sqlite3") as store:
            for connection in store._connections[:2]:
                assert (await connection.one("PRAGMA synchronous")) == (2,)
                assert (await connection.one("PRAGMA foreign_keys")) == (1,)

    asyncio.run(scenario())


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "plan.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE plan_players (id INTEGER)")
    assert "another program's database; name another file under storage.database" in refusal(path)


def test_the_database_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"
    open_and_close(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    assert "update adr-bridge" in refusal(path)


@pytest.mark.parametrize(
    "content",
    [b"ratings: 5\n" * 200, b"SQLite format 3\x00" + b"\xff" * 4096, b"x", b"y" * 511, b"z" * 512],
    ids=["text", "header", "1", "511", "512"],
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "adr.sqlite3"
    path.write_bytes(content)
    assert "move it away and restore your last backup" in refusal(path)


def test_a_database_damaged_inside_is_refused_when_that_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"
    open_and_close(path)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))

    async def scenario() -> None:
        async with opened(path) as store:
            await store.load()

    with pytest.raises(StoreRefused, match="damaged"):
        asyncio.run(scenario())


def test_a_folder_in_the_place_of_the_file_can_be_told_from_its_message(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"(?i)directory"):
        open_and_close(tmp_path)


def test_reading_alone_makes_no_file_and_can_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"

    async def read_only() -> None:
        store = await Store.read_only(path)
        try:
            assert await store.registry.all() == []
            await store.registry.add("survival", now=1.0)
        finally:
            await store.close()

    with pytest.raises(StoreUnavailable, match="start the daemon once"):
        asyncio.run(read_only())
    assert list(tmp_path.iterdir()) == []
    open_and_close(path)
    with pytest.raises(StoreUnavailable, match="readonly"):
        asyncio.run(read_only())


def test_reading_alone_never_migrates(tmp_path: Path) -> None:
    path = tmp_path / "adr.sqlite3"
    path.touch()
    with pytest.raises(StoreRefused, match="start this version's daemon once"):
        asyncio.run(Store.read_only(path))
    assert path.read_bytes() == b""
