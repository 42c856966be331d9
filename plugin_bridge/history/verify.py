"""What is stored against what the log gives: the same to the last bit, nearly the same, or not."""

from collections.abc import AsyncIterator, Callable, Sequence
from math import inf

from msgspec.structs import replace

from plugin_bridge.history.comparison import (
    CONTEST_RATINGS,
    CONTESTS,
    KILLS,
    LADDERS,
    PAIRS,
    PLAYERS,
    SEASON_PLACES,
    SEASONS,
    STANDINGS,
    Comparison,
)
from plugin_bridge.history.replay import CHUNK, Replay
from plugin_bridge.history.revision import Revision
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry, OutcomeRow

Progress = Callable[[int, int], None]
"""Entries done, and how many there are."""
_LAST = 2**63 - 1
"""There is no position behind it."""


async def verify(store: Store, progress: Progress) -> Comparison:
    """Compares everything that is stored of the ratings with what the log gives.

    The daemon may go on meanwhile: all is read as of one moment. Raises StoreError.
    Cost: linear in the log, some 50 µs a kill, and 2 µs in a calibration for each active player.
    """
    found = Comparison()
    async with store.snapshot():
        past, again = store.past, Replay(Revision(await store.history.amendments_in_force()))
        total, explained = await store.log.end(), await past.first_with_steps()
        end, lanes = 0, dict[int, int]()
        async for chunk in chunks(store):
            there = await past.outcomes(end + 1, chunk[-1].position)
            end = found.follow(chunk, end, lanes)
            found.entries += len(chunk)
            progress(found.entries, total)
            if found.whole:
                since = inf if explained is None else explained
                found.compare(KILLS, there, _as_kept(again.take(chunk), since=since))
        if not found.whole:
            return found
        found.compare(KILLS, await past.outcomes(end + 1, _LAST), [])
        found.compare(PLAYERS, await past.players(), again.players())
        found.compare(LADDERS, await past.ladders(), again.ladders())
        remembered = list(again.pairs())
        for ladder in again.ladders():
            pairs = await past.pairs(ladder.ladder, ladder.parameters.pairs_remembered)
            found.compare(PAIRS, pairs, [p for p in remembered if p.ladder == ladder.ladder])
        contests, contests_again = await store.contests.load(), again.contests()
        found.compare(CONTESTS, contests.contests, contests_again.contests)
        found.compare(STANDINGS, contests.standings, contests_again.standings)
        found.compare(CONTEST_RATINGS, contests.ratings, contests_again.ratings)
        await _seasons(found, store, again)
    return found


def _as_kept(outcomes: Sequence[OutcomeRow], *, since: float) -> Sequence[OutcomeRow]:
    """Before position `since` nobody kept the steps: an early version of the database."""
    if not outcomes or outcomes[0].position >= since:
        return outcomes
    return [replace(row, steps=None) if row.position < since else row for row in outcomes]


async def _seasons(found: Comparison, store: Store, again: Replay) -> None:
    there = await store.seasons.rows()
    found.compare(SEASONS, there, again.seasons())
    places = again.places()
    for season in dict.fromkeys(row.season for row in (*there, *again.seasons())):
        board = [place for place in places if place.season == season]
        found.compare(SEASON_PLACES, await store.seasons.places(season), board)


async def chunks(store: Store, after: int = 0) -> AsyncIterator[list[LogEntry]]:
    """The log behind a position, some entries at a time; none is held on to meanwhile."""
    while chunk := await store.log.some(after, CHUNK):
        yield chunk
        after = chunk[-1].position
