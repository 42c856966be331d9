"""What another past would change, as it is shown to whoever asked for it."""

from collections.abc import Mapping, Sequence

from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.history.effect import Effect, Move
from plugin_bridge.present import points, tier_called
from plugin_bridge.store.rows import PlayerRow

SHOWN = 20
"""Players in the list of whom something moves."""


def show_effect(
    found: Effect,
    names: Mapping[str, str],
    *,
    before: Sequence[str],
    after: Sequence[str],
    as_json: bool,
) -> None:
    """Whom it moves, those that it moves most; `before` and `after`: the names of the tiers."""
    rows = [
        (
            move.ladder,
            names.get(move.player, move.player),
            _rating(move.before),
            _rating(move.after),
            f"{move.points:+.0f}" if not move.comes_or_goes else "-",
            tier_called(_tier(move.before), before) or "-",
            tier_called(_tier(move.after), after) or "-",
        )
        for move in found.moves[:SHOWN]
    ]
    headings = ("ladder", "player", "rating", "then", "change", "tier", "then")
    if as_json:
        print_json(
            {
                "kills": {"now": found.kills[0], "then": found.kills[1]},
                "moved": len(found.moves),
                "other_tier": found.tier_changes,
                "players": [_described(move) for move in found.moves],
            }
        )
        return
    if rows:
        print_table(headings, rows)
    print(
        f"{_players(len(found.moves))} would have another rating or record, "
        f"{found.tier_changes} of them another tier. "
        f"Rated kills: {found.kills[0]} now, {found.kills[1]} then."
    )


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def _described(move: Move) -> dict[str, object]:
    def side(row: PlayerRow | None) -> dict[str, object] | None:
        return (
            None
            if row is None
            else {"rating": row.state.mu, "tier": row.state.tier, "kills": row.kills}
        )

    return {
        "ladder": move.ladder,
        "id": move.player,
        "now": side(move.before),
        "then": side(move.after),
    }


def _rating(row: PlayerRow | None) -> str:
    return "-" if row is None else points(row.state.mu)


def _tier(row: PlayerRow | None) -> int | None:
    return row.state.tier if row else None
