"""What `adr-bridge exclude` selects: times as people type them, servers, and what it says of it."""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from time import time

import pytest

from plugin_bridge.cli.moments import last_moment, moment
from plugin_bridge.history.amendments import Merge, written
from plugin_bridge.store import Store

from ..cli.calling import call
from .amending import FIGHTS, SURE, done

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
MIDNIGHT = NOON - 12 * 3600


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2026-11-30", MIDNIGHT),
        ("2026-11-30 12:00", NOON),
        ("2026-11-30T12:00", NOON),
        ("2026-11-30T12:00Z", NOON),
        ("2026-11-30T13:00+01:00", NOON),
        ("2026-11-30 06:30:00.5-05:30", NOON + 0.5),
    ],
)
def test_a_time_is_understood_with_a_zone_and_without(typed: str, meant: float) -> None:
    assert moment(typed) == meant


@pytest.mark.parametrize(("typed", "seconds"), [("2d", 172_800), ("36h", 129_600), ("90m", 5_400)])
def test_a_time_may_be_so_long_ago(typed: str, seconds: int) -> None:
    for understood in (moment, last_moment):
        assert understood(typed) == pytest.approx(time() - seconds, abs=5)


@pytest.mark.parametrize("typed", ["", "yesterday", "2d3h", "-2d", "2026-02-30", "1.5d", "nan"])
def test_what_is_no_time_is_refused_with_examples(typed: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no time: write 2026-11-30"):
        moment(typed)


def test_a_day_is_meant_from_its_beginning_up_to_its_end() -> None:
    assert moment("2026-11-30") == MIDNIGHT
    assert MIDNIGHT + 86_399.999 < last_moment("2026-11-30") < MIDNIGHT + 86_400
    assert last_moment("2026-11-30 12:00") == NOON


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--server nowhere", "no events of a server 'nowhere' are in the log (known: survival)"),
        ("--player ann --since 2030-01-01", "--since 2030-01-01 00:00 UTC is yet to come"),
        (
            "--player ann --since 2026-01-02 --until 2026-01-01",
            "--since 2026-01-02 00:00 UTC is later than --until 2026-01-01 23:59 UTC",
        ),
        ("--player ann --since 2026-01-02", "no kill in the log is like that"),
        ("--pair ann bob --until 1970-01-01T00:00Z", "no kill in the log is like that"),
        ("--pair ann bob --as killer", "--as says which fights of a --player"),
        ("--pair ann ANN", "--pair needs two different players"),
        ("--since 1970-01-01", "name a --player, a --pair or a --server"),
    ],
)
def test_what_selects_nothing_is_refused(folder: Path, words: str, said: str) -> None:
    refused = call(folder, "exclude", *words.split(), *SURE)
    assert refused.returncode == 1
    assert said in refused.stderr
    assert json.loads(done(folder, "history", "--json")) == []


def test_a_preview_says_what_is_selected_before_anything_is_done(folder: Path) -> None:
    words = ("--player", "Ann", "--as", "killer", "--since", "1970-01-01 00:03:20", "--until")
    asked = call(folder, "exclude", *words, "1970-01-01", "--reason", "aimbot")
    assert "say --yes" in asked.stderr
    selected, asked_for, *_ = asked.stdout.splitlines()
    # Ann kills in every fifth fight, 100 seconds apart, from second 200 on
    assert selected == (
        "Selected: 6 kills, the first of 1970-01-01 00:03 UTC, the last of 1970-01-01 00:45 UTC."
    )
    assert asked_for == (
        "What is asked for: exclude kills by Ann since 1970-01-01 00:03 UTC "
        "until 1970-01-01 23:59 UTC."
    )
    assert "Rated kills: 30 now, 24 then." in asked.stdout


def test_a_time_that_is_yet_to_come_ends_an_exclusion_no_later_than_now(folder: Path) -> None:
    done(folder, "exclude", "--player", "ann", "--until", "2100-01-01", *SURE)
    with closing(sqlite3.connect(folder / "adr.sqlite3")) as connection:
        ((until,),) = connection.execute(
            "SELECT json_extract(detail, '$.select.until') FROM events WHERE kind = 'exclude'"
        )
    assert until <= time()


def kept(folder: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(folder / "adr.sqlite3")) as connection:
        return connection.execute(
            "SELECT killer, victim FROM events JOIN outcomes USING (position) "
            "WHERE reason IS NULL ORDER BY position"
        ).fetchall()


@pytest.mark.parametrize(
    ("words", "stays"),
    [
        ("--player newt", {("bob", "ann")}),
        ("--player oldie", {("bob", "ann")}),
        ("--player newt --as killer", {("bob", "ann"), ("ann", "old")}),
        ("--pair ann newt", {("bob", "ann"), ("new", "bob")}),
    ],
)
def test_a_merged_player_is_excluded_with_the_fights_under_all_ids(
    folder: Path, words: str, stays: set[tuple[str, str]]
) -> None:
    done(folder, "merge", "oldie", "newt", *SURE)
    said = done(folder, "exclude", *words.split(), *SURE)
    assert "Also what new did under merged ids is among them: old.\n" in said
    assert set(kept(folder)) == stays
    merged, excluded = json.loads(done(folder, "history", "--json"))
    assert "Newt alias Oldie" in excluded["what"]
    done(folder, "undo", merged["number"], *SURE)
    assert set(kept(folder)) - {("old", "new")} == stays
    done(folder, "include", excluded["number"], *SURE)
    assert set(kept(folder)) == set(FIGHTS)


def test_an_exclusion_is_taken_back_by_any_name_of_the_player(folder: Path) -> None:
    done(folder, "merge", "oldie", "newt", *SURE)
    done(folder, "exclude", "--player", "newt", *SURE)
    done(folder, "include", "--player", "oldie", *SURE)
    assert set(kept(folder)) == set(FIGHTS) - {("old", "new")}


def test_the_history_shows_what_still_waits_for_the_daemon(folder: Path) -> None:
    async def order() -> None:
        store = await Store.open(folder / "adr.sqlite3")
        try:
            wanted = Merge(old="old", new="new", reason="renamed", by="admin")
            await store.history.order(written(wanted), now=60.0)
        finally:
            await store.close()

    asyncio.run(order())
    (row,) = json.loads(done(folder, "history", "--json"))
    assert row == {
        "number": "w1",
        "when": "1970-01-01 00:01 UTC",
        "by": "admin",
        "what": "merge Oldie into Newt",
        "reason": "renamed",
        "state": "waits for the daemon",
    }
    done(folder, "exclude", "--player", "ann", *SURE)
    states = [row["state"] for row in json.loads(done(folder, "history", "--json"))]
    assert states == ["in force", "in force"]
