"""Carrying a ladder's state over to other parameters."""

from __future__ import annotations

from dataclasses import replace

from adr_core.checks import SECONDS_PER_DAY, clip
from adr_core.ladder_state import LadderState
from adr_core.parameters import Parameters
from adr_core.state import PlayerState
from adr_core.tiers import initial_boundaries, quantile_boundaries, tier_of


def carried(state: LadderState, old: Parameters, new: Parameters) -> LadderState:
    """The state under the new parameters; `Ladder.reconfigure` says by what rules. O(P log P)."""
    players = [(player, _fitted(value, new)) for player, value in state.players]
    boundaries = state.boundaries
    if (old.shares, old.mu_0, old.spread) != (new.shares, new.mu_0, new.spread):
        boundaries = _fresh_boundaries([value for _, value in players], state.clock, new)
        players = [(player, _reassigned(value, boundaries)) for player, value in players]
    return replace(state, players=tuple(players), boundaries=boundaries)


def _fitted(state: PlayerState, p: Parameters) -> PlayerState:
    """The state with its values clipped to the bounds (7.1), and no longer than is kept."""
    return replace(
        state,
        mu=clip(state.mu, p.mu_min, p.mu_max),
        sigma=clip(state.sigma, p.sigma_min, p.sigma_max),
        pool=clip(state.pool, p.nu_min, p.nu_max),
        window=state.window[-p.window :],
        recent=state.recent[-p.n_active :],
        returning=min(state.returning, p.return_events),
    )


def _fresh_boundaries(
    states: list[PlayerState], clock: float | None, p: Parameters
) -> tuple[float, ...]:
    """Unsmoothed quantiles of the active set (2.3) where it is large enough (6.3)."""
    if clock is None:
        return initial_boundaries(p)
    edge = clock - p.t_active * SECONDS_PER_DAY
    active = [state for state in states if _is_active(state, edge, p)] or states
    if len(active) < p.p_min:
        return initial_boundaries(p)
    return quantile_boundaries(sorted(state.mu for state in active), p)


def _is_active(state: PlayerState, edge: float, p: Parameters) -> bool:
    """Whether n_active events of a player are after the edge (2.3)."""
    return len(state.recent) == p.n_active and state.recent[0] > edge


def _reassigned(state: PlayerState, boundaries: tuple[float, ...]) -> PlayerState:
    if state.tier is None:
        return state
    return replace(state, tier=tier_of(state.mu, boundaries), promotion=0.0, demotion=0.0)
