"""What the log makes of contests."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from adr_core import Standing, rate_contest
from plugin_bridge.config.model import EventScore
from plugin_bridge.contests.book import Book
from plugin_bridge.contests.changes import Changes
from plugin_bridge.contests.clerk import Clerk
from plugin_bridge.store.rows import LogEntry, StandingRow

from .log import NOON, Chronicle, charter


def tallies(book: Book, contest: int = 1) -> dict[str, tuple[int, int]]:
    return {s.player: (s.kills, s.deaths) for s in book.standings[contest].values()}


def places(book: Book, contest: int = 1) -> dict[str, int | None]:
    return {s.player: s.place for s in book.standings[contest].values()}


def ratings(book: Book, *players: str) -> list[tuple[float, int]]:
    found = [book.rating("main", player) for player in players]
    return [(one.rating, one.contests) for one in found]


def test_a_contest_ends_with_the_ratings_of_the_formulas() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "eve"))
    past.kills("ann>bob", "ann>eve", "bob>eve", "ann>bob")
    past.add("contest_end", 600)
    book = past.book()
    assert tallies(book) == {"ann": (3, 0), "bob": (1, 2), "eve": (0, 2)}
    assert places(book) == {"ann": 1, "bob": 2, "eve": 3}
    wanted = rate_contest(
        [
            Standing("ann", 1500.0, 0, 1.0),
            Standing("bob", 1500.0, 0, 1 / 3),
            Standing("eve", 1500.0, 0, 0.0),
        ]
    )
    assert ratings(book, "ann", "bob", "eve") == [(r.rating, 1) for r in wanted]
    assert book.standings[1]["ann"].after == wanted[0].rating
    assert (book.contests[1].state, book.contests[1].ended) == ("rated", NOON + 600)
    assert book.on("survival") is None


def test_the_next_contest_goes_on_from_there() -> None:
    past = Chronicle()
    for number in (1, 2):
        past.start(charter("ann", "bob"), at=700.0 * number, contest=number)
        past.kills("ann>bob", at=700.0 * number + 1, contest=number)
        past.add("contest_end", 700.0 * number + 600, contest=number)
    book = past.book()
    assert book.standings[2]["ann"].before == book.standings[1]["ann"].after == 1523.0
    assert book.rating("main", "ann").contests == 2
    assert book.next == 3


def test_with_too_few_it_is_not_rated_but_the_places_are_known() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", min_players=3))
    past.kills("ann>bob")
    past.add("contest_end", 600)
    book = past.book()
    assert book.contests[1].state == "unrated"
    assert places(book) == {"ann": 1, "bob": 2}
    assert ratings(book, "ann", "bob") == [(1500.0, 0), (1500.0, 0)]


def test_a_cancelled_contest_changes_no_rating() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob"))
    past.kills("ann>bob")
    past.add("contest_cancel", 60)
    past.kills("ann>bob", at=70)
    book = past.book()
    assert (book.contests[1].state, tallies(book)["ann"]) == ("cancelled", (1, 0))
    assert ratings(book, "ann") == [(1500.0, 0)]


def test_whoever_was_online_but_did_not_fight_took_no_part() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "idle"))
    past.kills("ann>bob")
    past.add("contest_end", 600)
    assert set(places(past.book())) == {"ann", "bob"}


def test_whoever_asked_to_take_part_did_so_without_a_fight_too() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "idle", entry="join"))
    past.add("contest_join", 5, killer="late")
    past.add("contest_join", 5, killer="gone")
    past.add("contest_leave", 9, killer="gone")
    past.kills("ann>bob")
    past.add("contest_end", 600)
    assert places(past.book()) == {"ann": 1, "bob": 2, "idle": 2, "late": 2}


def test_whoever_leaves_after_a_fight_is_rated_with_what_there_is() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "eve"))
    past.kills("ann>bob", "ann>eve")
    past.add("contest_leave", 10, killer="ann")
    book = past.book()
    assert not book.takes_part(1, "ann") and book.takes_part(1, "bob")
    assert book.claims("survival", NOON + 20, ["bob", "eve"]) == book.contests[1]
    assert book.claims("survival", NOON + 20, ["ann", "eve"]) is None
    past.add("contest_join", 30, killer="ann")
    assert past.book().takes_part(1, "ann")
    past.add("contest_end", 600)
    assert places(past.book()) == {"ann": 1, "bob": 2, "eve": 2}


def test_a_contest_claims_what_happens_in_its_time_on_its_server_between_its_players() -> None:
    past = Chronicle()
    past.start(charter("ann", entry="join"))
    book = past.book()
    assert book.claims("survival", NOON, ["ann"]) and book.claims("survival", NOON + 600, ["ann"])
    assert book.claims("survival", NOON - 30.1, ["ann"]) is None
    assert book.claims("survival", NOON + 600.1, ["ann"]) is None
    assert book.claims("duels", NOON, ["ann"]) is None
    assert book.claims("survival", NOON, ["ann", "stranger"]) is None


def test_a_clock_that_is_a_little_behind_takes_no_kills_from_the_start() -> None:
    """What is asked about stands behind the start in the log."""
    past = Chronicle()
    past.start(charter("ann", "bob", "eve", score="placement"))
    assert past.book().claims("survival", NOON - 29.9, ["ann", "bob"])
    past.kills("ann>bob", "eve>ann", at=-25)
    past.add("contest_end", 600)
    assert places(past.book()) == {"eve": 1, "ann": 2, "bob": 3}


def test_the_last_player_standing_wins_a_placement() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "eve", "idle", score="placement"))
    past.kills("ann>bob", "eve>ann", "bob>eve")
    past.add("death", 9, victim="idle")
    past.kills("ann>eve", at=20)
    past.add("contest_end", 600)
    book = past.book()
    assert places(book) == {"bob": 4, "ann": 3, "eve": 2, "idle": 1}
    assert tallies(book)["bob"] == (0, 1), "whoever is out kills nobody any more"


def test_out_is_out_in_a_placement() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "eve", score="placement"))
    past.kills("ann>bob")
    past.add("contest_join", 9, killer="bob")
    past.add("contest_leave", 12, killer="ann")
    past.add("contest_end", 600)
    assert places(past.book()) == {"eve": 1, "ann": 2, "bob": 3}


def test_after_its_time_nobody_joins_a_contest_or_leaves_it() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "eve", score="placement"))
    past.kills("ann>bob")
    past.add("contest_leave", 600.5, killer="eve")
    past.add("contest_end", 600)
    assert places(past.book()) == {"ann": 1, "eve": 1, "bob": 3}
    past = Chronicle()
    past.start(charter("ann", entry="join"))
    past.add("contest_join", 600.5, killer="late")
    past.kills("ann>bob")
    past.add("contest_end", 600)
    assert set(places(past.book())) == {"ann", "bob"}


def test_whoever_leaves_a_placement_without_a_fight_keeps_the_place_they_had() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", "eve", "dan", "gone", score="placement"))
    past.add("contest_leave", 2, killer="gone")
    past.kills("ann>bob", at=5)
    past.add("contest_leave", 9, killer="eve")
    past.add("contest_end", 600)
    assert places(past.book()) == {"ann": 1, "dan": 1, "eve": 3, "bob": 4}, (
        "only who left before anybody had died took no part"
    )


@pytest.mark.parametrize("score", ["kills", "placement"])
def test_where_nobody_died_nothing_is_rated(score: EventScore) -> None:
    past = Chronicle()
    past.start(charter("ann", "bob", score=score, entry="join"))
    past.add("contest_end", 600)
    book = past.book()
    assert (book.contests[1].state, places(book)) == ("unrated", {"ann": 1, "bob": 1})
    assert ratings(book, "ann") == [(1500.0, 0)]


def test_two_ids_of_one_player_are_one_participant() -> None:
    """As after a merge: entries come with the id that has the fights, charters do not."""
    past = Chronicle()
    past.start(charter("old", "new", "bob", score="placement"))
    past.kills("new>bob")
    book = Book(lambda player: {"old": "new"}.get(player, player))
    for entry in past.entries:
        Clerk(book, Changes()).take(entry)
    assert set(book.standings[1]) == {"new", "bob"}
    assert book.claims("survival", NOON + 2, ["old", "bob"])


def season() -> Chronicle:
    """Three contests on one ladder, of which two overlap, and one on another ladder's players."""
    past = Chronicle()
    past.start(charter("ann", "bob", "eve"), at=0, contest=1)
    past.start(charter("ann", "bob", "dan", server="duels"), at=10, contest=2)
    past.kills("ann>bob", "eve>ann", at=20, contest=1)
    past.kills("dan>bob", "dan>ann", "bob>ann", at=30, contest=2)
    past.add("contest_end", 300, contest=2)
    past.add("contest_end", 600, contest=1)
    past.start(charter("ann", "bob"), at=700, contest=3)
    past.kills("bob>ann", at=710, contest=3)
    past.add("contest_end", 1_300, contest=3)
    return past


@pytest.mark.parametrize("void", [1, 2, 3])
def test_a_void_contest_leaves_ratings_as_if_it_had_not_been(void: int) -> None:
    past = season()
    past.add("contest_void", 2_000, contest=void)
    without = Chronicle([entry for entry in season().entries if entry.contest != void])
    players = ("ann", "bob", "eve", "dan")
    assert ratings(past.book(), *players) == ratings(without.book(), *players)
    for contest in {1, 2, 3} - {void}:
        assert past.book().standings[contest] == without.book().standings[contest]
    assert past.book().contests[void].state == "void"
    assert {s.after for s in past.book().standings[void].values()} == {None}


def test_what_is_not_rated_cannot_become_void() -> None:
    past = Chronicle()
    past.start(charter("ann", "bob"))
    past.add("contest_void", 1)
    past.add("contest_void", 1, contest=9)
    assert past.book().contests[1].state == "running"


def test_a_book_goes_on_from_what_was_stored_of_it() -> None:
    """Cut anywhere, the rows of the changes so far make a book that ends the same."""
    entries: list[LogEntry] = [*season().entries]
    entries.append(replace(entries[-1], kind="contest_void", contest=2))
    whole = Book()
    for entry in entries:
        Clerk(whole, Changes()).take(entry)
    for cut in range(len(entries)):
        book, changes = Book(), Changes()
        for entry in entries[:cut]:
            Clerk(book, changes).take(entry)
        again = Book()
        again.load(changes.rows())
        assert again.rows() == book.rows()
        for entry in entries[cut:]:
            Clerk(again, Changes()).take(entry)
        assert sorted(map(repr, again.rows().standings)) == sorted(
            map(repr, whole.rows().standings)
        )
        assert again.contests == whole.contests
        assert set(again.rows().ratings) == set(whole.rows().ratings)


def test_standings_of_those_who_took_no_part_are_removed() -> None:
    past, changes, book = Chronicle(), Changes(), Book()
    past.start(charter("ann", "idle"))
    past.add("contest_end", 600)
    for entry in past.entries:
        Clerk(book, changes).take(entry)
    assert sorted(changes.rows().gone) == [(1, "ann"), (1, "idle")]
    assert changes.rows().standings == []
    assert book.contests[1].state == "unrated"
    assert StandingRow(contest=1, player="ann") not in book.rows().standings
