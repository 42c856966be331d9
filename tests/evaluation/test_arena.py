"""The simulated arena: it must be what the report says it is."""

import dataclasses
import itertools

import numpy as np
import pytest
from evaluation.arena import DAY, LINKS, SLOPE, START
from evaluation.measure import measured, truth_of
from evaluation.stream import Setting, Stream, simulate
from evaluation.study import TRUTH, studied
from evaluation.systems import Adr, Elo, Maker

from adr_core import Parameters

SMALL = Setting(players=40, kills=4_000, farmed=60)


@pytest.fixture(scope="module")
def stream() -> Stream:
    return simulate(SMALL, 1)


@pytest.mark.parametrize("link", LINKS)
def test_links_differ_in_the_tails_alone(link: str) -> None:
    chance = LINKS[link]
    assert chance(0.0) == pytest.approx(0.5)
    assert (chance(1.0) - chance(-1.0)) / 2.0 == pytest.approx(SLOPE, rel=1e-4)
    assert chance(300.0) + chance(-300.0) == pytest.approx(1.0)


def test_heavier_tails_are_less_sure() -> None:
    assert LINKS["arctangent"](800.0) < LINKS["logistic"](800.0) < LINKS["probit"](800.0)


def test_a_stream_follows_from_its_seed(stream: Stream) -> None:
    assert simulate(SMALL, 1).kills == stream.kills
    assert simulate(SMALL, 2).kills != stream.kills


def test_kills_come_in_the_order_of_their_times(stream: Stream) -> None:
    assert all(one.time <= other.time for one, other in itertools.pairwise(stream.kills))
    assert stream.kills[0].time >= START
    assert stream.kills[-1].time < START + SMALL.days * DAY


def test_nobody_kills_while_away_nor_themselves(stream: Stream) -> None:
    for index, kill in enumerate(stream.kills):
        assert kill.killer != kill.victim
        assert {kill.killer, kill.victim} <= set(stream.present(index))


def test_the_noted_chances_are_those_of_the_skills(stream: Stream) -> None:
    for index, kill in enumerate(stream.kills):
        if kill.farmed:
            assert kill.chance == 1.0
        else:
            skills = stream.truth(index)
            lead = skills[kill.killer] - skills[kill.victim]
            assert kill.chance == pytest.approx(LINKS["logistic"](lead))


def test_the_better_win_as_often_as_their_chances_say() -> None:
    kills = simulate(dataclasses.replace(SMALL, kills=40_000, farmers=0), 3).kills
    sure = np.array([max(kill.chance, 1.0 - kill.chance) for kill in kills])
    won = np.array([kill.chance > 0.5 for kill in kills])
    assert won.mean() == pytest.approx(sure.mean(), abs=0.01)


def test_what_is_injected_lies_in_the_test_part_and_absences_exceed_60_days(
    stream: Stream,
) -> None:
    kinds = [change.kind for change in stream.changes]
    assert sorted(set(kinds)) == ["jump", "strong", "weak"]
    assert all(change.index >= stream.split for change in stream.changes)
    for change in stream.changes:
        rises = change.standing_after > change.standing_before
        assert rises == (change.kind != "weak")
        if change.kind != "jump":
            played = [
                kill.time
                for kill in stream.kills[: change.index]
                if change.player in (kill.killer, kill.victim)
            ]
            assert stream.kills[change.index].time - played[-1] > 60.0 * DAY
    assert [last - first + 1 for _, _, first, last in stream.farms] == [60, 60]


def test_nobody_beats_the_truth_by_more_than_luck(stream: Stream) -> None:
    floor = truth_of(stream).values
    assert floor["log loss"] == pytest.approx(floor["entropy"], abs=0.03)
    for system in (Elo(), Adr(Parameters.consistent())):
        values = measured(stream, system).values
        assert values["excess"] > 0.0
        assert 0.5 < values["auc"] < floor["auc"]


def test_watching_does_not_change_what_is_watched(stream: Stream) -> None:
    bare = measured(stream, Elo(), predictions_only=True).values
    full = measured(stream, Elo()).values
    assert bare == {name: full[name] for name in bare}


def test_the_one_who_knows_the_skills_has_the_tiers_right() -> None:
    class Knowing(Elo):
        def __init__(self) -> None:
            super().__init__()
            self.ratings = dict(known.skills[0])

        def factor(self, player: str) -> float:
            return 0.0

    calm = dataclasses.replace(SMALL, jumpers=0, strong=0, weak=0, farmers=0)
    known = simulate(calm, 1)
    values = measured(known, Knowing()).values
    assert values["rank correlation"] == pytest.approx(1.0)
    assert values["tier error"] < 0.8  # boundaries follow those who are active with a delay
    assert values["events to 0.9"] == 0.5
    assert "jump delay" not in values


def test_a_study_has_a_value_for_every_seed() -> None:
    done: list[str] = []
    systems: dict[str, Maker] = {"Elo": Elo}
    setting = dataclasses.replace(SMALL, kills=2_000)
    study = studied(setting, [1, 2], systems, done.append)
    assert list(study.values) == [TRUTH, "Elo"]
    assert len(study.values["Elo"]["log loss"]) == 2
    assert done == ["logistic, seed 1: Elo", "logistic, seed 2: Elo"]
