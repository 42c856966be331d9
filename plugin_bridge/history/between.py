"""What other than fights has moved the rating of a player: amendments between them. Pure."""

from collections.abc import Sequence

from adr_core import Parameters
from adr_core.checks import clip
from plugin_bridge.history.amendments import Merge, Place, SeasonEnd
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.seasons import moved

Change = Merge | Place | SeasonEnd


def changes(
    revision: Revision, ids: Sequence[str], ladder: str, *, behind: int
) -> dict[int, Change]:
    """Those of a player on a ladder behind a position of the log, by their positions.

    ids: the one that is rated, and all that are merged into it. Cost: O(amendments).
    """
    found: dict[int, Change] = {}
    for position, one in revision.valid.items():
        match one:
            case Place() if one.ladder == ladder and one.player == ids[0] and position > behind:
                found[position] = one
            case SeasonEnd() if one.ladder == ladder and position > behind:
                found[position] = one
            case Merge() if one.old in ids and position > behind:
                found[position] = one
    return found


def rating_after(change: Change, before: float, p: Parameters) -> float:
    """What the change makes of a rating, by the parameters of that moment."""
    match change:
        case Place(rating=rating):
            return p.mu_0 if rating is None else clip(rating, p.mu_min, p.mu_max)
        case SeasonEnd(kept=kept):
            return clip(moved(before, kept, p), p.mu_min, p.mu_max) if kept else p.mu_0
        case Merge():
            return before
