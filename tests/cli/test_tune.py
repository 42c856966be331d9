"""`adr-bridge tune` on databases whose truth is known."""

import asyncio
import json
import math
from pathlib import Path
from textwrap import indent

import pytest

from adr_core import Parameters
from plugin_bridge.cli.tune import _Answer
from plugin_bridge.config import load_config
from plugin_bridge.config.model import LadderConfig
from plugin_bridge.study.candidates import CANDIDATES, CURRENT, Candidate
from plugin_bridge.study.contest import BLOCKS, EDGE, Score, contest, judged, surprise
from plugin_bridge.study.elo import Elo
from plugin_bridge.study.verdict import LEAST, Verdict, verdict

from .calling import call
from .past import fights, played
from .running import run, serving

POOR = (
    "listen: {port: 0}\nrating: {preset: paper, parameters: {theta: 20, lambda: 0, eta_max: 60}}\n"
)
"""Far too sure of itself, and hasty."""


def test_with_few_kills_it_says_that_nothing_can_be_told(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, fights(LEAST - 1)))
    result = run(tmp_path, "tune")
    assert result.returncode == 0, result.stderr
    assert f"Only {LEAST - 1} kills" in result.stdout
    assert "rating:" not in result.stdout


def test_settings_that_are_clearly_worse_get_the_lines_to_change_them(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, fights(1_600), config=POOR))
    result = run(tmp_path, "tune", "--json")
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    names = {one["system"]: one for one in answer["systems"]}
    assert {CURRENT, "paper", "consistent", "Elo", "Glicko-2"} <= names.keys()
    assert names[CURRENT]["gain"] == 0.0
    better = names[answer["change_to"]]
    assert better["gain"] > 2.0 * better["standard_error"] > 0.0
    (tmp_path / "config.yml").write_text("listen: {port: 0}\n" + answer["rating"], encoding="utf-8")
    again = json.loads(run(tmp_path, "tune", "--json").stdout)
    assert again["change_to"] is None
    losses = {one["system"]: one["log_loss"] for one in again["systems"]}
    assert losses[CURRENT] == better["log_loss"]


def test_it_reads_while_the_daemon_runs_and_leaves_the_ratings_alone(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, fights(850)))
    with serving(tmp_path):
        before = run(tmp_path, "top", "30").stdout
        result = run(tmp_path, "tune", "--last", "820")
        assert run(tmp_path, "top", "30").stdout == before
    assert result.returncode == 0, result.stderr
    assert "log loss\tagainst yours" in result.stdout
    assert "your settings" in result.stdout


def test_every_ladder_is_judged_by_its_own_kills(tmp_path: Path) -> None:
    config = "listen: {port: 0}\nladders: {duels: {servers: [d], rating: {preset: consistent}}}\n"
    asyncio.run(played(tmp_path, fights(840), config=config, ladder="duels"))
    assert "Only 0 kills" in run(tmp_path, "tune").stdout
    answer = json.loads(run(tmp_path, "tune", "--ladder", "duels", "--json").stdout)
    assert answer["ladder"] == "duels"
    assert answer["kills"] == 840
    assert "consistent" not in {one["system"] for one in answer["systems"]}  # it is in force
    assert "known: " in run(tmp_path, "tune", "--ladder", "nowhere").stderr


def test_a_ladder_that_is_no_longer_in_the_settings_is_named(tmp_path: Path) -> None:
    config = "listen: {port: 0}\nladders: {duels: {servers: [d]}}\n"
    asyncio.run(played(tmp_path, fights(10), config=config))
    (tmp_path / "config.yml").write_text("listen: {port: 0}\n", encoding="utf-8")
    result = run(tmp_path, "tune", "--ladder", "duels")
    assert result.returncode == 1
    assert "'duels' is no longer in config.yml" in result.stderr


def test_a_coin_scores_what_a_coin_scores() -> None:
    class Coin(Elo):
        def factor(self, player: str) -> float:
            return 0.0

    kills = fights(1_000)
    score = contest(kills, len(kills), {"coin": Coin})["coin"]
    assert score.log_loss == pytest.approx(math.log(2.0))
    assert score.right == 0.5
    assert judged(1_000) == 12 * BLOCKS
    assert surprise(0.0) == pytest.approx(-math.log(EDGE))


def test_only_the_later_half_is_judged() -> None:
    class Loud(Elo):
        def observe(self, killer: str, victim: str, time: float) -> float:
            super().observe(killer, victim, time)
            return 0.001 if time < half else 0.999

    kills = fights(40 * BLOCKS)
    half = kills[len(kills) // 2][2]
    score = contest(kills, len(kills), {"loud": Loud})["loud"]
    assert score.blocks == pytest.approx((-math.log(0.999),) * BLOCKS)


def scored(**losses: float) -> dict[str, Score]:
    """Systems whose blocks swing alike by 0.1, and by 0.002 each on its own."""
    swing = [0.1 * math.sin(block) for block in range(BLOCKS)]
    found = {}
    for turn, (name, loss) in enumerate(losses.items()):
        own = [0.002 * math.sin(7.0 * turn + 3.0 * block) for block in range(BLOCKS)]
        blocks = tuple(loss + one + other for one, other in zip(swing, own, strict=True))
        found[name.replace("_", " ")] = Score(blocks, 0.7)
    return found


def test_what_surprises_all_systems_alike_does_not_blur_their_difference() -> None:
    scores = scored(one=0.60, other=0.61)
    gain, error = scores["one"].gain(scores["other"])
    assert gain == pytest.approx(0.01, abs=0.001)
    assert error < 0.001


@pytest.mark.parametrize(
    ("consistent", "words", "changes"),
    [
        (0.590, "beyond chance", True),
        (0.600, "cannot be told", False),
        (0.610, "Keep them", False),
    ],
)
def test_a_change_is_advised_only_beyond_two_standard_errors(
    consistent: float, words: str, changes: bool
) -> None:
    found = verdict({CURRENT: scored(x=0.6)["x"], **scored(paper=0.65, consistent=consistent)})
    assert words in found.text
    assert (found.better is not None) == changes


def test_a_difference_nobody_would_notice_is_no_reason_to_change() -> None:
    current = scored(x=0.6)["x"]
    almost = Score(tuple(loss - 0.0005 for loss in current.blocks), 0.7)
    found = verdict({CURRENT: current, "consistent": almost})
    assert "no player would notice" in found.text
    assert found.better is None


def test_among_equals_the_one_is_advised_whose_ratings_do_not_drift() -> None:
    steady = next(one for one in CANDIDATES if not one.drifts)
    drifting = next(one for one in CANDIDATES if one.drifts)
    score = scored(x=0.5)["x"]
    almost = Score(tuple(loss + 0.0005 for loss in score.blocks), 0.7)
    scores = {CURRENT: scored(x=0.6)["x"], drifting.name: score, steady.name: almost}
    assert verdict(scores).better == steady


@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda one: one.name)
def test_the_lines_that_are_shown_give_the_candidate(candidate: Candidate, tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    tiers = "tiers: [{name: A, weight: 1}, {name: B, weight: 2}]\n"
    own = "t_cooldown: 90s, t_active: 14d, p_min: 5, theta: 300, mu_max: 3500, "
    own += "pair_limit: 10, delta_max: 30"
    path.write_text(f"{tiers}rating: {{parameters: {{{own}}}}}\n", encoding="utf-8")
    ladder = load_config(path).ladder("main")
    wanted = candidate.parameters(ladder.parameters, ladder.given)
    assert (wanted.pair_limit, wanted.delta_max, wanted.nu_max) == (10.0, 30.0, 30.0)
    lines = candidate.lines(ladder.parameters, ladder.given)
    path.write_text(tiers + lines, encoding="utf-8")
    assert load_config(path).ladder("main").parameters == wanted


def test_guards_that_the_admin_has_set_are_in_the_lines_that_are_shown(tmp_path: Path) -> None:
    config = POOR.replace("theta: 20", "pair_limit: 10, delta_max: 60, theta: 20")
    asyncio.run(played(tmp_path, fights(1_600), config=config))
    answer = json.loads(call(tmp_path, "tune", "--json").stdout)
    assert "pair_limit: 10, delta_max: 60" in answer["rating"]
    assert "does not limit" not in answer["verdict"]


@pytest.mark.parametrize("given", [frozenset[str](), frozenset({"pair_limit"})])
def test_it_is_said_when_a_recommendation_lifts_the_limit_on_pairs(given: frozenset[str]) -> None:
    current = Parameters.calibrated()
    lifts = [one.name for one in CANDIDATES if one.unguarded(current, given)]
    assert lifts == ([] if given else ["consistent, c_loss 1", "consistent", "paper"])
    assert not any(one.unguarded(Parameters.paper()) for one in CANDIDATES)
    steady = next(one for one in CANDIDATES if one.name == "consistent, c_loss 1")
    answer = _Answer(
        LadderConfig("main", current, (), given),
        frozenset(),
        1_000,
        Verdict("It is better.", steady),
        {},
    )
    assert ("to its parameters: `pair_limit: 20`" in answer.text) == (not given)
    assert ("pair_limit: 20" in answer.lines) == bool(given)


@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda one: one.name)
def test_the_lines_for_another_ladder_undo_what_it_has_from_the_main_one(
    candidate: Candidate, tmp_path: Path
) -> None:
    path = tmp_path / "config.yml"
    main = (
        "rating: {parameters: {theta: 20, lambda: 0.1, tau: 40d, link: logistic, pool_drains: true,"
        " pair_limit: 10}}\nladders:\n  duels:\n    servers: [d]\n"
    )
    path.write_text(main, encoding="utf-8")
    config = load_config(path)
    duels, names = config.ladder("duels"), config.ladder("main").given
    wanted = candidate.parameters(duels.parameters, duels.given)
    lines = candidate.lines(duels.parameters, duels.given, inherited=names)
    path.write_text(main + indent(lines, "    "), encoding="utf-8")
    assert load_config(path).ladder("duels").parameters == wanted
    assert wanted.pair_limit == 10.0
