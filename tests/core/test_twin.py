"""The ladder against its slow twin, on streams that neither of them was made for."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from adr_core import Ladder, Parameters

from .streams import LIVELY, LIVELY_CALIBRATED, Calibrate, Kill, random_stream
from .twin import Twin

PRESETS = {
    "paper": Parameters.paper(),
    "consistent": Parameters.consistent(),
    "calibrated": Parameters.calibrated(),
    "calibrated, lively": LIVELY_CALIBRATED,
    "paper with a limit for pairs": replace(LIVELY, pair_limit=20.0, pairs_remembered=9),
    "lively": LIVELY,
    "few pairs": replace(LIVELY, pairs_remembered=3, t_cooldown=900.0),
    "fifteen tiers, no fear": replace(
        Parameters.consistent(), n_min=3, p_min=3, beta=1.0, h_req=40.0, t_return=20.0
    ),
}


def compare(ladder: Ladder, twin: Twin) -> None:
    assert set(ladder.players) == set(twin.players)
    for name, other in twin.players.items():
        state = ladder.player(name)
        assert (state.streak, state.events, state.tier, state.returning) == (
            other.streak,
            len(other.times),
            other.tier,
            other.safeguarded,
        )
        assert state.last_event == max(other.times)
        assert state.recent == tuple(sorted(other.times)[-ladder.parameters.n_active :])
        pairs = [
            (state.mu, other.mu),
            (state.sigma, other.sigma),
            (state.trend, other.trend),
            (state.pool, other.pool),
            (state.promotion, other.up),
            (state.demotion, other.down),
            *zip(state.window, other.changes[-ladder.parameters.window :], strict=True),
        ]
        for found, wanted in pairs:
            assert math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9), (name, pairs)


@pytest.mark.parametrize("pace", [40.0, 9000.0])
@pytest.mark.parametrize("players", [3, 25])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_ladder_agrees_with_its_slow_twin(preset: str, players: int, pace: float) -> None:
    p = PRESETS[preset]
    ladder, twin = Ladder(p), Twin(p)
    seed = players + int(pace)
    seen = {"repeat": 0, "updated": 0, "moved": 0}
    stream = random_stream(seed, players=players, length=400, pace=pace)
    for number, event in enumerate(stream):
        match event:
            case Kill(attacker, victim, time):
                outcome = ladder.kill(attacker, victim, time)
                chance = twin.kill(attacker, victim, time)
                assert outcome.counted == (chance is not None)
                seen["repeat"] += chance is None
                seen["moved"] += len(outcome.tier_changes)
                if chance is not None:
                    assert outcome.probability == pytest.approx(chance, rel=1e-9)
            case Calibrate(time):
                result = ladder.recalibrate(time)
                assert result.updated == twin.calibrate(time)
                seen["updated"] += result.updated
                seen["moved"] += len(result.tier_changes)
        assert ladder.clock == (None if twin.now == -math.inf else twin.now)
        assert ladder.boundaries == pytest.approx(twin.boundaries, rel=1e-9)
        if number % 20 == 0 or number == len(stream) - 1:
            compare(ladder, twin)
    assert seen["repeat"], "the stream must reach the cooldown"
    if p.p_min <= players:
        assert seen["updated"], "the stream must reach calibration"
    assert seen["moved"], "the stream must reach the tiers"
