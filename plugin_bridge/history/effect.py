"""Whom another past would move, and by how much."""

from collections.abc import Sequence
from dataclasses import dataclass

from plugin_bridge.history.replay import Replay
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.rules import Rules, as_logged
from plugin_bridge.history.verify import Progress, chunks
from plugin_bridge.store import Store
from plugin_bridge.store.rows import LogEntry, PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player now and after; None for somebody who is not rated there."""

    ladder: str
    player: str
    before: PlayerRow | None
    after: PlayerRow | None

    @property
    def points(self) -> float:
        """How far the rating moves; 0 for somebody who comes or goes."""
        if self.before is None or self.after is None:
            return 0.0
        return self.after.state.mu - self.before.state.mu

    @property
    def comes_or_goes(self) -> bool:
        return self.before is None or self.after is None

    @property
    def changes_tier(self) -> bool:
        tiers = [row and row.state.tier for row in (self.before, self.after)]
        return tiers[0] != tiers[1]


@dataclass(frozen=True, slots=True)
class Effect:
    """`moves`: whoever ends elsewhere, those who come or go first, then by how far.

    `kills`: how many count now, and how many would.
    """

    moves: tuple[Move, ...]
    kills: tuple[int, int]

    @property
    def tier_changes(self) -> int:
        return sum(move.changes_tier for move in self.moves)


async def effect(
    store: Store,
    progress: Progress,
    *,
    revision: Revision,
    rules: Rules = as_logged,
    then: Sequence[LogEntry] = (),
) -> Effect:
    """What is stored now against the log, read and rated in another way. Nothing is changed.

    `then`: entries that would come next.

    Raises StoreError. Cost: linear in the log, some 50 µs a kill, and 2 µs in a calibration for
    each active player.
    """
    async with store.snapshot():
        again, done, total = Replay(revision, rules), 0, await store.log.end()
        async for chunk in chunks(store):
            again.take(chunk)
            done += len(chunk)
            progress(done, total)
        again.take(then)
        return _compared(await store.past.players(), again.players())


def _compared(before: Sequence[PlayerRow], after: Sequence[PlayerRow]) -> Effect:
    now, then = ({(row.ladder, row.player): row for row in rows} for rows in (before, after))
    moves = [
        Move(ladder=key[0], player=key[1], before=now.get(key), after=then.get(key))
        for key in dict.fromkeys((*now, *then))
        if now.get(key) != then.get(key)
    ]
    moves.sort(key=lambda move: (not move.comes_or_goes, -abs(move.points), move.player))
    return Effect(tuple(moves), (sum(row.kills for row in before), sum(row.kills for row in after)))
