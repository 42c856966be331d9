"""The choice of settings: the best of the grid, on streams that are not those of the judgement."""

import dataclasses

import pytest
from evaluation import tune
from evaluation.report import tuned_section
from evaluation.stream import Setting
from evaluation.study import studied
from evaluation.systems import Elo

SMALL = Setting(players=40, kills=2_000, farmed=60)


def test_the_best_of_the_grid_is_chosen_and_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = {"Elo": tune.Grid(Elo, {"k": (1.0, 24.0, 500.0)})}
    monkeypatch.setattr(tune, "grids", lambda *, quick: grid)
    done: list[str] = []
    choices = tune.tuned(SMALL, 2, done.append)
    assert choices["Elo"].settings == {"k": 24.0}
    assert len(done) == tune.steps(2) == 6
    assert dataclasses.asdict(choices["Elo"])["losses"][1][1] < 0.69
    study = studied(SMALL, [1], {"Elo": choices["Elo"].make}, done.append)
    assert "k 24" in tuned_section(choices, study, 2)


def test_every_combination_of_every_grid_is_legal() -> None:
    for grid in tune.grids().values():
        for settings in grid.settings():
            assert grid.make(**settings).observe("ada", "bob", 0.0) == pytest.approx(0.5)
