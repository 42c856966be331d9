"""TrueSkill Through Time: what it may know of a kill, and what it may not."""

import numpy as np
import pytest
from evaluation.stream import Setting
from evaluation.study import studied
from evaluation.systems import Elo
from evaluation.through_time import DAY, NAME, looked_back


def test_a_kill_without_any_other_is_a_coin() -> None:
    assert looked_back([("ada", "bob", 0.0)]).tolist() == pytest.approx([0.5])


def test_later_kills_are_known_and_the_kill_itself_is_not() -> None:
    later = [("ada", "bob", DAY * day) for day in range(1, 20)]
    won = looked_back([("ada", "bob", 0.0), *later])
    lost = looked_back([("bob", "ada", 0.0), *later])
    assert won[0] > 0.9
    assert lost[0] < 0.1


def test_it_foretells_better_than_who_cannot_look_ahead() -> None:
    done: list[str] = []
    setting = Setting(players=40, kills=2_000, farmed=60)
    study = studied(setting, [1, 2], {"Elo": Elo}, done.append, looking_back=1)
    assert len(study.values[NAME]["log loss"]) == 1
    assert done[1] == f"logistic, seed 1: {NAME}"
    assert 0.0 < study.values[NAME]["excess"][0] < study.values["Elo"]["excess"][0]
    assert np.isfinite(study.loss_curve[NAME]).all()
