"""A player's state as columns of a table."""

from collections.abc import Sequence
from typing import Any

from adr_core import PlayerState
from plugin_bridge.store.rows import pack, unpack

_FIELDS = (
    "mu",
    "sigma",
    "streak",
    "trend",
    "pool",
    "events",
    "last_event",
    "returning",
    "tier",
    "promotion",
    "demotion",
    "window",
    "recent",
)
STATE = ", ".join(_FIELDS).replace("returning", "safeguarded")
"""The columns of a state; `returning` is a word of SQL."""


def columns_of(state: PlayerState) -> tuple[object, ...]:
    return (
        state.mu,
        state.sigma,
        state.streak,
        state.trend,
        state.pool,
        state.events,
        state.last_event,
        state.returning,
        state.tier,
        state.promotion,
        state.demotion,
        pack(state.window),
        pack(state.recent),
    )


def state_of(columns: Sequence[Any]) -> PlayerState:
    """A state from the columns `STATE`."""
    mu, sigma, streak, trend, pool, events, last, returning, tier, up, down, window, recent = (
        columns
    )
    return PlayerState(
        mu,
        sigma,
        streak,
        trend,
        pool,
        events,
        last,
        unpack(window),
        tier,
        up,
        down,
        unpack(recent),
        returning,
    )
