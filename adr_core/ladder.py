"""The ladder: one population of rated players, fed with kills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adr_core.checks import LATEST, moment, name
from adr_core.cooldown import Cooldown, Key
from adr_core.errors import EventError, ParameterError
from adr_core.ladder_state import LadderState
from adr_core.outcome import Outcome, TierChange
from adr_core.parameters import Parameters
from adr_core.population import Population
from adr_core.rules import kill_probability, learning_rate, pair_weight
from adr_core.side import Side, settle
from adr_core.state import PlayerState, Stored
from adr_core.state_rules import check_state, checked_players, stored
from adr_core.steps import finished, let_go, portions
from adr_core.tiering import Tiering, tier_change

_GUARDED: Final = Outcome("cooldown", None, None, None, (), 0.0)
_COUNTED: Final = Outcome(None, None, None, None, (), 0.0)
"""All that is made known of a counted kill when it is not to be told."""


class Ladder(Tiering):
    """Ratings, tiers and ranks of one population (sections 2 to 8).

    A ladder reads no clock and draws no lots: the same calls in the same order give the same
    results. Costs are per call, for P tracked players, A active ones and K tiers; window, n_active
    and K count as constants. Not safe to be used by two threads at once.
    """

    __slots__ = ("_cooldown", "_newcomer")

    def __init__(self, parameters: Parameters | None = None) -> None:
        """A ladder with nobody in it; without parameters, by the letter of the paper. O(K)."""
        if parameters is None:
            parameters = Parameters()
        if not isinstance(parameters, Parameters):
            raise ParameterError("parameters", parameters, "must be a Parameters")
        super().__init__(parameters)
        self._cooldown = Cooldown(parameters.t_cooldown, parameters.pairs_remembered)
        self._newcomer = PlayerState.initial(parameters)

    def kill(self, attacker: str, victim: str, time: float) -> Outcome:
        """`attacker` killed `victim` at `time` (seconds, any epoch). O(log P) on average.

        Raises EventError, and changes nothing, for an empty id, a time that is not a finite
        number, and an attacker who is the victim. A repeat within the cooldown (2.1) changes
        nothing either and is not an error: the outcome says that it was not counted.

        Two rare calls pay for many: the first after a long silence lets the active players go,
        O(A log A), and the one that doubles the players lays the rank index out again, O(P).
        """
        return self._rated(attacker, victim, _checked(attacker, victim, time), True)

    def replay(self, kills: Iterable[tuple[str, str, float]]) -> int:
        """`kill` for each attacker, victim and time, without outcomes; how many were counted.

        Leaves what as many calls of `kill` would have left, to the last bit, in less time: the
        rank index, which nobody asks meanwhile, is made once in the end. O(log P) a kill on
        average, and O(P). Raises EventError as `kill`; what came before is kept.
        """
        counted = 0
        self._crowd.keep_ranks(False)
        try:
            for attacker, victim, time in kills:
                now = _checked(attacker, victim, time)
                if self._rated(attacker, victim, now, False) is _COUNTED:
                    counted += 1
        finally:
            self._crowd.keep_ranks(True)
        return counted

    def _rated(self, attacker: str, victim: str, now: float, told: bool) -> Outcome:
        """Rates a kill, and makes an outcome of it if it is to be told. O(log P)."""
        pair: Key = (attacker, victim)
        cooldown = self._cooldown
        if cooldown.guards(pair, now):
            return _GUARDED
        p, crowd, bounds = self._p, self._crowd, self._boundaries
        players = crowd.players
        a = players.get(attacker) or crowd.enter(attacker, self._newcomer, p)
        b = players.get(victim) or crowd.enter(victim, self._newcomer, p)
        crowd.active.advance(now)
        mean = crowd.active_mean()
        ours, theirs = Side(a, now, mean, p), Side(b, now, mean, p)
        decay = ours.sigma - a.sigma + (theirs.sigma - b.sigma)
        chance = kill_probability(ours.mu - theirs.mu, crowd.mean_sigma(decay), p)
        surprise = 1.0 - chance
        blame = chance if p.victim_loss == "winner_probability" else surprise
        rate = learning_rate(ours.sigma, ours.streak, ours.shaken, ours.trend, p)
        slope = learning_rate(theirs.sigma, theirs.streak, theirs.shaken, theirs.trend, p)
        weight, flow = 1.0, 0.0
        if p.pair_limit:
            flow = cooldown.flow(pair, now)
            net = flow - cooldown.flow((victim, attacker), now)
            weight = pair_weight(rate * net, crowd.active_count(), p)
            flow += weight * surprise
        gain, loss = weight * rate * surprise, -weight * p.c_loss * slope * blame
        if p.recentring:
            shift = weight * p.recentring * (p.mu_0 - crowd.mean_mu())
            gain, loss = gain + shift, loss + shift
        tier, other = a.tier, b.tier
        a.streak, b.streak = a.streak + 1, 0
        settle(a, ours, gain, surprise, weight, bounds, now, p)
        settle(b, theirs, loss, -surprise, weight, bounds, now, p)
        crowd.follow(a)
        crowd.follow(b)
        cooldown.note(pair, now, flow)
        if not told:
            return _COUNTED
        changes: tuple[TierChange, ...] = ()
        if a.tier != tier or b.tier != other:
            changes = (*tier_change(a, tier), *tier_change(b, other))
        return Outcome(None, chance, ours, theirs, changes, flow)

    def dump(self) -> LadderState:
        """Everything later results depend on, apart from the parameters. O(P)."""
        players = tuple((key, player.state(self._p)) for key, player in self._crowd.players.items())
        pairs = tuple(self._cooldown.pairs())
        return LadderState(players, self._boundaries, self.clock, pairs)

    @classmethod
    def load(cls, parameters: Parameters, state: LadderState) -> Ladder:
        """A ladder that goes on from a state, bit for bit as the one that was dumped. O(P).

        Of more than pairs_remembered pairs the newest are kept. Raises StateError, naming player
        and field, for a state that no ladder with these parameters can have.
        """
        return cls.restore(parameters, state, portions(stored(state.players)))

    @classmethod
    def restore(
        cls, parameters: Parameters, state: LadderState, players: Iterable[Sequence[Stored]]
    ) -> Ladder:
        """`load` with players that come some hundred at a time, in place of those in the state.

        Each is a tuple of its id and, behind it, what `PlayerState.packed` gives: so a million of
        them need never be in memory twice, nor be made into states.
        """
        check_state(state, parameters)
        return cls._of(parameters, state, checked_players(players, parameters, state.clock))

    @classmethod
    def _of(
        cls, parameters: Parameters, state: LadderState, players: Iterable[Sequence[Stored]]
    ) -> Ladder:
        ladder = cls(parameters)
        if state.boundaries is not None:
            ladder._boundaries = tuple([float(value) for value in state.boundaries])
        ladder._cooldown.fill(state.pairs)
        clock = None if state.clock is None else float(state.clock)
        ladder._crowd = Population.of(players, clock, parameters)
        return ladder

    def reconfigure(self, parameters: Parameters, *, told: bool = True) -> tuple[TierChange, ...]:
        """Go on under other parameters. O(P), in which other threads have their turn.

        Values outside the new bounds are clipped, windows and event times cut to their new
        lengths. If shares, mu_0 or spread differ, the boundaries are recomputed at once and
        without smoothing, from the active set if it has p_min players, else as for a new ladder;
        then each placed player gets the tier its mu lies in, with empty accumulators. Otherwise
        boundaries and tiers stay. Nobody is placed or loses a tier altogether.

        Returns the players whose tier number differs, best mu first; `before` counts in the old
        tiers, `after` in the new ones; nobody where it is not to be told. Raises ParameterError
        and changes nothing for anything but a Parameters.
        """
        if not isinstance(parameters, Parameters):
            raise ParameterError("parameters", parameters, "must be a Parameters")
        old, p = self._p, parameters
        if not p.keeps_as(old):
            state = LadderState((), None, self.clock, tuple(self._cooldown.pairs()))
            fresh = Ladder._of(p, state, self._fitted(p))
            pieces = self._crowd.pieces()
            self._p, self._cooldown, self._crowd = p, fresh._cooldown, fresh._crowd
            let_go(pieces)
        self._p, self._newcomer = p, PlayerState.initial(p)
        return () if p.divides_as(old) else finished(self._divided(told))

    def _fitted(self, p: Parameters) -> Iterator[list[Stored]]:
        """Everybody as they are kept under other parameters, some at a time.

        No generator expression: mypyc makes a whole list of one.
        """
        for some in portions(self._crowd.players.values()):
            yield [(one.id, *one.state(self._p).fitted(p).packed()) for one in some]


def _checked(attacker: object, victim: object, time: object) -> float:
    """The time of a kill as a float; raises EventError for what can be none."""
    texts = type(attacker) is type(victim) is str and attacker and victim and attacker != victim
    if texts and type(time) is float and -LATEST <= time <= LATEST:  # NaN compares false
        return time
    name("attacker", attacker)
    name("victim", victim)
    if attacker == victim:
        raise EventError(f"attacker = victim = {attacker!r}: a suicide is a death, not a kill")
    return moment(time)
