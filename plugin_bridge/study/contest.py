"""Several systems through one stream of kills, the later half of it held against them.

Nothing is chosen by what is judged: a system sees each kill once, says how likely it was, and only
then learns it. The first half is there so that everybody knows the players.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev

from plugin_bridge.study.systems import Maker

Fight = tuple[str, str, float]
"""Killer, victim, and when: seconds."""

BLOCKS = 40
"""Stretches of the judged half. Kills of one evening depend on each other, stretches hardly do."""

EDGE = 1e-9
"""No prediction counts as surer than this, or one surprise would outweigh everything."""


def surprise(chance: float) -> float:
    """The log loss of one kill that had been given this probability, in nats; a coin: 0.693."""
    return -math.log(min(1.0 - EDGE, max(EDGE, chance)))


@dataclass(frozen=True, slots=True)
class Score:
    """One system's log loss by block, and the share of kills whose killer was the favourite.

    Kills given exactly a half count as half.
    """

    blocks: tuple[float, ...]
    right: float

    @property
    def log_loss(self) -> float:
        return fmean(self.blocks)

    def gain(self, other: Score) -> tuple[float, float]:
        """How much smaller this log loss is than the other's, and the standard error of that.

        From the differences by block, so that what surprises both is no noise.
        """
        gains = [theirs - ours for ours, theirs in zip(self.blocks, other.blocks, strict=True)]
        return fmean(gains), stdev(gains) / math.sqrt(len(gains))


def judged(kills: int) -> int:
    """How many of that many kills are judged: the later half, in blocks of equal size."""
    return kills // 2 // BLOCKS * BLOCKS


def contest(
    fights: Iterable[Fight],
    count: int,
    makers: Mapping[str, Maker],
    tick: Callable[[int], None] = lambda _: None,
) -> dict[str, Score]:
    """Every system's score. `count`: how many fights there are, at least two blocks' worth.

    `tick` is told after each fight how many are done. Constant memory beside the systems'; cost:
    per fight what each system needs, some 20 µs for most.
    """
    size = judged(count) // BLOCKS
    split = count - size * BLOCKS
    systems = {name: make() for name, make in makers.items()}
    losses = {name: [0.0] * BLOCKS for name in systems}
    right = dict.fromkeys(systems, 0.0)
    for number, (killer, victim, time) in enumerate(fights):
        for name, system in systems.items():
            chance = system.observe(killer, victim, time)
            if number >= split:
                losses[name][(number - split) // size] += surprise(chance) / size
                right[name] += 1.0 if chance > 0.5 else 0.5 if chance == 0.5 else 0.0
        tick(number + 1)
    return {
        name: Score(tuple(blocks), right[name] / (size * BLOCKS)) for name, blocks in losses.items()
    }
