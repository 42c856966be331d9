"""`adr-bridge replay`: the log rated again, to check what is stored or to try other parameters."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic

from adr_core import Parameters
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.effects import SHOWN, show_effect
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.cli.progress import progress_bar
from plugin_bridge.config import Config, load_config
from plugin_bridge.errors import UsageError
from plugin_bridge.history import verify as verifying
from plugin_bridge.history.comparison import Comparison
from plugin_bridge.history.effect import effect
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.rules import Rules, from_the_start, preset
from plugin_bridge.store import Store

PRESETS = {
    "paper": Parameters.paper,
    "consistent": Parameters.consistent,
    "calibrated": Parameters.calibrated,
}


def add_to(command: Command) -> None:
    again = command("replay", replay, "rate the whole log again", output=True)
    how = again.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--verify",
        action="store_true",
        help="compare what is stored with it; exit code 1 if it differs",
    )
    how.add_argument(
        "--with",
        dest="other",
        metavar="PRESET|FILE",
        help="show the ratings and tiers under a preset, or a config.yml, from the first day on",
    )
    again.add_argument("--dry-run", action="store_true", help="change nothing (it never does)")


async def replay(options: Namespace) -> int:
    async with reading(options) as (config, store):
        if options.other is None:
            return await _verify(store, as_json=options.json)
        return await _show_other(store, config, options)


async def _verify(store: Store, *, as_json: bool) -> int:
    """Exit code 0 if what is stored follows from the log, 1 if not."""
    began = monotonic()
    with progress_bar("replaying") as progress:
        found = await verifying.verify(store, progress)
    if as_json:
        print_json(
            {
                "entries": found.entries,
                "exact": not found.count and not found.rounding,
                "whole": found.whole,
                "rounding": found.rounding,
                "differences": found.count,
                "shown": [asdict(difference) for difference in found.differences],
            }
        )
        return 1 if found.count else 0
    print(f"Replayed {found.entries} entries of the log in {monotonic() - began:.1f} s.")
    _tell(found)
    return 1 if found.count else 0


def _tell(found: Comparison) -> None:
    if found.count:
        print_table(
            ("where", "field", "stored", "replayed"),
            [(d.where, d.field, str(d.stored), str(d.replayed)) for d in found.differences],
        )
        if not found.whole:
            print("The log is not whole; what follows from the rest of it was not compared.")
        print(
            f"{found.count} values differ from what the log gives. Another program has changed the "
            "database, or this is a fault of adr-bridge: keep a copy of it and report it."
        )
    elif found.rounding:
        print(
            "Everything stored follows from the log, but not to the last bit "
            f"(by {found.rounding:.1e} at most): this machine's maths library rounds otherwise "
            "than the one that wrote it, or an earlier version of adr-bridge computed it in "
            "another order"
        )
    else:
        print("Everything stored follows from the log, bit for bit.")


async def _show_other(store: Store, config: Config, options: Namespace) -> int:
    rules, tiers = _rules(options.other, config)
    in_force = Revision(await store.history.amendments_in_force())
    with progress_bar("replaying") as progress:
        found = await effect(store, progress, revision=in_force, rules=rules)
    names = await store.people.names([move.player for move in found.moves[:SHOWN]])
    show_effect(found, names, before=config.tier_names, after=tiers, as_json=options.json)
    if not options.json:
        print("Nothing was changed. What config.yml says applies from the day it is saved on.")
    return 0


def _rules(other: str, config: Config) -> tuple[Rules, Sequence[str]]:
    """The parameters named on the command line, and the names of the tiers under them."""
    if other in PRESETS:
        return preset(PRESETS[other]()), config.tier_names
    if not Path(other).is_file():
        raise UsageError(f"'{other}' is neither a preset ({', '.join(PRESETS)}) nor a file")
    chosen = load_config(Path(other))
    ladders = {ladder.name: ladder.parameters for ladder in chosen.ladders}
    return from_the_start(ladders), chosen.tier_names
