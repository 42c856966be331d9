"""10.6: somebody rated 1000 comes back after 60 days and beats the same 2000 fifty times.

The published rises are 1166.94 (Elo), 1077.40 (Glicko-2), 31.52 (TrueSkill) and 1197.93 (ADR).
Elo and TrueSkill follow from the text. Glicko-2 does not with a player at 1000: the published
number is that of a fresh 1500 with deviation 350 against a fixed 2000 with deviation 100. For ADR
the text leaves open who else is there, whether 60 days are already "more than 60" and whether the
opponent loses; none of the readings below gives the published number. (How certain the two were
does not matter: 60 days of drift lead to the greatest uncertainty from anywhere above 100.)
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import trueskill

from adr_core import Ladder, LadderState, Parameters, PlayerState
from plugin_bridge.study.glicko2 import Glicko, rated

WINS = 50
DAY = 86_400.0
PUBLISHED = {"Elo": 1166.94, "Glicko-2": 1077.40, "TrueSkill": 31.52, "ADR": 1197.93}


@dataclass(frozen=True)
class Reading:
    """One way to read what 10.6 says about ADR.

    days: of absence. "More than" 60 bring the safeguards (8.2), and the text says 60.
    crowd: how many others rated 1000 are tracked. With none the mean of the two that are is 1500,
        and the absence alone lifts the player towards it (5).
    fixed: whether the opponent is put back to 2000 after every kill.
    """

    days: float = 60.0
    crowd: int = 98
    fixed: bool = True


READINGS = [
    Reading(days=days, crowd=crowd, fixed=fixed)
    for days in (60.0, 61.0)
    for crowd in (0, 98)
    for fixed in (True, False)
]


def elo(k: float = 32.0) -> Iterator[float]:
    """The rating after each win, beginning with the one before all."""
    rating = 1000.0
    yield rating
    for _ in range(WINS):
        rating += k * (1.0 - 1.0 / (1.0 + 10.0 ** ((2000.0 - rating) / 400.0)))
        yield rating


def glicko2(player: Glicko, opponent: Glicko, tau: float = 0.5) -> Iterator[float]:
    """Every win is a rating period."""
    yield player.rating
    for _ in range(WINS):
        player = rated(player, [(opponent, 1.0)], tau=tau)
        yield player.rating


def true_skill() -> Iterator[float]:
    """With the package's own settings, its draws of 10 % included."""
    world = trueskill.TrueSkill()
    player, opponent = world.create_rating(), world.create_rating(mu=40.0)
    yield float(player.mu)
    for _ in range(WINS):
        player, _ = trueskill.rate_1vs1(player, opponent, env=world)
        yield float(player.mu)


def adr(parameters: Parameters, reading: Reading) -> Iterator[float]:
    """The visible rating; wins are 61 seconds apart, so that each is counted."""
    back = reading.days * DAY
    fresh = PlayerState.initial(parameters)
    player = dataclasses.replace(fresh, events=100, last_event=0.0)
    champion = dataclasses.replace(fresh, mu=2000.0, sigma=100.0, events=100, last_event=back)
    others = [(f"other {number}", fresh) for number in range(reading.crowd)]
    states = [("player", player), ("champion", champion), *others]
    ladder = Ladder.load(parameters, LadderState(tuple(states), None, back, ()))
    yield player.mu
    for win in range(WINS):
        now = back + 61.0 * win
        ladder.kill("player", "champion", now)
        yield ladder.player("player").mu
        if reading.fixed:
            renewed = dataclasses.replace(champion, last_event=now)
            state = ladder.dump()
            kept = [(key, renewed if key == "champion" else one) for key, one in state.players]
            ladder = Ladder.load(parameters, dataclasses.replace(state, players=tuple(kept)))


def published_settings() -> dict[str, list[float]]:
    """The paths of the three baselines with the settings that give the published numbers."""
    return {
        "Elo": list(elo()),
        "Glicko-2": list(glicko2(Glicko(1500.0, 350.0), Glicko(2000.0, 100.0), tau=0.3)),
        "TrueSkill": list(true_skill()),
    }


def rise(path: list[float]) -> float:
    return path[-1] - path[0]


def largest_step(path: list[float]) -> float:
    return max(abs(after - before) for before, after in itertools.pairwise(path))
