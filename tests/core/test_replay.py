"""Rating a long log at once leaves the very ladder that rating it kill by kill leaves."""

from __future__ import annotations

import random

import pytest

from adr_core import EventError, Ladder, Parameters

PRESETS = (Parameters.paper(), Parameters.consistent(), Parameters.calibrated())
DAY = 86_400.0


def stream(kills: int, players: int, seed: int) -> list[tuple[str, str, float]]:
    """Kills with repeats, late arrivals, and absences of up to a hundred days."""
    draw = random.Random(seed)
    names = [f"p{number}" for number in range(players)]
    now, found = 0.0, []
    for _ in range(kills):
        now += draw.choice((1.0, 20.0, 600.0, 3_600.0))
        if draw.random() < 0.002:
            now += draw.uniform(1.0, 100.0) * DAY
        late = draw.uniform(0.0, 20_000.0) if draw.random() < 0.05 else 0.0
        killer, victim = draw.sample(names[: players // 3 if draw.random() < 0.7 else players], 2)
        found.append((killer, victim, now - late))
    return found


def kill_by_kill(parameters: Parameters, kills: list[tuple[str, str, float]]) -> tuple[Ladder, int]:
    ladder = Ladder(parameters)
    return ladder, sum(ladder.kill(*kill).counted for kill in kills)


@pytest.mark.parametrize("parameters", PRESETS)
def test_a_replay_leaves_to_the_last_bit_what_live_kills_leave(parameters: Parameters) -> None:
    kills = stream(6_000, 60, seed=1)
    live, counted = kill_by_kill(parameters, kills)
    again = Ladder(parameters)
    assert again.replay(iter(kills)) == counted < len(kills)
    assert again.dump().to_json() == live.dump().to_json()
    assert [again.rank(player) for player in live.players] == [
        live.rank(player) for player in live.players
    ]
    assert again.top(20) == live.top(20)
    after = stream(500, 60, seed=2)
    for killer, victim, time in after:
        late = kills[-1][2] + time
        assert again.kill(killer, victim, late) == live.kill(killer, victim, late)


def test_a_replay_stops_at_what_is_no_kill_and_keeps_what_came_before() -> None:
    kills = stream(50, 10, seed=3)
    ladder, _ = kill_by_kill(Parameters(), kills)
    stopped = Ladder(Parameters())
    with pytest.raises(EventError, match="a suicide is a death"):
        stopped.replay([*kills, ("ann", "ann", 0.0), ("ann", "bob", 0.0)])
    assert stopped.dump() == ladder.dump()
    assert stopped.rank("p1") == ladder.rank("p1")
