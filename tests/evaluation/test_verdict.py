"""What is said of the calibrated preset, in short: how it foretells, resists farming, stays put."""

from __future__ import annotations

import copy
from functools import partial
from statistics import NormalDist

import numpy as np
import pytest
from evaluation import verdict
from evaluation.arena import Arena
from evaluation.claims import World, fed_newcomer, feeding, trading
from evaluation.long import calm, ran
from evaluation.stream import Setting, simulate
from evaluation.study import studied
from evaluation.systems import Adr, Elo, Glicko2, Guarded

from adr_core import Parameters

CALIBRATED = Parameters.calibrated()
A_TIER = NormalDist().inv_cdf(8 / 15) - NormalDist().inv_cdf(7 / 15)
"""The narrowest of fifteen even tiers, that in the middle, in standard deviations of ratings."""


def test_it_foretells_better_than_elo_and_no_worse_than_glicko_2_with_tuned_settings() -> None:
    systems = {
        "calibrated": partial(Adr, CALIBRATED),
        "consistent": partial(Adr, Parameters.consistent()),
        "Elo": partial(Elo, 32.0),
        "Glicko-2": partial(Glicko2, 0.5, 0.08),
    }
    setting = Setting(players=60, kills=8_000)
    study = studied(setting, [11, 12], systems, lambda done: None, predictions_only=True)
    excess = {name: np.array(values["excess"]) for name, values in study.values.items()}
    assert (excess["calibrated"] < excess["Elo"] - 0.003).all()
    assert (excess["calibrated"] < excess["consistent"] - 0.01).all()
    assert (excess["calibrated"] < excess["Glicko-2"] + 0.002).all()


@pytest.mark.parametrize("seed", [11, 12])
def test_neither_trading_nor_feeding_brings_a_tier(seed: int) -> None:
    world = World(Arena.of(60, seed), Guarded(Adr(CALIBRATED)))
    world.play(6_000, 20.0)
    for cheat in (partial(trading, wait=61.0), feeding):
        assert cheat(copy.deepcopy(world))["rise"] < A_TIER


def test_a_fed_newcomer_rises_by_its_first_kill_and_hardly_more() -> None:
    world = World(Arena.of(60, 11), Guarded(Adr(CALIBRATED)))
    world.play(3_000, 20.0)
    assert fed_newcomer(world)["peak"] * world.spread() < CALIBRATED.delta_max
    assert world.system.rating("newcomer") < CALIBRATED.mu_0 + CALIBRATED.delta_max


def test_the_mean_stays_put_and_nobody_is_at_a_bound() -> None:
    run = ran("calibrated", CALIBRATED, simulate(calm(40, 20_000), 11), lambda done: None)
    assert all(abs(shot.mean - 1000.0) < 50.0 for shot in run.snapshots)
    assert all(shot.top == shot.bottom == 0.0 for shot in run.snapshots)


def test_the_rows_are_judged_and_told() -> None:
    done: list[str] = []
    base = Setting(players=40, kills=4_000, farmed=60)
    found = verdict.judged(base, [1, 2], {"Elo": Elo}, done.append)
    assert list(found) == list(verdict.rows(base))
    assert len(done) == 2 * len(found)
    lead, error = found["arena"].lead("Elo")
    ours, theirs = (np.array(found["arena"].excess[one]) for one in (verdict.CALIBRATED, "Elo"))
    assert lead == pytest.approx(float((theirs - ours).mean()))
    assert error == pytest.approx(abs(float((theirs - ours)[0] - (theirs - ours)[1])) / 2)
    text = verdict.verdict_section(found, 2)
    assert "First on average: ADR calibrated" in text
    assert "nan" not in text
