"""The measures of prediction, on cases whose answer is known."""

import math

import numpy as np
import pytest
from evaluation import scores, tables
from evaluation.tiering import TIERS, Tiers, deserved, distance, targets


def test_a_coin_scores_what_a_coin_scores() -> None:
    coin = np.full(1000, 0.5)
    happened = np.arange(1000) % 3 == 0
    assert scores.log_loss(coin) == pytest.approx(math.log(2.0))
    assert scores.brier(coin) == 0.25
    assert scores.auc(coin, happened) == 0.5


def test_certainty_that_was_wrong_costs_much_and_stays_finite() -> None:
    assert 20.0 < scores.log_loss(np.array([0.0])) < 21.0


def test_auc_counts_the_pairs_in_the_right_order() -> None:
    given = np.array([0.1, 0.4, 0.35, 0.8])
    assert scores.auc(given, np.array([False, False, True, True])) == 0.75
    assert math.isnan(scores.auc(given, np.ones(4, dtype=bool)))


def test_equal_values_share_their_rank() -> None:
    assert scores.ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]
    assert scores.rank_correlation(np.arange(5.0), np.exp(np.arange(5.0))) == pytest.approx(1.0)
    assert scores.rank_correlation(np.arange(5.0), np.zeros(5)) == 0.0


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_one_slope_undoes_timidity_and_overconfidence(factor: float) -> None:
    chance = np.random.default_rng(1)
    truth = chance.uniform(0.05, 0.95, 40_000)
    happened = chance.random(40_000) < truth
    said = scores.sharpened(truth, factor)
    given = np.where(happened, said, 1.0 - said)
    slope = scores.fitted_slope(given)
    assert slope == pytest.approx(1.0 / factor, rel=0.05)
    assert scores.log_loss(scores.sharpened(given, slope)) <= scores.log_loss(given)


def test_reliability_puts_every_prediction_in_one_bin() -> None:
    given = np.array([0.0, 0.05, 0.1, 0.999, 1.0])
    bins = scores.reliability(given, np.array([False, True, True, True, True]))
    assert bins[:, 0].tolist() == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert bins[:, 2].sum() == 4


def test_boundaries_cut_equal_shares() -> None:
    values = np.arange(150.0)
    tiers = Tiers()
    tiers.calibrate({f"p{value:03.0f}": float(value) for value in values})
    assert len(targets(values)) == TIERS - 1
    assert distance(list(tiers.of.values())) < 0.01
    assert deserved({"ada": 3.0, "bob": 1.0}) == {"ada": 1, "bob": 8}
    assert distance([1] * 10) == pytest.approx(14 / 15)


def test_a_table_says_when_somebody_never_arrived() -> None:
    assert tables.summary([1.0, 3.0], 1) == "2.0 ± 1.4"
    assert tables.summary([1.0, 2.0, math.inf], 0) == "median 2 (1 of 3 never)"
    assert tables.summary([math.nan], 0) == "–"
    assert tables.summary([math.inf], 0) == "never"


def test_one_seed_has_no_spread() -> None:
    assert tables.summary([2.0], 1) == "2.0"
