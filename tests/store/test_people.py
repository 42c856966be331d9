"""Who is meant by a name that somebody types."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from plugin_bridge.store.rows import Batch, NameRow

from .history import opened

CROWD = (
    NameRow("uuid-1", "abcdef", 10.0),
    NameRow("uuid-2", "Abcdef", 20.0),
    NameRow("uuid-3", "Notch", 10.0),
    NameRow("uuid-4", ".Steve", 10.0),
    NameRow("uuid-5", "Two Words", 10.0),
    NameRow("uuid-6", "Bob", 10.0),
    NameRow("uuid-7", "Bob", 30.0),
    NameRow("uuid-8", "Bob", 20.0),
    NameRow("uuid-9", "Abc | 😺 тест スカ", 10.0),
    NameRow("uuid-10", "STRAẞE", 10.0),
    NameRow("uuid-11", "Alex", 10.0),
    NameRow("uuid-12", ".Alex", 20.0),
    NameRow("uuid-13", "__", 10.0),
    NameRow("uuid-14", "50%_off", 10.0),
)


def found(folder: Path, typed: str, crowd: tuple[NameRow, ...] = CROWD) -> list[str]:
    """The ids of those who may be meant."""

    async def scenario() -> list[str]:
        async with opened(folder / "adr.sqlite3") as store:
            await store.commit(Batch(after=0, names=crowd))
            return [person.player for person in await store.people.find(typed)]

    return asyncio.run(scenario())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("abcdef", ["uuid-1"]),
        ("Abcdef", ["uuid-2"]),
        ("ABCDEF", ["uuid-2", "uuid-1"]),
        ("notch", ["uuid-3"]),
        (".Steve", ["uuid-4"]),
        ("steve", ["uuid-4"]),
        ("*Steve", ["uuid-4"]),
        ("Two Words", ["uuid-5"]),
        ("two words", ["uuid-5"]),
        ("Two_Words", ["uuid-5"]),
        (".two_words", ["uuid-5"]),
        ("Bob", ["uuid-7"]),
        ("bob", ["uuid-7"]),
        ("abc | 😺 ТЕСТ スカ", ["uuid-9"]),
        ("strasse", ["uuid-10"]),
        ("Alex", ["uuid-11"]),
        (".alex", ["uuid-12"]),
        ("*alex", ["uuid-12", "uuid-11"]),
        ("__", ["uuid-13"]),
        ("...", []),
        ("", []),
        ("Notc", []),
        ("%", []),
        ("50%_off", ["uuid-14"]),
        ("x' OR '1'='1", []),
    ],
)
def test_the_nearest_spelling_is_meant(tmp_path: Path, typed: str, meant: list[str]) -> None:
    assert found(tmp_path, typed) == meant


def test_a_name_given_up_is_no_longer_its_old_owners(tmp_path: Path) -> None:
    renamed = (*CROWD, NameRow("uuid-3", "Markus", 50.0))
    assert found(tmp_path, "Notch", renamed) == []
    assert found(tmp_path, "markus", renamed) == ["uuid-3"]
    taken = (*renamed, NameRow("uuid-99", "Notch", 60.0))
    assert found(tmp_path, "notch", taken) == ["uuid-99"]


def test_names_are_found_by_id_where_there_is_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path / "adr.sqlite3") as store:
            await store.commit(Batch(after=0, names=[*CROWD, NameRow("nameless", "", 1.0)]))
            asked = ["uuid-4", "uuid-9", "nameless", "nobody"]
            assert await store.people.names(asked) == {
                "uuid-4": ".Steve",
                "uuid-9": "Abc | 😺 тест スカ",
            }
            assert await store.people.names([]) == {}

    asyncio.run(scenario())
