"""`adr-bridge preview`: what edited tiers would do, before they are saved."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.config import Config, load_config
from plugin_bridge.errors import StoreError
from plugin_bridge.foresight import Foresight, Move, foresee
from plugin_bridge.store import Store

_SHOWN = 20
"""Players that are listed as moving; --json lists all."""


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("preview", preview, "show what edited tiers would do", output=True)
    parser.description = (
        "Shows what edited tiers would do: how many active players each would hold, and who would "
        "move. Edit a copy of config.yml, look at it with this, then save it as config.yml."
    )
    parser.add_argument(
        "file", nargs="?", type=Path, help="the edited copy (the file of --config itself)"
    )


async def preview(options: Namespace) -> int:
    other = load_config(options.file) if options.file else None
    async with reading(options) as (present, store):
        edited = other or present
        found = await foreseen(store, edited)
        names = await _names(store, found)
    if options.json:
        print_json([_described(one, present, edited) for one in found])
        return 0
    for one in found:
        show(one, present, edited, names)
    if not found:
        print("Nobody has fought yet: there is nothing to foresee.")
    return 0


async def print_beside(config: Config) -> None:
    """For check-config: the same, where there is a database that can be read."""
    if not config.storage.database.exists():
        return
    try:
        store = await Store.read_only(config.storage.database)
        try:
            found = await foreseen(store, config)
            names = await _names(store, found)
        finally:
            await store.close()
    except StoreError as error:
        print(f"What this would do to the present players is not known: {error}")
        return
    for one in found:
        show(one, config, config, names)


async def foreseen(store: Store, config: Config) -> list[Foresight]:
    """Every stored ladder that has active players and is in the settings. O(P log P)."""
    wanted = {ladder.name: ladder.parameters for ladder in config.ladders}
    found = [
        foresee(row, await store.projection.ladder(row), wanted[row.ladder])
        for row in await store.projection.ladders()
        if row.ladder in wanted
    ]
    return [one for one in found if one.active]


def show(one: Foresight, present: Config, edited: Config, names: dict[str, str]) -> None:
    total = sum(tier.weight for tier in edited.tiers)
    same = len(one.now) == len(one.then)
    print_table(
        ("tier", "share", *(["players now"] if same else []), "players then"),
        [
            (
                tier.name,
                f"{100 * tier.weight / total:.1f} %",
                *([str(now)] if same else []),
                str(then),
            )
            for tier, now, then in zip(
                edited.tiers, one.now if same else one.then, one.then, strict=True
            )
        ],
        title=f"Ladder {one.ladder}: {one.active} active players, {one.waiting} without a tier yet",
    )
    moves = [move for move in one.moves if _moves(move, one, present, edited)]
    print(f"{len(moves)} of {one.active} active players on {one.ladder} would change their tier.")
    for move in moves[:_SHOWN]:
        name = names.get(move.player, move.player)
        before, after = _before(move, one, present), edited.tier(move.after).name
        print(f"    {name}: {before} -> {after}")
    if len(moves) > _SHOWN:
        print(f"    and {len(moves) - _SHOWN} more (--json lists them)")


def _before(move: Move, one: Foresight, present: Config) -> str:
    """The name of the tier that a player has now; its number where the names are not known."""
    if len(present.tiers) == len(one.now):
        return present.tier(move.before).name
    return f"#{move.before} of {len(one.now)}"


def _moves(move: Move, one: Foresight, present: Config, edited: Config) -> bool:
    """A tier that keeps its name or its place is the same tier."""
    if len(one.now) == len(one.then):
        return move.before != move.after
    return _before(move, one, present) != edited.tier(move.after).name


def _described(one: Foresight, present: Config, edited: Config) -> dict[str, object]:
    return {
        **asdict(one),
        "tiers": list(edited.tier_names),
        "moves": [
            {
                "player": move.player,
                "before": _before(move, one, present),
                "after": edited.tier(move.after).name,
            }
            for move in one.moves
            if _moves(move, one, present, edited)
        ],
    }


async def _names(store: Store, found: list[Foresight]) -> dict[str, str]:
    players = [move.player for one in found for move in one.moves]
    return await store.people.names(players[:5_000]) if players else {}
