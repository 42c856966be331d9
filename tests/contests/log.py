"""Log entries of contests, made up one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

from plugin_bridge.config.model import EventEntry, EventScore
from plugin_bridge.contests.book import Book
from plugin_bridge.contests.changes import Changes
from plugin_bridge.contests.charter import Charter, written
from plugin_bridge.contests.clerk import Clerk
from plugin_bridge.store.rows import LogEntry

NOON = 1.7e9


def charter(
    *players: str,
    score: EventScore = "kills",
    entry: EventEntry = "everybody",
    server: str = "survival",
    min_players: int = 2,
) -> Charter:
    return Charter(
        server=server,
        name="",
        seconds=600.0,
        score=score,
        entry=entry,
        min_players=min_players,
        ladder=True,
        players=list(players),
    )


@dataclass
class Chronicle:
    """Writes entries with the next position; `at` is seconds after noon."""

    entries: list[LogEntry] = field(default_factory=list)

    def add(self, kind: str, at: float, *, contest: int | None = 1, **rest: str | None) -> LogEntry:
        number = len(self.entries) + 1
        entry = LogEntry(
            position=number,
            lane=1,
            seq=number,
            kind=kind,
            time=NOON + at,
            received=NOON + at,
            contest=contest,
            **rest,  # type: ignore[arg-type]
        )
        self.entries.append(entry)
        return entry

    def start(self, rules: Charter, at: float = 0.0, *, contest: int = 1) -> None:
        self.add("contest_start", at, contest=contest, ladder="main", detail=written(rules))

    def kills(self, *fights: str, at: float = 1.0, contest: int = 1) -> None:
        """Fights such as `ann>bob`, a second apart."""
        for number, fight in enumerate(fights):
            killer, victim = fight.split(">")
            self.add("kill", at + number, contest=contest, killer=killer, victim=victim)

    def book(self) -> Book:
        book = Book()
        for entry in self.entries:
            Clerk(book, Changes()).take(entry)
        return book
