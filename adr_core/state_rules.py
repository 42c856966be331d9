"""What a stored state must keep to, checked before a ladder is built on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import le
from typing import Final, NoReturn

from adr_core.checks import CEILING, LATEST, real
from adr_core.cooldown import Pair
from adr_core.errors import StateError
from adr_core.ladder_state import LadderState
from adr_core.parameters import Parameters
from adr_core.state import PlayerState, Stored
from adr_core.usual import usual

_FLOATS: Final = {float}


def check_state(state: LadderState, p: Parameters) -> None:
    """Raises StateError for what no ladder with these parameters can have, but for the players."""
    if not isinstance(state, LadderState):
        raise StateError(f"must be a LadderState, not {state!r}")
    if state.clock is not None and not _within(state.clock, -LATEST, LATEST):
        raise StateError(f"clock = {state.clock!r}: must be a finite time in seconds, or None")
    if state.boundaries is not None:
        _check_boundaries(state.boundaries, p)
    _check_pairs(state.pairs)


def stored(players: Iterable[tuple[str, PlayerState]]) -> Iterator[Stored]:
    """Each with its state packed, where it can be; else with the state, for the rules to name."""
    for player, state in players:
        if isinstance(state, PlayerState) and _packable(state.window) and _packable(state.recent):
            yield player, *state.packed()
        else:
            yield player, state


def _packable(numbers: object) -> bool:
    return type(numbers) is tuple and set(map(type, numbers)) <= _FLOATS


def checked_players(
    players: Iterable[Sequence[Stored]], p: Parameters, clock: float | None
) -> Iterator[Sequence[Stored]]:
    """The players, each looked at first; raises StateError for one whom no ladder can have."""
    ids: set[str] = set()
    for some in players:
        yield _checked(some, ids, p, clock)


def _checked(
    some: Sequence[Stored], ids: set[str], p: Parameters, clock: float | None
) -> Sequence[Stored]:
    """Some players, looked at all at once; where one is unusual, in halves, down to that one."""
    if not some:
        return some
    if usual(some, p, clock):
        fresh = {one[0] for one in some}
        if len(fresh) == len(some) and ids.isdisjoint(fresh):
            ids |= fresh
            return some
    if len(some) == 1:
        return [_looked_at(some[0], ids, p, clock)]
    half = len(some) // 2
    return [*_checked(some[:half], ids, p, clock), *_checked(some[half:], ids, p, clock)]


def _looked_at(one: Stored, ids: set[str], p: Parameters, clock: float | None) -> Stored:
    player, state = one[0], one[1]
    if not isinstance(player, str) or not player:
        raise StateError(f"player {player!r}: an id must be a text that is not empty")
    if player in ids:
        raise StateError(f"player {player!r}: is there twice")
    if len(one) > 2:
        try:
            state = PlayerState.unpacked(one[1:])
        except (TypeError, ValueError) as error:
            raise StateError(f"player {player!r}: {error}") from error
    ids.add(player)
    check_player(player, state, p, clock)
    return player, *state.packed()


def check_player(player: str, state: PlayerState, p: Parameters, clock: float | None) -> None:
    """Raises StateError naming the player, the field, its value and the rule. O(window)."""
    if not isinstance(state, PlayerState):
        raise StateError(f"player {player!r}: must be a PlayerState, not {state!r}")
    _check_numbers(player, state, p)
    for field, count, most in (
        ("streak", state.streak, None),
        ("events", state.events, None),
        ("returning", state.returning, p.return_events),
    ):
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            _fail(player, field, count, "must be a whole number from 0")
        if most is not None and count > most:
            _fail(player, field, count, f"must be at most {most}")
    _check_times(player, state, p, clock)
    _check_tier(player, state, p)


def _check_numbers(player: str, state: PlayerState, p: Parameters) -> None:
    for field, value, low, high in (
        ("mu", state.mu, p.mu_min, p.mu_max),
        ("sigma", state.sigma, p.sigma_min, p.sigma_max),
        ("trend", state.trend, -1.0, 1.0),
        ("pool", state.pool, p.nu_min, p.nu_max),
        ("promotion", state.promotion, 0.0, CEILING),
        ("demotion", state.demotion, 0.0, CEILING),
    ):
        if not _within(value, low, high):
            _fail(player, field, value, f"must be a number from {low!r} to {high!r}")


def _check_times(player: str, state: PlayerState, p: Parameters, clock: float | None) -> None:
    window, recent = state.window, state.recent
    last: float | None = state.last_event
    if not isinstance(window, tuple) or len(window) > p.window:
        _fail(player, "window", window, f"must be a tuple of at most {p.window} numbers")
    if not _all_within(window, 0.0, 2 * CEILING):
        _fail(player, "window", window, "must hold finite numbers from 0")
    if not isinstance(recent, tuple) or len(recent) > min(p.n_active, state.events):
        _fail(player, "recent", recent, f"must be a tuple of at most {p.n_active} event times")
    if not _all_within(recent, -LATEST, LATEST) or not _rises(recent):
        _fail(player, "recent", recent, "must hold finite times, ascending")
    if last is None:
        if state.events:
            _fail(player, "last_event", last, "must be a time, since there are events")
        return
    if not _within(last, -LATEST, LATEST) or clock is None or last > clock:
        _fail(player, "last_event", last, f"must be a time up to the clock ({clock!r})")
    if recent and recent[-1] > last:
        _fail(player, "recent", recent, f"must not go beyond last_event ({last!r})")


def _check_tier(player: str, state: PlayerState, p: Parameters) -> None:
    tier: int | None = state.tier
    if tier is None:
        if state.promotion or state.demotion:
            _fail(player, "tier", tier, "must be a tier, since there is promotion or demotion")
    elif isinstance(tier, bool) or not isinstance(tier, int) or not 1 <= tier <= p.tiers:
        _fail(player, "tier", tier, f"must be a whole number from 1 to {p.tiers}, or None")


def _check_boundaries(boundaries: tuple[float, ...], p: Parameters) -> None:
    if len(boundaries) != p.tiers - 1:
        raise StateError(f"boundaries: {p.tiers} tiers need {p.tiers - 1}, not {len(boundaries)}")
    if not _all_within(boundaries, -1e11, 1e11):
        raise StateError(f"boundaries = {boundaries!r}: must be finite numbers")
    if not _rises(boundaries[::-1]):
        raise StateError(f"boundaries = {boundaries!r}: must be listed from the top down")


def _check_pairs(pairs: Iterable[Pair]) -> None:
    seen: set[tuple[str, str]] = set()
    for attacker, victim, time, flow in pairs:
        where = f"the pair {attacker!r}, {victim!r}"
        if not all(isinstance(player, str) and player for player in (attacker, victim)):
            raise StateError(f"{where}: ids must be texts that are not empty")
        if attacker == victim:
            raise StateError(f"{where}: must be two players")
        if (attacker, victim) in seen:
            raise StateError(f"{where}: is there twice")
        if not _within(time, -LATEST, LATEST):
            raise StateError(f"{where}: time = {time!r}: must be a finite time in seconds")
        if not _within(flow, 0.0, CEILING):
            raise StateError(f"{where}: flow = {flow!r}: must be a finite number from 0")
        seen.add((attacker, victim))


def _within(value: object, low: float, high: float) -> bool:
    number = real(value)
    return number is not None and low <= number <= high


def _all_within(values: tuple[float, ...], low: float, high: float) -> bool:
    return all(_within(value, low, high) for value in values)


def _rises(values: tuple[float, ...]) -> bool:
    """Whether they are in order; NaN is in no order."""
    return all(map(le, values, values[1:]))


def _fail(player: str, field: str, value: object, rule: str) -> NoReturn:
    raise StateError(f"player {player!r}: {field} = {value!r}: {rule}")
