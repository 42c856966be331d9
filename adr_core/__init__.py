"""Adaptive Dynamic Rating: ratings, tiers and ranks for free-for-all arenas.

Feed a `Ladder` with kills, and it keeps for every player a skill estimate with its uncertainty,
divides the population into tiers, and answers who stands where::

    from adr_core import Ladder, Parameters

    ladder = Ladder(Parameters.consistent())
    outcome = ladder.kill("ada", "bob", 0.0)        # times in seconds, of any epoch
    ladder.player("ada").mu, ladder.rank("ada")     # (1017.5..., 1)
    ladder.recalibrate(3600.0)                      # now and then: move the tier boundaries
    text = ladder.dump().to_json()                  # and Ladder.load goes on from there

Nothing in here reads a clock, a file or a source of chance. What a ladder does follows from its
parameters and the calls it got, and a ladder loaded from a dump continues to the last bit as the
dumped one would have. (The bits hold for one build of the C library, which supplies atan and exp.)

The algorithm is that of "Adaptive Dynamic Rating with Self-Adaptive Uncertainty and
Population-Based Tier Calibration" (R. Deng, 2026). Numbers such as 6.3 are its sections. The paper
fixes the equations; the rest of this page says what was decided where it leaves a choice.

One counted kill, step by step
------------------------------
2.1 Cooldown. A kill is measured against the same ordered pair's last *counted* kill, the last to
    arrive, in both directions of time; exactly one cooldown apart counts. A repeat leaves
    everything alone, the clock and the list of known players included. What is remembered are the
    `pairs_remembered` pairs counted last, whatever their age, so that old news arriving in bulk is
    still guarded.
2.2 Being tracked means having been in a counted kill. A newcomer joins before anything is
    computed and so is part of the means of its first kill.
2.3 Activity is looked up at the ladder's clock: the greatest time of any counted kill or
    calibration, the current one included. The clock never goes back. A player is active when
    `n_active` of its event times are later than the clock less `t_active`; the current kill is
    not yet one of them. With nobody active the active set is everybody.
3.2 The mean uncertainty is taken after both players have decayed.
4.1 Both learning rates come from the states before the kill; the victim's lost streak still
    quickens its own. The base is the peak-shaped one of 8.1 for everybody.
4.2 Order of limits: safeguards, then the cap of 8.4, then the bounds. Wherever the paper goes on
    with a change of mu (4.3, 4.5), it is the visible one, after all of them.
4.3 Uncertainty is clipped to both of its bounds, not to the lower alone.
5   Decay. The active mean is taken once, before either player decays. Somebody new does not decay,
    nor does anybody by an event that arrives late, which also leaves the time of the last event.
8.2 The safeguards hold for killer and victim alike, whoever was away for *more than* `t_return`.

Tiers
-----
6.1 A placed player stays placed, however uncertain its rating becomes.
6.3 Any number of tiers from two; tiers are numbered from 1, the best, and have no names here.
    Until the first calibration the boundaries are normal quantiles with mean `mu_0` and standard
    deviation `spread`, for a server may never see `p_min` players. The quantile F⁻¹(y) is the
    lowest rating that a share y of the active players does not exceed. A calibration is an event
    with a time; after the boundaries it ticks the accumulators of each active placed player once,
    and tests the other active players for placement.
6.4 Placement is by interval. Then the accumulators alone move a player, one tier at a time.
7.4 The rank is one more than the number of tracked players with strictly greater mu.

Where the paper disagrees with itself
-------------------------------------
In three places an equation and the words about it cannot both hold. `Parameters.paper()`, the
default, keeps the equations; `Parameters.consistent()` keeps the words; each is a switch.

`victim_loss` (4.2 and 7.5). By the equation the victim loses in proportion to the probability of
    what happened, so that a hopeless underdog loses most and a beaten favourite hardly anything,
    and ratings drift apart without end. 7.5 describes an update by the prediction error, and so
    does "prediction_error": the victim loses in proportion to how surprising its death was.
`return_events` (5, 8.2 and 8.3). Decay moves the last event to now, so by the letter an absence is
    forgotten after a single event, while 8.3 speaks of score that is released over the following
    ones. More than 1 keeps as many events under the safeguards.
`pool_drains` (8.3). The equation pays a share of the pool out and leaves the pool as it was, to be
    paid out again. When it drains, what is paid out is gone from the pool before the new share
    enters, and after the last safeguarded event the rest flows out at the same rate.

Where the paper predicts worse than others
------------------------------------------
`Parameters.calibrated()` is the consistent reading with what it takes to foretell kills better than
tuned Elo, Glicko-2 and TrueSkill, in most simulated arenas and on kills of real servers, and to be
hard to farm. The state of a player is the same. Its numbers were chosen on streams of their own.
Each switch is there because without it, all else tuned anew, predictions are worse or the mean
moves; streak and volatility (4.1) brought nothing and rest at 0.

`link` (3.1). "logistic": a lead of D means odds of 10 to 1, as for Elo. The arctangent leaves the
    hopeless a chance that they do not have.
`peak_power` (8.1). The peak-shaped term to this power. With 2, and a peak far above any
    uncertainty, a rating learns in proportion to its variance, as an optimal filter would.
`evidence` (4.3). "outcome": an event teaches P(1-P) of 1/γ², for a foregone conclusion teaches
    nothing.
`trend_noise` (4.3). Above 0, uncertainty grows by this times the squared trend in place of the
    squared change: whoever keeps winning or losing against expectation is no longer known well,
    while the ups and downs of chance make nobody uncertain.
`pair_limit` (2.1 and 7.3). Above 0, what the attacker has lately won from this victim, in points
    and less what went back, weighs the kill: the nearer to the limit, the less of a kill it is, in
    gain and loss, uncertainty and trend, for both. It fades by the factor e in a day. Pairs that
    trade kills stay near nothing, and so do honest ones among many; where fewer than 31 players are
    active the limit grows in proportion, for they meet too often for that. Where pairs fight many
    times in a row, as in duels, it hides honest differences, and where events have no times nothing
    ever fades: there it should be off. It works under any preset. A kill that arrives late finds
    what there is, for nothing fades backwards.
`recentring` (4.2). This share of the distance of everybody's mean from `mu_0`, taken before
    the two decay, goes to both players of a kill. The trend of 4.1, which quickens rises alone,
    would else carry the mean away over months.

Beside the ladder, `rate_contest` rates timed events as a whole, by another published algorithm; it
is explained in `adr_core.contest`.
"""

from adr_core.contest import ContestResult, Standing, rate_contest
from adr_core.contest_parameters import ContestParameters
from adr_core.errors import (
    EventError,
    ParameterError,
    RatingError,
    StateError,
    UnknownPlayerError,
)
from adr_core.ladder import Ladder
from adr_core.ladder_state import LadderState
from adr_core.outcome import Calibration, Outcome, TierChange
from adr_core.parameters import Parameters
from adr_core.side import Side
from adr_core.state import PlayerState

__all__ = [
    "Calibration",
    "ContestParameters",
    "ContestResult",
    "EventError",
    "Ladder",
    "LadderState",
    "Outcome",
    "ParameterError",
    "Parameters",
    "PlayerState",
    "RatingError",
    "Side",
    "Standing",
    "StateError",
    "TierChange",
    "UnknownPlayerError",
    "rate_contest",
]
