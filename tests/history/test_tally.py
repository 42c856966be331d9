"""One draft for a whole log gives what many small ones give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adr_core import Parameters, PlayerState
from plugin_bridge.arena import Arena
from plugin_bridge.draft import Draft
from plugin_bridge.history.amendments import Place, written
from plugin_bridge.history.replay import Replay
from plugin_bridge.history.revision import Revision
from plugin_bridge.store.rows import LogEntry

from ..store.history import Scribe

SETTLED = replace(
    Parameters.consistent(), t_cooldown=0.0, n_min=2, sigma_place=400.0, p_min=2, h_req=1e6
)
"""Everybody is placed at once, and whoever is in the wrong tier is on the way out for ever."""


def one_by_one(entries: list[LogEntry], revision: Revision) -> dict[str, PlayerState]:
    """What is stored of the players when each entry is a batch of its own."""
    arena, stored = Arena(), dict[str, PlayerState]()
    arena.revision = revision
    for entry in entries:
        draft = Draft()
        arena.apply(entry, draft)
        stored |= {row.player: row.state for row in draft.batch([], [], after=0).players}
    return stored


@pytest.mark.parametrize("rating", [850.0, 1_000.0, 1_500.0, None])
def test_calibrations_after_a_rating_was_set_move_its_player_on(rating: float | None) -> None:
    scribe = Scribe()
    entries = [scribe.parameters("main", SETTLED, 0.0)]
    for number in range(60):
        killer, victim = number % 6, (5 * number + 1) % 6
        if killer != victim:
            entries.append(scribe.kill(f"p{killer}", f"p{victim}", float(number)))
    detail = written(Place(ladder="main", player="p1", rating=rating, reason="test", by="test"))
    entries.append(scribe.entry("place", 100.0, ladder="main", detail=detail))
    place = entries[-1]
    entries += [scribe.entry("calibrate", 101.0 + hour, ladder="main") for hour in range(40)]
    stored, again = one_by_one(entries, Revision([place])), Replay(Revision([place]))
    again.take(entries)
    assert {row.player: row.state for row in again.players()} == stored
    if rating == 850.0:
        assert stored["p1"].demotion > 0.0
