"""How good predictions are (10.3): plain functions of arrays."""

from __future__ import annotations

import numpy as np

EDGE = 1e-9
BINS = 10


def clipped(chances: np.ndarray) -> np.ndarray:
    return np.clip(chances, EDGE, 1.0 - EDGE)


def log_loss(chances: np.ndarray) -> float:
    """Of the probabilities that were given to what happened, in nats."""
    return float(-np.log(clipped(chances)).mean())


def brier(chances: np.ndarray) -> float:
    """Mean squared distance to what happened."""
    return float(((1.0 - chances) ** 2).mean())


def ranks(values: np.ndarray) -> np.ndarray:
    """From 1, with the mean rank for equal values."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2.0)[where]


def auc(chances: np.ndarray, happened: np.ndarray) -> float:
    """Chance that something that happened had been given more than something that did not."""
    positive = int(happened.sum())
    negative = len(happened) - positive
    if not positive or not negative:
        return float("nan")
    won = ranks(chances)[happened].sum() - positive * (positive + 1) / 2.0
    return float(won / (positive * negative))


def rank_correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Spearman's; 0 when all values of one side are equal."""
    a, b = ranks(one), ranks(other)
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / size) if size else 0.0


def logit(chances: np.ndarray) -> np.ndarray:
    sure = clipped(chances)
    return np.log(sure / (1.0 - sure))


def sharpened(chances: np.ndarray, slope: float) -> np.ndarray:
    """The same predictions with their log odds multiplied."""
    return 1.0 / (1.0 + np.exp(-slope * logit(chances)))


def fitted_slope(chances: np.ndarray) -> float:
    """The slope that makes the given probabilities of what happened most likely. Newton's steps.

    Above 1 the system was too timid, below 1 too sure.
    """
    odds = logit(chances)
    slope = 1.0
    for _ in range(50):
        miss = 1.0 / (1.0 + np.exp(np.clip(slope * odds, -500.0, 500.0)))
        step = (odds * miss).sum() / max(1e-12, (odds * odds * miss * (1.0 - miss)).sum())
        slope += float(np.clip(step, -0.5, 0.5))
        if abs(step) < 1e-9:
            break
    return slope


def reliability(chances: np.ndarray, happened: np.ndarray) -> np.ndarray:
    """Rows of count, sum of predictions and number that happened, for ten equal bins."""
    place = np.minimum((chances * BINS).astype(int), BINS - 1)
    return np.array(
        [
            [hit.sum(), chances[hit].sum(), happened[hit].sum()]
            for hit in (place == number for number in range(BINS))
        ],
        dtype=float,
    )
