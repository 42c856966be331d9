"""Systems from libraries. A server need not have them: importing this raises ImportError then."""

from __future__ import annotations

import trueskill  # type: ignore[import-not-found,import-untyped,unused-ignore]
from openskill.models import PlackettLuce


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
