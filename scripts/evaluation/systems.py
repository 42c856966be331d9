"""The rating systems that are compared, behind one small interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import trueskill
from openskill.models import PlackettLuce

from adr_core import Ladder, Outcome, Parameters
from evaluation.glicko2 import Glicko, rated, rested, win_probability

DAY = 86_400.0


class System(Protocol):
    """Rates players from one-on-one kills. Players are known by id and appear by themselves."""

    def observe(self, killer: str, victim: str, time: float) -> float:
        """The probability given to this kill just before it happened; only then learns it."""
        ...

    def rating(self, player: str) -> float:
        """Where the player stands, on the system's own scale; greater is better."""
        ...


class Elo:
    """Elo with a fixed K."""

    def __init__(self, k: float = 32.0, start: float = 1000.0) -> None:
        self.k = k
        self.start = start
        self.ratings: dict[str, float] = {}

    def observe(self, killer: str, victim: str, time: float) -> float:
        ours, theirs = self.rating(killer), self.rating(victim)
        chance = 1.0 / (1.0 + 10.0 ** ((theirs - ours) / 400.0))
        self.ratings[killer] = ours + self.factor(killer) * (1.0 - chance)
        self.ratings[victim] = theirs - self.factor(victim) * (1.0 - chance)
        return chance

    def rating(self, player: str) -> float:
        return self.ratings.get(player, self.start)

    def factor(self, player: str) -> float:
        return self.k


class DynamicElo(Elo):
    """Elo whose K falls with the player's own games, like a / (1 + b n), to a floor.

    The form is the uncertainty function that adaptive-learning systems use with Elo.
    """

    def __init__(self, k: float = 16.0, first: float = 80.0, fall: float = 0.05) -> None:
        super().__init__(k)
        self.first = first
        self.fall = fall
        self.games: dict[str, int] = {}

    def factor(self, player: str) -> float:
        played = self.games.get(player, 0)
        self.games[player] = played + 1
        return max(self.k, self.first / (1.0 + self.fall * played))


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


class TrueSkill:
    """TrueSkill for two players. A kill is never a draw."""

    def __init__(self, beta: float = 25 / 6, tau: float = 25 / 300) -> None:
        self.world = trueskill.TrueSkill(beta=beta, tau=tau, draw_probability=0.0)
        self.ratings: dict[str, trueskill.Rating] = {}
        self.fresh = self.world.create_rating()

    def observe(self, killer: str, victim: str, time: float) -> float:
        ours = self.ratings.get(killer, self.fresh)
        theirs = self.ratings.get(victim, self.fresh)
        noise = 2 * self.world.beta**2 + ours.sigma**2 + theirs.sigma**2
        chance = float(self.world.cdf((ours.mu - theirs.mu) / noise**0.5))
        rated_pair = trueskill.rate_1vs1(ours, theirs, env=self.world)
        self.ratings[killer], self.ratings[victim] = rated_pair
        return chance

    def rating(self, player: str) -> float:
        return float(self.ratings.get(player, self.fresh).mu)


class OpenSkill:
    """The Plackett-Luce model of Weng and Lin, as the openskill package has it."""

    def __init__(self, beta: float = 25 / 6, tau: float = 25 / 300) -> None:
        self.model = PlackettLuce(beta=beta, tau=tau)
        self.ratings: dict[str, tuple[float, float]] = {}
        self.fresh = (self.model.mu, self.model.sigma)

    def observe(self, killer: str, victim: str, time: float) -> float:
        teams = [
            [self.model.create_rating(list(self.ratings.get(player, self.fresh)))]
            for player in (killer, victim)
        ]
        chance = self.model.predict_win(teams)[0]
        (ours,), (theirs,) = self.model.rate(teams)
        self.ratings[killer] = (ours.mu, ours.sigma)
        self.ratings[victim] = (theirs.mu, theirs.sigma)
        return float(chance)

    def rating(self, player: str) -> float:
        return self.ratings.get(player, self.fresh)[0]


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


Maker = Callable[[], System]


def makers() -> dict[str, Maker]:
    """Every system with its usual settings, by the name it has in tables."""
    return {
        "ADR paper": lambda: Adr(Parameters.paper()),
        "ADR consistent": lambda: Adr(Parameters.consistent()),
        "Elo": Elo,
        "Elo dynamic K": DynamicElo,
        "Glicko-2": Glicko2,
        "TrueSkill": TrueSkill,
        "OpenSkill": OpenSkill,
    }
