"""What every compared system must do."""

import random

import pytest
from evaluation.systems import Adr, Guarded, Maker, makers

from adr_core import Parameters

SYSTEMS = pytest.mark.parametrize("make", makers().values(), ids=makers().keys())


@SYSTEMS
def test_two_unknown_players_have_equal_chances(make: Maker) -> None:
    assert make().observe("ada", "bob", 0.0) == pytest.approx(0.5)


@SYSTEMS
def test_the_better_player_comes_to_stand_above(make: Maker) -> None:
    system, chance = make(), random.Random(1)
    skill = {"ada": 0.8, "bob": 0.5, "cyd": 0.2}
    for turn in range(300):
        one, other = chance.sample(sorted(skill), 2)
        first = chance.random() < skill[one] / (skill[one] + skill[other])
        system.observe(*((one, other) if first else (other, one)), 8 * 3_600.0 * turn)
    assert system.rating("ada") > system.rating("bob") > system.rating("cyd")
    now = 8 * 3_600.0 * 300
    assert system.observe("ada", "cyd", now) > 0.5 > system.observe("cyd", "ada", now + 1.0)


@SYSTEMS
def test_the_prediction_is_made_before_the_kill_is_learnt(make: Maker) -> None:
    one, other = make(), make()
    for system in (one, other):
        for turn in range(20):
            system.observe("ada", "bob", 61.0 * turn)
    assert one.observe("ada", "bob", 2000.0) == pytest.approx(
        1.0 - other.observe("bob", "ada", 2000.0)
    )


@SYSTEMS
def test_behind_the_cooldown_a_repeat_changes_nothing(make: Maker) -> None:
    system = Guarded(make())
    system.observe("ada", "bob", 0.0)
    before = system.rating("ada")
    assert system.observe("ada", "bob", 59.0) == 0.5
    assert system.rating("ada") == before
    assert system.observe("ada", "bob", 60.0) > 0.5


def test_the_consistent_preset_is_judged_with_and_without_the_discount_for_deaths() -> None:
    names = {"ADR consistent": 0.8, "ADR consistent, c_loss 1": 1.0}
    for name, discount in names.items():
        system = makers()[name]()
        assert isinstance(system, Adr)
        wanted = Parameters.from_dict({"c_loss": discount}, preset="consistent")
        assert system.ladder.parameters == wanted
