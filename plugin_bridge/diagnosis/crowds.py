"""Ladders, as they are stored, whose players pile up at the bounds of the ratings."""

from dataclasses import dataclass

from plugin_bridge.store import Store
from plugin_bridge.study.bounds import Bounds, at_bounds, cure, since


@dataclass(frozen=True, slots=True)
class Crowd:
    """`cure`: what to write under `rating` in config.yml; None where all is well."""

    ladder: str
    bounds: Bounds
    cure: str | None


async def crowds(store: Store) -> list[Crowd]:
    """For each ladder that is played on, how many sit at the bounds of the ratings. O(P)."""
    found = []
    for row in await store.projection.ladders():
        if row.clock is not None:
            after = since(row.clock, row.parameters)
            players = await store.survey.lately(row.ladder, since=after)
            seen = ((one.mu, one.recent) for one in players)
            bounds = at_bounds(seen, row.clock, row.parameters)
            found.append(
                Crowd(row.ladder, bounds, cure(row.parameters) if bounds.crowded else None)
            )
    return found
