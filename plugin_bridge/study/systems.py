"""The rating systems that are compared, behind one small interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from adr_core import Ladder, Outcome, Parameters
from plugin_bridge.study.glicko2 import Glicko, rated, rested, win_probability

DAY = 86_400.0


class System(Protocol):
    """Rates players from one-on-one kills. Players are known by id and appear by themselves."""

    def observe(self, killer: str, victim: str, time: float) -> float:
        """The probability given to this kill just before it happened; only then learns it."""
        ...

    def rating(self, player: str) -> float:
        """Where the player stands, on the system's own scale; greater is better."""
        ...


Maker = Callable[[], System]


class Glicko2:
    """Glicko-2 that rates every kill at once; volatility and deviation count time in periods."""

    def __init__(self, tau: float = 0.5, volatility: float = 0.06, period: float = DAY) -> None:
        self.tau = tau
        self.period = period
        self.fresh = Glicko(volatility=volatility)
        self.players: dict[str, tuple[Glicko, float]] = {}

    def observe(self, killer: str, victim: str, time: float) -> float:
        ours, our_rest = self._now(killer, time)
        theirs, their_rest = self._now(victim, time)
        chance = win_probability(rested(ours, our_rest), rested(theirs, their_rest))
        self.players[killer] = (
            rated(ours, [(rested(theirs, their_rest), 1.0)], tau=self.tau, periods=our_rest),
            time,
        )
        self.players[victim] = (
            rated(theirs, [(rested(ours, our_rest), 0.0)], tau=self.tau, periods=their_rest),
            time,
        )
        return chance

    def rating(self, player: str) -> float:
        return self.players[player][0].rating if player in self.players else self.fresh.rating

    def _now(self, player: str, time: float) -> tuple[Glicko, float]:
        state, last = self.players.get(player, (self.fresh, time))
        return state, max(0.0, time - last) / self.period


class Adr:
    """The algorithm of the paper, by the package that plays for real."""

    def __init__(self, parameters: Parameters) -> None:
        self.ladder = Ladder(parameters)
        self.outcome: Outcome | None = None

    def observe(self, killer: str, victim: str, time: float) -> float:
        self.outcome = outcome = self.ladder.kill(killer, victim, time)
        if outcome.probability is None:  # a repeat within the cooldown teaches nothing
            return self.ladder.probability(killer, victim)
        return outcome.probability

    def rating(self, player: str) -> float:
        known = player in self.ladder.players
        return self.ladder.player(player).mu if known else self.ladder.parameters.mu_0


class Guarded:
    """Any system with the cooldown of 2.1 in front of it, which the paper calls preprocessing."""

    def __init__(self, inner: System, cooldown: float = 60.0) -> None:
        self.inner = inner
        self.cooldown = cooldown
        self.last: dict[tuple[str, str], float] = {}

    def observe(self, killer: str, victim: str, time: float) -> float:
        pair = (killer, victim)
        if time - self.last.get(pair, -self.cooldown) < self.cooldown:
            return 0.5
        self.last[pair] = time
        return self.inner.observe(killer, victim, time)

    def rating(self, player: str) -> float:
        return self.inner.rating(player)
