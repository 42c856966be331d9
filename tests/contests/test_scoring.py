"""Places and scores, from what happened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.config.model import EventScore
from plugin_bridge.contests.scoring import judged
from plugin_bridge.store.rows import StandingRow

Judged = list[tuple[str, int | None, float | None]]


def did(player: str, kills: int = 0, deaths: int = 0, out: float | None = None) -> StandingRow:
    return StandingRow(contest=1, player=player, kills=kills, deaths=deaths, out=out)


def found(scoring: EventScore, *standings: StandingRow) -> Judged:
    return [(s.player, s.place, s.score) for s in judged(standings, scoring)]


def test_kills_are_measured_by_the_most_kills() -> None:
    assert found("kills", did("a", 2, 1), did("b", 8), did("c", 2, 0), did("d", 0, 9)) == [
        ("b", 1, 1.0),
        ("c", 2, 0.25),
        ("a", 2, 0.25),
        ("d", 4, 0.0),
    ]


def test_kills_minus_deaths_lie_between_the_worst_and_the_best() -> None:
    assert found("kills_minus_deaths", did("a", 5, 1), did("b", 0, 4), did("c", 2, 2)) == [
        ("a", 1, 1.0),
        ("c", 2, 0.5),
        ("b", 3, 0.0),
    ]


def test_in_a_placement_whoever_lasts_longer_is_ahead() -> None:
    assert found(
        "placement", did("a", out=5.0), did("b"), did("c", out=9.0), did("d", out=1.0)
    ) == [
        ("b", 1, 1.0),
        ("c", 2, pytest.approx(2 / 3)),
        ("a", 3, pytest.approx(1 / 3)),
        ("d", 4, 0.0),
    ]


def test_those_who_still_stand_share_the_first_places() -> None:
    assert found("placement", did("a"), did("b"), did("c", out=9.0), did("d", out=9.0)) == [
        ("a", 1, pytest.approx(5 / 6)),
        ("b", 1, pytest.approx(5 / 6)),
        ("c", 3, pytest.approx(1 / 6)),
        ("d", 3, pytest.approx(1 / 6)),
    ]


@pytest.mark.parametrize(
    ("scoring", "score"), [("kills", 0.0), ("kills_minus_deaths", 0.0), ("placement", 0.5)]
)
def test_where_nobody_is_ahead_all_are_first(scoring: EventScore, score: float) -> None:
    assert found(scoring, did("a"), did("b")) == [("a", 1, score), ("b", 1, score)]
    assert found(scoring) == []


standings = st.lists(
    st.builds(
        did,
        st.text(min_size=1),
        st.integers(0, 50),
        st.integers(0, 50),
        st.none() | st.floats(0, 10),
    ),
    unique_by=lambda s: s.player,
)


@given(standings, st.sampled_from(["kills", "kills_minus_deaths", "placement"]))
def test_scores_are_from_0_to_1_and_places_follow_them(
    rows: list[StandingRow], scoring: EventScore
) -> None:
    results = judged(rows, scoring)
    scores = [s.score or 0.0 for s in results]
    assert all(0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)
    for result, score in zip(results, scores, strict=True):
        assert result.place == 1 + sum(other > score for other in scores)
