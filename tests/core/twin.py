"""The algorithm a second time: slow, plain, in the order of the paper's sections.

Nothing is kept up and nothing is clever: every mean is taken anew over all players as an exact
fraction, every event time and every counted kill is kept for ever, and each step is written out
where the paper has it. Only `Parameters` is shared with the package.
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

from adr_core import Parameters

DAY = 86_400


class TwinPlayer:
    """The state of 2.2, with all event times in place of the few that are needed."""

    def __init__(self, p: Parameters) -> None:
        self.mu, self.sigma = p.mu_0, p.sigma_0
        self.streak, self.trend, self.pool = 0, 0.0, 0.0
        self.changes: list[float] = []
        self.times: list[float] = []
        self.tier: int | None = None
        self.up = self.down = 0.0
        self.safeguarded = 0


class Twin:
    """A ladder that can only take kills and calibrations."""

    def __init__(self, p: Parameters) -> None:
        self.p = p
        self.players: dict[str, TwinPlayer] = {}
        self.counted: list[tuple[str, str, float, float]] = []
        self.now = -math.inf
        curve = NormalDist()
        self.boundaries = [p.mu_0 + p.spread * curve.inv_cdf(1 - q) for q in self.cumulative()]

    # 2.1

    def remembered(self) -> dict[tuple[str, str], tuple[float, float]]:
        """Time and flow of the last counted kill of each pair that is not forgotten."""
        found: dict[tuple[str, str], tuple[float, float]] = {}
        for attacker, victim, time, flow in reversed(self.counted):
            if len(found) == self.p.pairs_remembered:
                break
            found.setdefault((attacker, victim), (time, flow))
        return found

    def repeats(self, a: str, b: str, t: float) -> bool:
        known = self.remembered()
        return (a, b) in known and abs(t - known[a, b][0]) < self.p.t_cooldown

    def flow(self, a: str, b: str, t: float) -> float:
        """What went from b to a, a day ago e times as much as now."""
        time, flow = self.remembered().get((a, b), (t, 0.0))
        return flow * math.exp(-max(0.0, t - time) / DAY)

    # 2.3

    def active(self) -> list[TwinPlayer]:
        since = self.now - self.p.t_active * DAY
        everybody = list(self.players.values())
        found = [i for i in everybody if sum(t > since for t in i.times) >= self.p.n_active]
        return found or everybody

    # 3

    def probability(self, a: TwinPlayer, b: TwinPlayer) -> float:
        spread = self.p.theta + self.p.lambda_ * mean([i.sigma for i in self.players.values()])
        if self.p.link == "logistic":
            exponent = min(max((b.mu - a.mu) / spread, -300), 300)
            return float(1 / (1 + 10**exponent))
        return 1 / 2 + math.atan((a.mu - b.mu) / spread) / math.pi

    # 4.1 with the base of 8.1

    def eta(self, i: TwinPlayer) -> float:
        p = self.p
        base = p.eta_min + (p.eta_max - p.eta_min) * (
            (2 * i.sigma * p.sigma_peak / (i.sigma**2 + p.sigma_peak**2)) ** p.peak_power
        )
        streak = 1 + p.rho_s * min(i.streak, p.s_max)
        window = i.changes[-p.window :]
        volatility = 1 / (1 + p.rho_v * (mean(window) if window else 0.0) / p.w_ref)
        trend = 1 + p.gamma_phi * max(0.0, i.trend)
        return base * streak * volatility * trend

    # 4.2, 8.2, 8.3, 8.4, then 4.3 to 4.5

    def update(self, i: TwinPlayer, raw: float, surprise: float, weight: float) -> None:
        p = self.p
        if i.safeguarded > 0:
            i.safeguarded -= 1
            effective = raw * p.sigma_0 / (i.sigma + p.sigma_0)
            paid = p.lambda_pool * i.pool
            target = i.mu + (1 - p.alpha) * effective + paid
            if p.pool_drains:
                i.pool -= paid
            i.pool = min(max(i.pool + p.alpha * effective, p.nu_min), p.nu_max)
        elif p.pool_drains and i.pool != 0:
            paid = p.lambda_pool * i.pool
            target = i.mu + raw + paid
            i.pool -= paid
            if abs(i.pool) < 1e-9:
                i.pool = 0.0
        else:
            target = i.mu + raw
        before = i.mu
        i.mu = before + min(max(target - before, -p.delta_max), p.delta_max)
        i.mu = min(max(i.mu, p.mu_min), p.mu_max)
        delta = i.mu - before
        noise = weight * p.trend_noise * i.trend**2 if p.trend_noise > 0 else delta**2
        learnt = weight
        if p.evidence == "outcome":  # P(1-P), as great for one side as for the other
            learnt = weight * abs(surprise) * (1 - abs(surprise))
        i.sigma = (1 / (i.sigma**2 + noise) + learnt / p.gamma**2) ** -0.5
        i.sigma = min(max(i.sigma, p.sigma_min), p.sigma_max)
        followed = (1 - p.lambda_phi) * i.trend + p.lambda_phi * surprise
        i.trend = weight * followed + (1 - weight) * i.trend
        i.trend = min(max(i.trend, -1.0), 1.0)
        i.changes.append(abs(delta))

    # 5

    def decay(self, i: TwinPlayer, t: float, centre: float) -> None:
        days = max(0.0, (t - max(i.times)) / DAY) if i.times else 0.0
        if days > 0:
            i.mu = centre + (i.mu - centre) * math.exp(-days / self.p.tau)
            i.sigma = min(self.p.sigma_max, i.sigma + self.p.sigma_drift * days)
        if days > self.p.t_return:
            i.safeguarded = self.p.return_events

    # 6

    def cumulative(self) -> list[float]:
        return [math.fsum(self.p.shares[:k]) for k in range(1, self.p.tiers)]

    def holds(self, k: int, mu: float) -> bool:
        bounds = [math.inf, *self.boundaries, -math.inf]
        return bounds[k] <= mu < bounds[k - 1]

    def judge(self, i: TwinPlayer) -> None:
        p = self.p
        if i.tier is None:
            if len(i.times) >= p.n_min and i.sigma <= p.sigma_place:
                i.tier = next(k for k in range(1, p.tiers + 1) if self.holds(k, i.mu))
            return
        bounds = [math.inf, *self.boundaries, -math.inf]
        above, below = bounds[i.tier - 1], bounds[i.tier]
        i.up = i.up + max(0.0, i.mu - above) if i.mu >= above else 0.0
        i.down = i.down + max(0.0, below - i.mu) if i.mu < below else 0.0
        if i.up >= p.h_req:
            i.tier, i.up, i.down = i.tier - 1, 0.0, 0.0
        elif i.down >= p.h_req:
            i.tier, i.up, i.down = i.tier + 1, 0.0, 0.0

    def calibrate(self, t: float) -> bool:
        self.now = max(self.now, t)
        active = self.active()
        if len(active) < self.p.p_min:
            return False
        targets = [self.quantile([i.mu for i in active], 1 - q) for q in self.cumulative()]
        beta = self.p.beta
        self.boundaries = [
            (1 - beta) * old + beta * new for old, new in zip(self.boundaries, targets, strict=True)
        ]
        for i in active:
            self.judge(i)
        return True

    @staticmethod
    def quantile(skills: list[float], y: float) -> float:
        """The smallest skill x with F(x) >= y, by counting."""
        need = len(skills) * y - 1e-9
        return min(x for x in skills if sum(other <= x for other in skills) >= need)

    # all of it, once

    def kill(self, attacker: str, victim: str, t: float) -> float | None:
        """P_ab of the kill, or None when it is a repeat."""
        if self.repeats(attacker, victim, t):
            return None
        for name in (attacker, victim):
            self.players.setdefault(name, TwinPlayer(self.p))
        a, b = self.players[attacker], self.players[victim]
        self.now = max(self.now, t)
        active = self.active()
        centre = mean([i.mu for i in active])
        everybody = mean([i.mu for i in self.players.values()])
        self.decay(a, t, centre)
        self.decay(b, t, centre)
        chance = self.probability(a, b)
        fault = chance if self.p.victim_loss == "winner_probability" else 1 - chance
        gain, loss = self.eta(a) * (1 - chance), -self.p.c_loss * self.eta(b) * fault
        weight = 1.0
        if self.p.pair_limit > 0:
            net = self.flow(attacker, victim, t) - self.flow(victim, attacker, t)
            limit = self.p.pair_limit * max(1.0, 30 / max(1, len(active) - 1))
            weight = min(max(1 - self.eta(a) * net / limit, 0.0), 1.0)
        flow = self.flow(attacker, victim, t) + weight * (1 - chance)
        shift = self.p.recentring * (self.p.mu_0 - everybody)
        self.update(a, weight * (gain + shift), 1 - chance, weight)
        self.update(b, weight * (loss + shift), chance - 1, weight)
        a.streak, b.streak = a.streak + 1, 0
        for i in (a, b):
            i.times.append(t)
            self.judge(i)
        self.counted.append((attacker, victim, t, flow))
        return chance


def mean(values: list[float]) -> float:
    return float(sum(map(Fraction, values)) / len(values))
