"""What a ladder says about an event: values, safe to keep and to pass on."""

from __future__ import annotations

from dataclasses import dataclass

from adr_core.side import Side


@dataclass(slots=True, init=False, unsafe_hash=True)
class TierChange:
    """A player's move from tier `before` to tier `after` (1 is the best).

    `before` is None at placement (6.1); nobody ever leaves the tiers again.
    """

    player: str
    before: int | None
    after: int

    def __init__(self, player: str, before: int | None, after: int) -> None:
        self.player = player
        self.before = before
        self.after = after


@dataclass(slots=True, init=False)
class Outcome:
    """What one kill did; a value that nothing changes afterwards.

    reason: None when counted, else the word for why not; "cooldown" (2.1) is the only one.
    probability: P_ab of 3.1 as it was before the kill; None when not counted.
    attacker, victim: the two sides; None when not counted.
    tier_changes: none, one or two, attacker first.
    flow: what the ladder remembers of this attacker and this victim beside the time, for
        `pair_limit`: the surprise of the recent kills, this one included; 0 without that limit.
    """

    reason: str | None
    probability: float | None
    attacker: Side | None
    victim: Side | None
    tier_changes: tuple[TierChange, ...]
    flow: float

    def __init__(  # noqa: PLR0917
        self,
        reason: str | None,
        probability: float | None,
        attacker: Side | None,
        victim: Side | None,
        tier_changes: tuple[TierChange, ...],
        flow: float,
    ) -> None:
        self.reason = reason
        self.probability = probability
        self.attacker = attacker
        self.victim = victim
        self.tier_changes = tier_changes
        self.flow = flow

    @property
    def counted(self) -> bool:
        """Whether it moved any rating."""
        return self.reason is None

    @property
    def attacker_change(self) -> float:
        """The visible change of the attacker's mu by the kill, points; 0 when not counted."""
        return self.attacker.change if self.attacker else 0.0

    @property
    def victim_change(self) -> float:
        """The same of the victim's."""
        return self.victim.change if self.victim else 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one calibration did (6.3).

    updated: whether the boundaries were recomputed; False with fewer than p_min active players.
        The ladder's clock has moved in either case, and belongs to what must be kept.
    tier_changes: best mu first.
    touched: ids of everybody whose stored state changed, best mu first.
    """

    updated: bool
    tier_changes: tuple[TierChange, ...]
    touched: tuple[str, ...]
