"""Which kills `adr-bridge exclude` means."""

from argparse import Namespace
from collections.abc import Sequence
from time import time

from plugin_bridge.cli.moments import day
from plugin_bridge.cli.people import person_called
from plugin_bridge.errors import UsageError
from plugin_bridge.history.amendments import Selector
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.verify import chunks
from plugin_bridge.store import Store


async def selector(store: Store, options: Namespace) -> Selector:
    """What the options select. Raises UsageError for what is not there."""
    if options.role and not options.player:
        raise UsageError("--as says which fights of a --player are meant")
    typed: Sequence[str] = options.pair or ([options.player] if options.player else [])
    found = [(await person_called(store, name)).player for name in typed]
    revision = Revision(await store.history.amendments())
    ids = [revision.all_ids_of(player) for player in found]
    players = [first for first, *_ in ids]
    if len(set(players)) < len(players):
        raise UsageError("--pair needs two different players")
    lanes = await _lanes(store, options.server) if options.server else []
    if not (players or lanes):
        raise UsageError("name a --player, a --pair or a --server")
    now = time()
    if options.since is not None and options.since > now:
        raise UsageError(f"--since {day(options.since)} is yet to come")
    until = now if options.until is None else min(now, options.until)
    if options.since is not None and options.since > until:
        raise UsageError(
            f"--since {day(options.since)} is later than --until {day(until)}; "
            "times without a zone are UTC"
        )
    return Selector(
        players=tuple(players),
        others=tuple(tuple(others) for _, *others in ids) if any(len(i) > 1 for i in ids) else (),
        role=options.role or "both",
        lanes=tuple(lanes),
        server=options.server,
        since=options.since,
        until=until,
    )


async def _lanes(store: Store, server: str) -> list[int]:
    lanes = await store.log.lanes_of(server)
    if not lanes:
        known = ", ".join(await store.survey.servers()) or "none"
        raise UsageError(f"no events of a server '{server}' are in the log (known: {known})")
    return lanes


async def show_selected(store: Store, selected: Selector) -> None:
    """Says which kills of the log are meant. Raises UsageError if there are none.

    Cost: a pass over the log, some 10 µs a kill.
    """
    times = [
        entry.time
        async for chunk in chunks(store)
        for entry in chunk
        if entry.kind == "kill" and selected.selects(entry)
    ]
    if not times:
        raise UsageError("no kill in the log is like that; nothing was changed")
    kills = "1 kill" if len(times) == 1 else f"{len(times)} kills"
    print(f"Selected: {kills}, the first of {day(min(times))}, the last of {day(max(times))}.")
    for player, *others in selected.ids:
        if others:
            print(f"Also what {player} did under merged ids is among them: {', '.join(others)}.")
