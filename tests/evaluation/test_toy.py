"""The toy run of 10.6: which of its numbers follow from its text."""

import pytest
from evaluation import toy

from adr_core import Parameters
from plugin_bridge.study.glicko2 import Glicko


def test_the_published_numbers_of_elo_and_trueskill_follow_from_the_text() -> None:
    assert round(toy.rise(list(toy.elo())), 2) == 1166.94
    assert round(toy.rise(list(toy.true_skill())), 2) == 31.52


def test_the_published_number_of_glicko2_is_that_of_a_fresh_1500() -> None:
    opponent = Glicko(2000.0, 100.0)
    assert round(toy.rise(list(toy.glicko2(Glicko(), opponent, tau=0.3))), 2) == 1077.40
    assert round(toy.rise(list(toy.glicko2(Glicko(), opponent, tau=0.5))), 2) == 1077.39
    assert round(toy.rise(list(toy.glicko2(Glicko(1000.0), opponent, tau=0.3)))) == 1572


@pytest.mark.parametrize("parameters", [Parameters.paper(), Parameters.consistent()])
def test_no_reading_gives_the_published_number_of_adr(parameters: Parameters) -> None:
    rises = [toy.rise(list(toy.adr(parameters, reading))) for reading in toy.READINGS]
    assert min(abs(rise - 1197.93) for rise in rises) > 20.0


def test_the_safeguards_of_adr_halve_the_first_step_and_more() -> None:
    for parameters in (Parameters.paper(), Parameters.consistent()):
        bare = list(toy.adr(parameters, toy.Reading(days=60.0)))
        safe = list(toy.adr(parameters, toy.Reading(days=61.0)))
        assert safe[1] - safe[0] < 0.5 * (bare[1] - bare[0])
