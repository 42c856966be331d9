"""`adr-bridge set` and `reset`: another rating for one player, from now on."""

import math
from argparse import Namespace

from plugin_bridge.cli.amending import amend
from plugin_bridge.cli.ladders import known_ladder
from plugin_bridge.cli.opening import amending
from plugin_bridge.cli.orders import who
from plugin_bridge.cli.people import person_called
from plugin_bridge.errors import UsageError
from plugin_bridge.history.amendments import Place
from plugin_bridge.history.revision import Revision
from plugin_bridge.store import Store


async def reset(options: Namespace) -> int:
    return await _place(options, None)


async def place(options: Namespace) -> int:
    if not math.isfinite(options.rating):
        raise UsageError("--rating must be a number")
    return await _place(options, options.rating)


async def _place(options: Namespace, rating: float | None) -> int:
    async with amending(options) as (config, store):
        called = (await person_called(store, options.player)).player
        player = Revision(await store.history.amendments()).rated_as(called)
        await known_ladder(store, options.ladder)
        await _refuse_unrated(store, player, options)
        if rating is not None:
            await _refuse_beyond(store, rating, options.ladder)
        amendment = Place(
            ladder=options.ladder, player=player, rating=rating, reason=options.reason, by=who()
        )
        return await amend(store, config, amendment, options)


async def _refuse_unrated(store: Store, player: str, options: Namespace) -> None:
    """Raises UsageError for somebody who has no rating that could be changed."""
    here = [one for one in await store.board.of(player) if one.ladder == options.ladder]
    if any(one.fights for one in here):
        return
    since = ""
    if here:
        since = " this season" if await store.seasons.all(options.ladder) else " since the reset"
    raise UsageError(f"{options.player} has no rated fights on the ladder {options.ladder}{since}")


async def _refuse_beyond(store: Store, rating: float, ladder: str) -> None:
    """Raises UsageError for a rating that the ladder does not know."""
    (rules,) = [row.parameters for row in await store.projection.ladders() if row.ladder == ladder]
    if not rules.mu_min <= rating <= rules.mu_max:
        raise UsageError(
            f"--rating must be from {rules.mu_min:g} to {rules.mu_max:g} on the ladder {ladder}"
        )
