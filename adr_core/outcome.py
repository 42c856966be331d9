"""What a ladder says about an event: frozen values, safe to keep and to pass on."""

from __future__ import annotations

from dataclasses import dataclass

from adr_core.state import PlayerState


@dataclass(frozen=True, slots=True)
class TierChange:
    """A player's move from tier `before` to tier `after` (1 is the best).

    `before` is None at placement (6.1); nobody ever leaves the tiers again.
    """

    player: str
    before: int | None
    after: int


@dataclass(slots=True, init=False)
class Outcome:
    """What one kill did; as a `PlayerState` it is never changed.

    counted: whether it moved any rating.
    reason: None when counted, else the word for why not; "cooldown" (2.1) is the only one.
    probability: P_ab of 3.1 as it was before the kill; None when not counted.
    attacker_change, victim_change: the visible change of mu by the kill itself (Δμ after 8.4 and
        4.2), in points. What is left of after.mu - before.mu is the decay of an absence (5).
    attacker_before, victim_before: the stored states before the kill and its decay. Someone new
        has the initial state there in a counted kill, and None in one that is not counted.
    attacker_after, victim_after: the stored states after it; equal to before when not counted.
    tier_changes: none, one or two, attacker first.
    flow: what the ladder remembers of this attacker and this victim beside the time, for
        `pair_limit`: the surprise of the recent kills, this one included; 0 without that limit.
    """

    counted: bool
    reason: str | None
    probability: float | None
    attacker_change: float
    victim_change: float
    attacker_before: PlayerState | None
    attacker_after: PlayerState | None
    victim_before: PlayerState | None
    victim_after: PlayerState | None
    tier_changes: tuple[TierChange, ...]
    flow: float

    def __init__(  # noqa: PLR0917
        self,
        counted: bool,
        reason: str | None,
        probability: float | None,
        attacker_change: float,
        victim_change: float,
        attacker_before: PlayerState | None,
        attacker_after: PlayerState | None,
        victim_before: PlayerState | None,
        victim_after: PlayerState | None,
        tier_changes: tuple[TierChange, ...],
        flow: float,
    ) -> None:
        self.counted = counted
        self.reason = reason
        self.probability = probability
        self.attacker_change = attacker_change
        self.victim_change = victim_change
        self.attacker_before = attacker_before
        self.attacker_after = attacker_after
        self.victim_before = victim_before
        self.victim_after = victim_after
        self.tier_changes = tier_changes
        self.flow = flow


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
