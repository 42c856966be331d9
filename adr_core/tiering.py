"""What moves borders and tiers without a kill: calibrations, and tiers that are cut afresh."""

from __future__ import annotations

from collections.abc import Generator

from adr_core.checks import moment
from adr_core.outcome import Calibration, TierChange
from adr_core.player import UNPLACED, Player, standing
from adr_core.standings import Standings
from adr_core.steps import PORTION, finished
from adr_core.tiers import initial_boundaries, judge, quantile_boundaries, smoothed, tier_of


class Tiering(Standings):
    """The part of a ladder that keeps the boundaries (6)."""

    __slots__ = ()

    def recalibrate(self, time: float) -> Calibration:
        """Recompute the boundaries from the active players (6.3), and tick their tiers once.

        The clock moves to `time` if that is later, also when there are too few active players
        for anything else. O(P), in which other threads have their turn: they may ask the ladder
        questions meanwhile. Raises EventError for a time that is no finite number.
        """
        self._crowd.active.advance(moment(time))
        return finished(self._calibrated())

    def _calibrated(self) -> Generator[None, None, Calibration]:
        """In steps of a few players."""
        p, crowd = self._p, self._crowd
        if crowd.active_count() < p.p_min:
            return Calibration(False, (), ())
        target = yield from self._quantiles()
        self._boundaries = bounds = smoothed(self._boundaries, target, p)
        touched: list[str] = []
        changes: list[TierChange] = []
        for few in crowd.active_cells():
            # mu, sigma and event times stay what they are, so nothing derived moves
            tiers = {player: player.tier for player in few}
            for player in sorted([one for one in few if judge(one, bounds, p)], key=standing):
                touched.append(player.id)
                changes += tier_change(player, tiers[player])
            yield
        return Calibration(True, tuple(changes), tuple(touched))

    def calibrate(self, time: float) -> bool:
        """Recalibrate, and say only whether the boundaries were recomputed. O(P)."""
        return self.recalibrate(time).updated

    def _divided(self, told: bool) -> Generator[None, None, tuple[TierChange, ...]]:
        """Cuts the tiers afresh, and gives each placed player the one its mu lies in. In steps."""
        self._boundaries = yield from self._fresh_boundaries()
        changes: list[TierChange] = []
        for cell in self._crowd.ranks.downwards():
            placed = {player: player.tier for player in cell if player.tier != UNPLACED}
            for player in sorted(placed, key=standing):
                player.tier = tier_of(player.mu, self._boundaries)
                player.promotion = player.demotion = 0.0
                if told:
                    changes += tier_change(player, placed[player])
            yield
        return tuple(changes)

    def _fresh_boundaries(self) -> Generator[None, None, tuple[float, ...]]:
        """Unsmoothed quantiles of the active set (2.3) where it is large enough (6.3)."""
        p, crowd = self._p, self._crowd
        if self.clock is None or crowd.active_count() < p.p_min:
            return initial_boundaries(p)
        return (yield from self._quantiles())

    def _quantiles(self) -> Generator[None, None, tuple[float, ...]]:
        """Those of the active set, unsmoothed. In steps, also to let go of all it looked at."""
        skills = yield from self._crowd.active_skills()
        found = quantile_boundaries(skills, self._p)
        while skills:
            del skills[-PORTION:]
            yield
        return found


def tier_change(player: Player, before: int) -> tuple[TierChange, ...]:
    """What there is to tell of somebody who was in that tier."""
    if player.tier == before:
        return ()
    return (TierChange(player.id, before or None, player.tier),)
