"""One fight in the libraries that the tests do without.

elote is measured with two of its systems: its Elo is arithmetic on two numbers, and far less than
what the others do. glicko2 2.1.0 has a defect in its volatility step (see
`plugin_bridge.study.glicko2`): it is timed here, not trusted.
"""

from __future__ import annotations

from collections.abc import Callable

import elote
import glicko2

from benchmark.libraries import Fight, FightMaker, openskill_fight, trueskill_fight
from benchmark.world import Kill


def glicko2_fight(players: list[str]) -> Fight:
    ratings = {player: glicko2.Player() for player in players}

    def fight(kill: Kill) -> None:
        a, b = ratings[kill[0]], ratings[kill[1]]
        before = [a.rating], [a.rd]
        a.update_player([b.rating], [b.rd], [1])
        b.update_player(*before, [0])

    return fight


def elote_fight(make: Callable[[], elote.EloCompetitor | elote.Glicko2Competitor]) -> FightMaker:
    def prepared(players: list[str]) -> Fight:
        ratings = {player: make() for player in players}

        def fight(kill: Kill) -> None:
            ratings[kill[0]].beat(ratings[kill[1]])

        return fight

    return prepared


LIBRARIES: dict[str, FightMaker] = {
    "openskill": openskill_fight,
    "trueskill": trueskill_fight,
    "glicko2": glicko2_fight,
    "elote Glicko-2": elote_fight(elote.Glicko2Competitor),
    "elote Elo": elote_fight(lambda: elote.EloCompetitor(initial_rating=1_000)),
}
