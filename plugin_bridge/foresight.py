"""What other settings would make of a ladder, before they are saved. Pure: nothing is changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adr_core import Ladder, Parameters, PlayerState
from plugin_bridge.store.rows import LadderRow
from plugin_bridge.study.bounds import is_active


@dataclass(frozen=True, slots=True)
class Move:
    """An active player's tier, before and after; 1 is the best."""

    player: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Foresight:
    """now, then: how many active players each tier holds, best tier first, the first of them under
    the stored tiers. waiting: active players without a tier. moves: best rating first.
    """

    ladder: str
    active: int
    waiting: int
    now: tuple[int, ...]
    then: tuple[int, ...]
    moves: tuple[Move, ...]


def foresee(row: LadderRow, ladder: Ladder, parameters: Parameters) -> Foresight:
    """A stored ladder under other parameters. Tiers that are meant to hold the same stay as they
    are; else everybody who is placed gets the tier that the new borders give, as at a reload.

    The ladder, fresh from the store, goes on under these. Cost: O(P log P).
    """
    before = dict(_active(ladder, row))
    ladder.reconfigure(parameters)
    placed = {player: one.tier for player, one in before.items() if one.tier is not None}
    after = {player: ladder.player(player).tier or 0 for player in placed}
    return Foresight(
        row.ladder,
        len(before),
        len(before) - len(placed),
        _held(list(placed.values()), len(row.parameters.shares)),
        _held(list(after.values()), len(parameters.shares)),
        tuple(
            Move(player, placed[player], after[player])
            for player in placed
            if placed[player] != after[player]
            or len(row.parameters.shares) != len(parameters.shares)
        ),
    )


def _active(ladder: Ladder, row: LadderRow) -> Iterator[tuple[str, PlayerState]]:
    """The active players, the best first."""
    for player, state in ladder.top(len(ladder.players)):
        if row.clock is not None and is_active(state.recent, row.clock, row.parameters):
            yield player, state


def _held(tiers: Sequence[int], count: int) -> tuple[int, ...]:
    return tuple(tiers.count(tier) for tier in range(1, count + 1))
