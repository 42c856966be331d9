"""Glicko-2 against Glickman's published example, and against what must hold for any rating."""

import dataclasses

import pytest

from plugin_bridge.study.glicko2 import Glicko, rated, rested, win_probability

PLAYER = Glicko(1500.0, 200.0, 0.06)
GAMES = [
    (Glicko(1400.0, 30.0), 1.0),
    (Glicko(1550.0, 100.0), 0.0),
    (Glicko(1700.0, 300.0), 0.0),
]


def moved(player: Glicko, points: float) -> Glicko:
    return dataclasses.replace(player, rating=player.rating + points)


def test_the_published_example_comes_out() -> None:
    after = rated(PLAYER, GAMES, tau=0.5)
    assert after.rating == pytest.approx(1464.06, abs=0.02)  # published after rounding on the way
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.parametrize("points", [-1500.0, -300.0, 1000.0])
def test_only_differences_of_ratings_matter(points: float) -> None:
    """The package that was not used fails here, while it passes the published example."""
    near = rated(PLAYER, GAMES)
    far = rated(moved(PLAYER, points), [(moved(one, points), score) for one, score in GAMES])
    assert far.rating - points == pytest.approx(near.rating, abs=1e-6)
    assert far.volatility == pytest.approx(near.volatility, abs=1e-9)


def test_volatility_grows_after_a_series_of_upsets() -> None:
    steady, shaken = Glicko(1500.0, 50.0), Glicko(1500.0, 50.0)
    strong = Glicko(2100.0, 50.0)
    shaken = rated(shaken, [(strong, 1.0)] * 5)
    steady = rated(steady, [(strong, 0.0)] * 5)
    assert shaken.volatility > 1.001 * steady.volatility > 0.0


def test_rest_widens_the_deviation_up_to_that_of_a_newcomer() -> None:
    assert rested(PLAYER, 0.0) == PLAYER
    assert 200.0 < rested(PLAYER, 1.0).deviation < rested(PLAYER, 10.0).deviation < 350.0
    assert rested(PLAYER, 1e6).deviation == 350.0


def test_the_chances_of_both_sides_sum_to_one() -> None:
    for opponent, _ in GAMES:
        ours, theirs = win_probability(PLAYER, opponent), win_probability(opponent, PLAYER)
        assert ours + theirs == pytest.approx(1.0)
