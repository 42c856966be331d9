"""The ladder: one population of rated players, fed with kills."""

from __future__ import annotations

import math
from collections.abc import Collection

from adr_core.carry import carried
from adr_core.checks import SECONDS_PER_DAY, moment, name
from adr_core.cooldown import Cooldown
from adr_core.errors import EventError, ParameterError, UnknownPlayerError
from adr_core.outcome import Calibration, Outcome, TierChange
from adr_core.parameters import Parameters
from adr_core.player import Player, Players, standing
from adr_core.population import Population
from adr_core.rules import kill_probability
from adr_core.state import LadderState, PlayerState
from adr_core.state_rules import check_state
from adr_core.tiers import initial_boundaries, quantile_boundaries, smoothed, ticked
from adr_core.update import Part


class Ladder:
    """Ratings, tiers and ranks of one population (sections 2 to 8).

    A ladder reads no clock and draws no lots: the same calls in the same order give the same
    results. Costs are per call, for P tracked players, A active ones and K tiers; window, n_active
    and K count as constants. Not safe to be used by two threads at once.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        """A ladder with nobody in it. O(K)."""
        if parameters is None:
            parameters = Parameters()
        if not isinstance(parameters, Parameters):
            raise ParameterError("parameters", parameters, "must be a Parameters")
        self._p = parameters
        self._boundaries = initial_boundaries(parameters)
        self._clock: float | None = None
        self._cooldown = Cooldown(parameters.t_cooldown, parameters.pairs_remembered)
        self._crowd = Population(parameters.n_active)
        self._newcomer = PlayerState.initial(parameters)

    # ------------------------------------------------------------------ events

    def kill(self, attacker: str, victim: str, time: float) -> Outcome:
        """`attacker` killed `victim` at `time` (seconds, any epoch). O(log P) on average.

        Raises EventError, and changes nothing, for an empty id, a time that is not a finite
        number, and an attacker who is the victim. A repeat within the cooldown (2.1) changes
        nothing either and is not an error: the outcome says that it was not counted.
        """
        name("attacker", attacker)
        name("victim", victim)
        if attacker == victim:
            raise EventError(f"attacker = victim = {attacker!r}: a suicide is a death, not a kill")
        now = moment(time)
        if self._cooldown.guards(attacker, victim, now):
            return self._excluded(attacker, victim, "cooldown")
        p, crowd = self._p, self._crowd
        a, b = self._tracked(attacker), self._tracked(victim)
        self._advance(now)
        mean = crowd.active_mean()
        ours, theirs = Part(a.state, now, mean, p), Part(b.state, now, mean, p)
        spread = crowd.mean_sigma_with(a, ours.sigma, b, theirs.sigma)
        chance = kill_probability(ours.mu - theirs.mu, spread, p)
        surprise = 1.0 - chance
        blame = chance if p.victim_loss == "winner_probability" else surprise
        gain, loss = ours.rate(p) * surprise, -p.c_loss * theirs.rate(p) * blame
        bounds = self._boundaries
        a_after, a_change = ours.settled(gain, surprise, a.state.streak + 1, bounds, p)
        b_after, b_change = theirs.settled(loss, chance - 1.0, 0, bounds, p)
        crowd.put(a, a_after)
        crowd.put(b, b_after)
        self._cooldown.note(attacker, victim, now)
        return Outcome(
            True,
            None,
            chance,
            a_change,
            b_change,
            ours.before,
            a_after,
            theirs.before,
            b_after,
            (
                *_tier_changes(attacker, ours.before, a_after),
                *_tier_changes(victim, theirs.before, b_after),
            ),
        )

    def recalibrate(self, time: float) -> Calibration:
        """Recompute the boundaries from the active players (6.3), and tick their tiers once.

        The clock moves to `time` if that is later, also when there are too few active players
        for anything else. O(A log A). Raises EventError for a time that is no finite number.
        """
        self._advance(moment(time))
        p, members = self._p, self._crowd.active_members()
        if len(members) < p.p_min:
            return Calibration(False, (), ())
        members.sort(key=standing)
        target = quantile_boundaries([player.mu for player in reversed(members)], p)
        self._boundaries = smoothed(self._boundaries, target, p)
        touched: list[str] = []
        changes: list[TierChange] = []
        for player in members:
            before = player.state
            after = ticked(before, self._boundaries, p)
            if after != before:
                self._crowd.put(player, after)
                touched.append(player.id)
                changes += _tier_changes(player.id, before, after)
        return Calibration(True, tuple(changes), tuple(touched))

    def calibrate(self, time: float) -> bool:
        """Recalibrate, and say only whether the boundaries were recomputed. O(A log A)."""
        return self.recalibrate(time).updated

    # ------------------------------------------------------------------ questions

    @property
    def parameters(self) -> Parameters:
        """The parameters in force."""
        return self._p

    @property
    def boundaries(self) -> tuple[float, ...]:
        """B_1 to B_{K-1}, from the top down (6.3). O(1)."""
        return self._boundaries

    @property
    def clock(self) -> float | None:
        """Greatest time of any counted kill or calibration, seconds; None before the first."""
        return self._clock

    @property
    def players(self) -> Collection[str]:
        """The ids of everybody who took part in a counted kill; a live view. O(1)."""
        return Players(self._crowd.players)

    @property
    def active_count(self) -> int:
        """How many players are active at the clock, before any fallback (2.3). O(1)."""
        return len(self._crowd.active)

    def player(self, player: str) -> PlayerState:
        """A player's stored state, without the decay of an absence that still goes on. O(1).

        Raises UnknownPlayerError.
        """
        return self._known(player).state

    def rank(self, player: str) -> int:
        """1 + the number of players with strictly greater mu (7.4). O(log P) on average.

        Players that share the very same mu are compared one by one. Raises UnknownPlayerError.
        """
        return self._crowd.ranks.rank(self._known(player).mu)

    def top(self, count: int) -> list[tuple[str, PlayerState]]:
        """The `count` best players, by mu and for equal mu by id. O(log P + count) on average."""
        return self.page(0, count)

    def page(self, start: int, count: int) -> list[tuple[str, PlayerState]]:
        """`count` players in that order after skipping `start`. O(log P + count) on average."""
        for number in (start, count):
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise EventError(f"{number!r}: must be a whole number from 0")
        return [(player.id, player.state) for player in self._crowd.ranks.page(start, count)]

    def probability(self, attacker: str, victim: str) -> float:
        """P_ab of 3.1 from the stored states, without decay. O(1). Raises UnknownPlayerError."""
        lead = self._known(attacker).mu - self._known(victim).mu
        return kill_probability(lead, self._crowd.mean_sigma(), self._p)

    # ------------------------------------------------------------------ keeping and changing

    def dump(self) -> LadderState:
        """Everything later results depend on, apart from the parameters. O(P)."""
        players = tuple((key, player.state) for key, player in self._crowd.players.items())
        pairs = tuple(self._cooldown.pairs())
        return LadderState(players, self._boundaries, self._clock, pairs)

    @classmethod
    def load(cls, parameters: Parameters, state: LadderState) -> Ladder:
        """A ladder that goes on from a state, bit for bit as the one that was dumped. O(P).

        Of more than pairs_remembered pairs the newest are kept. Raises StateError, naming player
        and field, for a state that no ladder with these parameters can have.
        """
        ladder = cls(parameters)
        check_state(state, parameters)
        if state.boundaries is not None:
            ladder._boundaries = tuple(float(value) for value in state.boundaries)
        ladder._clock = None if state.clock is None else float(state.clock)
        ladder._cooldown.fill(state.pairs)
        ladder._crowd = Population.of(state.players, parameters.n_active, ladder._edge())
        return ladder

    def reconfigure(self, parameters: Parameters) -> tuple[TierChange, ...]:
        """Go on under other parameters. O(P log P).

        Values outside the new bounds are clipped, windows and event times cut to their new
        lengths. If shares, mu_0 or spread differ, the boundaries are recomputed at once and
        without smoothing, from the active set if it has p_min players, else as for a new ladder;
        then each placed player gets the tier its mu lies in, with empty accumulators. Otherwise
        boundaries and tiers stay. Nobody is placed or loses a tier altogether.

        Returns the players whose tier number differs, best mu first; `before` counts in the old
        tiers, `after` in the new ones. Raises ParameterError and changes nothing for anything
        but a Parameters.
        """
        if not isinstance(parameters, Parameters):
            raise ParameterError("parameters", parameters, "must be a Parameters")
        old = self.dump()
        fresh = Ladder.load(parameters, carried(old, self._p, parameters))
        self._p = parameters
        self._boundaries = fresh._boundaries
        self._cooldown = fresh._cooldown
        self._crowd = fresh._crowd
        self._newcomer = fresh._newcomer
        before = dict(old.players)
        changes: list[TierChange] = []
        for player in sorted(self._crowd.players.values(), key=standing):
            changes += _tier_changes(player.id, before[player.id], player.state)
        return tuple(changes)

    # ------------------------------------------------------------------ inside

    def _known(self, player: str) -> Player:
        found = self._crowd.players.get(player)
        if found is None:
            raise UnknownPlayerError(player)
        return found

    def _tracked(self, player: str) -> Player:
        found = self._crowd.players.get(player)
        return self._crowd.enter(player, self._newcomer) if found is None else found

    def _advance(self, time: float) -> None:
        """The clock never goes back, so that a late packet does not revive the past (2.3)."""
        if self._clock is None or time > self._clock:
            self._clock = time
            self._crowd.active.advance(self._edge())

    def _edge(self) -> float:
        if self._clock is None:
            return -math.inf
        return self._clock - self._p.t_active * SECONDS_PER_DAY

    def _excluded(self, attacker: str, victim: str, reason: str) -> Outcome:
        a, b = (self._crowd.players.get(player) for player in (attacker, victim))
        ours, theirs = a.state if a else None, b.state if b else None
        return Outcome(False, reason, None, 0.0, 0.0, ours, ours, theirs, theirs, ())


def _tier_changes(player: str, before: PlayerState, after: PlayerState) -> tuple[TierChange, ...]:
    if after.tier is None or after.tier == before.tier:
        return ()
    return (TierChange(player, before.tier, after.tier),)
