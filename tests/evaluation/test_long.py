"""The long runs and the claims, in short: what the report says of ADR must be so."""

import math

import pytest
from evaluation import report_long
from evaluation.arena import Arena
from evaluation.claims import CLAIMS, World, claimed, trading
from evaluation.long import SHARES, SNAPSHOTS, LongRun, calm, duelled, ran, variants
from evaluation.stream import simulate
from evaluation.systems import Elo, Guarded, makers

from adr_core import Parameters


@pytest.fixture(scope="module")
def runs() -> dict[str, LongRun]:
    stream = simulate(calm(40, 16_000), 1)
    done: list[str] = []
    return {name: ran(name, one, stream, done.append) for name, one in variants().items()}


def test_the_letter_fills_the_lower_bound(runs: dict[str, LongRun]) -> None:
    assert runs["paper"].snapshots[-1].bottom > 0.2
    assert runs["paper"].first_full() < 16_000
    assert runs["consistent"].snapshots[-1].bottom == 0.0


def test_consistent_inflates_and_without_a_loss_discount_hardly(runs: dict[str, LongRun]) -> None:
    rise = {name: run.snapshots[-1].mean - 1000.0 for name, run in runs.items()}
    assert rise["consistent"] > 300.0
    assert abs(rise["consistent, c_loss 1"]) < 0.4 * rise["consistent"]
    assert abs(rise["consistent, c_loss 1, no streak, no trend"]) < 0.2 * rise["consistent"]


def test_what_kills_give_and_take_explains_the_mean(runs: dict[str, LongRun]) -> None:
    shots = runs["consistent, no decay"].snapshots
    per_shot = 16_000 / SNAPSHOTS / 40
    explained = sum((shot.gain - shot.loss) * per_shot for shot in shots)
    assert explained == pytest.approx(shots[-1].mean - 1000.0, rel=0.05)


def test_by_the_letter_no_share_of_wins_is_a_resting_place() -> None:
    paper = Parameters.paper()
    assert min(duelled(paper, 0.5)) > 3900.0
    winner, loser = duelled(paper, 0.62)
    assert winner > 2500.0
    assert loser < 200.0


def test_the_report_of_long_runs_can_be_written(runs: dict[str, LongRun]) -> None:
    ends = dict.fromkeys(SHARES, (1.0, 2.0))
    text = report_long.long_section(runs, {"paper": ends, "consistent": ends})
    assert "nan" not in text
    assert "inf" not in text.replace("inflat", "")


def test_every_claim_is_measured_for_every_system() -> None:
    systems = {name: make for name, make in makers().items() if name != "TrueSkill"}
    values = claimed(40, [1], systems, lambda done: None, warm=1_000)
    assert list(values) == list(systems)
    for known in values.values():
        assert {key.split(":")[0] for key in known} == set(CLAIMS)
        assert all(len(one) == 1 and not math.isnan(one[0]) for one in known.values())
    assert "nan" not in report_long.claims_section(values, 1)


def test_trading_kills_brings_nothing_where_points_are_only_exchanged() -> None:
    world = World(Arena.of(40, 1), Guarded(Elo()))
    world.play(500, 1.0)
    assert trading(world, 61.0)["rise"] == pytest.approx(0.0, abs=1e-9)


def test_a_world_plays_as_long_as_it_says() -> None:
    world = World(Arena.of(40, 1), Elo())
    begin = world.time
    world.play(500, 90.0)
    assert world.time - begin == pytest.approx(90.0 * 86_400.0)
