"""Feeds one stream to one system and measures everything of 10.3 (10.5: always online)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation import scores
from evaluation.probes import Convergence, Farms, Jumps, Probe, Returns
from evaluation.stream import Stream
from evaluation.systems import System
from evaluation.tier_probe import Tiering

BLOCK = 400
"""Kills in a block of the rolling curves (10.7)."""


@dataclass
class Run:
    """What one system did with one stream.

    values: the measures by name. bins: the reliability table of the test part. loss_curve and
    auc_curve: excess log loss over the truth, and AUC, per block of the whole stream.
    rank_curve: rank correlation with true skill, and after how many events of a mean player.
    """

    values: dict[str, float]
    bins: np.ndarray
    loss_curve: list[float]
    auc_curve: list[float]
    rank_curve: list[float]
    rank_events: float


def measured(stream: Stream, system: System, *, predictions_only: bool = False) -> Run:
    """One system's way through one stream. Every prediction is made before its kill is learnt."""
    convergence = Convergence(stream, system)
    probes: list[Probe] = []
    if not predictions_only:
        probes = [kind(stream, system) for kind in (Tiering, Jumps, Returns, Farms)]
        probes.append(convergence)
    chances = np.empty(len(stream.kills))
    for index, kill in enumerate(stream.kills):
        for probe in probes:
            probe.before(index, kill)
        chances[index] = system.observe(kill.killer, kill.victim, kill.time)
        for probe in probes:
            probe.after(index, kill)
    values = predicted(stream, chances)
    for probe in probes:
        values |= probe.values()
    losses, areas = _curves(stream, chances)
    return Run(
        values,
        _bins(stream, chances),
        losses,
        areas,
        convergence.curve,
        2.0 * convergence.every / len(stream.players),
    )


def foretold(stream: Stream, chances: np.ndarray) -> Run:
    """What is known of a system by its predictions alone."""
    losses, areas = _curves(stream, chances)
    return Run(predicted(stream, chances), _bins(stream, chances), losses, areas, [], 0.0)


def truth_of(stream: Stream) -> Run:
    """What somebody scores who knows every true chance: the floor for all systems."""
    chances = np.array([kill.chance for kill in stream.kills])
    run = foretold(stream, chances)
    given = scores.clipped(chances[_tested(stream)])
    entropy = -(given * np.log(given) + (1.0 - given) * np.log(1.0 - given))
    run.values["entropy"] = float(entropy.mean())
    return run


def predicted(stream: Stream, chances: np.ndarray) -> dict[str, float]:
    """The measures of prediction in the test part, staged kills left out.

    The recalibration has one slope, fitted on the later half of the training part.
    """
    number = np.arange(len(chances))
    lesson = _fair(stream) & (number >= stream.split // 2) & (number < stream.split)
    test = _tested(stream)
    given = chances[test]
    truth = np.array([kill.chance for kill in stream.kills])[test]
    floor = scores.log_loss(truth)
    shown, happened = _shown(stream, chances, test)
    slope = scores.fitted_slope(chances[lesson])
    again = scores.sharpened(given, slope)
    return {
        "log loss": scores.log_loss(given),
        "floor": floor,
        "excess": scores.log_loss(given) - floor,
        "slope": slope,
        "recalibrated": scores.log_loss(again),
        "recalibrated excess": scores.log_loss(again) - floor,
        "brier": scores.brier(given),
        "auc": scores.auc(shown, happened),
        "rms error": float(np.sqrt(((given - truth) ** 2).mean())),
    }


def _fair(stream: Stream) -> np.ndarray:
    return np.array([not kill.farmed for kill in stream.kills])


def _tested(stream: Stream) -> np.ndarray:
    return _fair(stream) & (np.arange(len(stream.kills)) >= stream.split)


def _shown(stream: Stream, chances: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The predictions and outcomes with the pairs in random order, or every outcome were 1."""
    happened = ~stream.mirrored[which]
    return np.where(happened, chances[which], 1.0 - chances[which]), happened


def _bins(stream: Stream, chances: np.ndarray) -> np.ndarray:
    return scores.reliability(*_shown(stream, chances, _tested(stream)))


def _curves(stream: Stream, chances: np.ndarray) -> tuple[list[float], list[float]]:
    fair = np.flatnonzero(_fair(stream))
    truth = np.array([kill.chance for kill in stream.kills])
    losses, areas = [], []
    for start in range(0, len(fair) - BLOCK + 1, BLOCK):
        block = fair[start : start + BLOCK]
        losses.append(scores.log_loss(chances[block]) - scores.log_loss(truth[block]))
        areas.append(scores.auc(*_shown(stream, chances, block)))
    return losses, areas
