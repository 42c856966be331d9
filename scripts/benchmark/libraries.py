"""One fight in other libraries, each as its manual says, with the ratings kept in a dict."""

from __future__ import annotations

from collections.abc import Callable

import trueskill
from openskill.models import PlackettLuce

from benchmark.world import Kill

Fight = Callable[[Kill], None]
FightMaker = Callable[[list[str]], Fight]


def openskill_fight(players: list[str]) -> Fight:
    model = PlackettLuce()
    ratings = {player: model.rating() for player in players}

    def fight(kill: Kill) -> None:
        a, b, _ = kill
        (ours,), (theirs,) = model.rate([[ratings[a]], [ratings[b]]])
        ratings[a], ratings[b] = ours, theirs

    return fight


def trueskill_fight(players: list[str]) -> Fight:
    world = trueskill.TrueSkill(draw_probability=0.0)
    ratings = dict.fromkeys(players, world.create_rating())

    def fight(kill: Kill) -> None:
        a, b, _ = kill
        ratings[a], ratings[b] = trueskill.rate_1vs1(ratings[a], ratings[b], env=world)

    return fight
