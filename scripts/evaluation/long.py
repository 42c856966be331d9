"""Long runs of ADR in an arena where nothing changes: bounds, drift, and how good the order is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from adr_core import Outcome, Parameters
from evaluation import scores
from evaluation.stream import Setting, Stream
from evaluation.study import Tick
from evaluation.systems import Adr

NEAR = 50.0
"""Points from a bound within which somebody counts as being at it."""

SNAPSHOTS = 40


def variants() -> dict[str, Parameters]:
    """The presets, and what is left when their causes of drift are taken away one by one."""
    paper, consistent = Parameters.paper(), Parameters.consistent()
    lossless = replace(consistent, c_loss=1.0)
    return {
        "paper": paper,
        "paper, no decay": replace(paper, tau=1e6, sigma_drift=0.0),
        "consistent": consistent,
        "consistent, no decay": replace(consistent, tau=1e6, sigma_drift=0.0),
        "consistent, c_loss 1": lossless,
        "consistent, c_loss 1, no streak, no trend": replace(lossless, rho_s=0.0, gamma_phi=0.0),
        "calibrated": Parameters.calibrated(),
    }


def calm(players: int, kills: int) -> Setting:
    """Nobody changes, leaves or farms."""
    return Setting(players=players, kills=kills, jumpers=0, strong=0, weak=0, farmers=0)


@dataclass(frozen=True)
class Snapshot:
    """After so many kills. top and bottom: shares at the bounds; mean and spread of mu, points.

    order: rank correlation with true skill, where all at one bound are equal.
    gain, loss, expected: means since the last snapshot, of what a kill gave, what it took, and of
    the probability it had been given.
    """

    kills: int
    top: float
    bottom: float
    mean: float
    spread: float
    order: float
    gain: float
    loss: float
    expected: float


@dataclass(frozen=True)
class LongRun:
    """One variant. won: the share of its events that each player won; final: its mu in the end."""

    snapshots: list[Snapshot]
    won: dict[str, float]
    final: dict[str, float]

    def first_full(self, share: float = 0.1) -> float:
        """Kills until that share of the players is at a bound; infinite if never."""
        reached = (s.kills for s in self.snapshots if s.top + s.bottom >= share)
        return float(next(reached, np.inf))

    def best_at_bottom(self) -> float:
        """The greatest share of won events among those at the lower bound; NaN with nobody."""
        there = [self.won[player] for player, mu in self.final.items() if mu <= NEAR]
        return max(there, default=float("nan"))


def ran(name: str, parameters: Parameters, stream: Stream, tick: Tick) -> LongRun:
    """One variant through one stream; tells after every snapshot."""
    system = Adr(parameters)
    every = len(stream.kills) // SNAPSHOTS
    wins, events = dict.fromkeys(stream.players, 0), dict.fromkeys(stream.players, 0)
    snapshots: list[Snapshot] = []
    outcomes: list[Outcome] = []
    final: dict[str, float] = {}
    for index, kill in enumerate(stream.kills):
        system.observe(kill.killer, kill.victim, kill.time)
        if system.outcome is not None and system.outcome.counted:
            outcomes.append(system.outcome)
            wins[kill.killer] += 1
            events[kill.killer] += 1
            events[kill.victim] += 1
        if index % every == every - 1:
            final = {player: system.rating(player) for player in stream.players}
            snapshots.append(_snapshot(index, final, stream, outcomes, parameters))
            outcomes.clear()
            tick(name)
    return LongRun(
        snapshots,
        {player: wins[player] / max(1, events[player]) for player in stream.players},
        final,
    )


def _snapshot(
    index: int,
    levels: dict[str, float],
    stream: Stream,
    outcomes: list[Outcome],
    p: Parameters,
) -> Snapshot:
    mu = np.array(list(levels.values()))
    skills = np.array([stream.truth(index)[player] for player in levels])
    return Snapshot(
        kills=index + 1,
        top=float((mu >= p.mu_max - NEAR).mean()),
        bottom=float((mu <= p.mu_min + NEAR).mean()),
        mean=float(mu.mean()),
        spread=float(mu.std()),
        order=scores.rank_correlation(mu, skills),
        gain=float(np.mean([outcome.attacker_change for outcome in outcomes])),
        loss=float(-np.mean([outcome.victim_change for outcome in outcomes])),
        expected=float(np.mean([outcome.probability for outcome in outcomes])),
    )


DUELS = 10_000
SHARES = (0.50, 0.54, 0.58, 0.62, 0.70, 0.90)


def duelled(parameters: Parameters, share: float, seed: int = 1) -> tuple[float, float]:
    """Where two players end who meet nobody else, when the first wins this share of the fights.

    61 seconds apart, 10,000 fights: an arena reduced to the sign of 4.2.
    """
    system, lots = Adr(parameters), np.random.default_rng([seed, 11]).random(DUELS)
    for number, lot in enumerate(lots):
        pair = ("one", "other") if lot < share else ("other", "one")
        system.observe(*pair, 61.0 * number)
    return system.rating("one"), system.rating("other")
