"""What the end of a season makes of a ladder. Pure."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from adr_core import Ladder, LadderState, Parameters, PlayerState
from adr_core.checks import clip
from plugin_bridge.history.amendments import SeasonEnd
from plugin_bridge.store.rows import LogEntry, Record, SeasonPlaceRow, SeasonRow

NOBODY = Record(0, 0, 0)


def restarted(ladder: Ladder, kept: float) -> Ladder:
    """The ladder at the start of another season. O(P).

    Without anything kept it is a new one, but for its clock, which never goes back. Else each
    rating and each border of the tiers moves towards the starting rating, in one proportion: so
    everybody stays in the same tier. Each uncertainty is at least what a placement asks for, and
    streak, trend, pool and the ways to the next tiers begin anew.
    """
    p, state = ladder.parameters, ladder.dump()
    if not kept:
        return Ladder.load(p, LadderState(clock=state.clock))

    def begun(before: PlayerState) -> PlayerState:
        return replace(
            before,
            mu=clip(moved(before.mu, kept, p), p.mu_min, p.mu_max),
            sigma=clip(max(before.sigma, p.sigma_place), p.sigma_min, p.sigma_max),
            streak=0,
            trend=0.0,
            pool=clip(0.0, p.nu_min, p.nu_max),
            promotion=0.0,
            demotion=0.0,
        )

    return Ladder.load(
        p,
        replace(
            state,
            players=tuple((player, begun(before)) for player, before in state.players),
            boundaries=tuple(moved(border, kept, p) for border in ladder.boundaries),
        ),
    )


def moved(rating: float, kept: float, p: Parameters) -> float:
    """A rating, or the border of a tier, nearer to the starting rating."""
    return p.mu_0 + kept * (rating - p.mu_0)


def season_row(entry: LogEntry, end: SeasonEnd) -> SeasonRow:
    return SeasonRow(
        season=entry.position,
        ladder=end.ladder,
        name=end.name,
        ended=entry.time,
        kept=end.kept,
        tiers=msgspec.json.encode(end.tiers).decode(),
    )


def final_board(
    season: int, ladder: Ladder, now: Mapping[str, Record], then: Mapping[str, Record]
) -> list[SeasonPlaceRow]:
    """Everybody on the ladder, the best first. O(P).

    now, then: the records of players at the end of the season, and at its start.
    """
    rows: list[SeasonPlaceRow] = []
    for number, (player, state) in enumerate(ladder.top(len(ladder.players)), start=1):
        shared = bool(rows) and rows[-1].rating == state.mu
        before, after = then.get(player, NOBODY), now.get(player, NOBODY)
        rows.append(
            SeasonPlaceRow(
                season=season,
                player=player,
                place=rows[-1].place if shared else number,
                rating=state.mu,
                uncertainty=state.sigma,
                tier=state.tier,
                kills=after.kills - before.kills,
                deaths=after.deaths - before.deaths,
            )
        )
    return rows
