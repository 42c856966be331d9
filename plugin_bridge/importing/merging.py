"""Which of what was read is new: a file that comes again is not, nor what the mod has recorded."""

import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plugin_bridge.importing.happenings import Being, Happening
from plugin_bridge.importing.recorded import Recorded
from plugin_bridge.store.transfer import Known

SPOOL_PREFIX = "import-"
NEAR_SECONDS = 2.0
"""A log tells whole seconds, and some time after the mod: what lies so near is the same."""
_Pair = tuple[str | None, str]


@dataclass(frozen=True, slots=True)
class Merged:
    """fresh: what is not in the database yet, in order. before: how many were imported earlier.
    live: how many came over the link already. otherwise: names in what is new, with an id that the
    database does not know, and the one under which it knows somebody of that name.
    """

    fresh: tuple[Happening, ...]
    before: int
    live: int
    otherwise: tuple[tuple[str, str, str], ...]


def united(files: Iterable[Sequence[Happening]]) -> list[Happening]:
    """What several files tell, in order of time; what is in more than one of them, once.

    A log may be given together with a copy of it. Within a file nothing is taken for the same.
    Cost: O(n log n).
    """
    together: Counter[tuple[float, str | None, str]] = Counter()
    found: list[Happening] = []
    for file in files:
        here: Counter[tuple[float, str | None, str]] = Counter()
        for happening in file:
            key = (happening.time, *happening.pair)
            here[key] += 1
            if here[key] > together[key]:
                together[key] += 1
                found.append(happening)
    found.sort(key=lambda happening: happening.time)
    return found


def merged(read: Sequence[Happening], there: Recorded) -> Merged:
    """Each known kill or death accounts for one that was read: of the same ids, or else of the same
    names, for ids may have been found in another way then. Cost: O(n log n).
    """

    def called(player: str, name: str | None = None) -> str:
        return there.names.get(player) or name or player

    def by_id(being: Being) -> str:
        return being.id

    def by_name(being: Being) -> str:
        return called(being.id, being.name)

    fresh: Sequence[Happening] = read
    known = [(one, (one.killer, one.victim)) for one in there.kills]
    before = live = 0
    for who in (by_id, by_name):
        accounts = _Accounts(known)
        fresh = [one for one in fresh if not accounts.take(one, who)]
        before, live = before + accounts.before, live + accounts.live
        known = [
            (one, (one.killer and called(one.killer), called(one.victim)))
            for one in accounts.left()
        ]
    return Merged(tuple(fresh), before, live, _otherwise(fresh, there))


class _Accounts:
    """Known kills and deaths, each with those who were in it; each can be taken once."""

    def __init__(self, known: Iterable[tuple[Known, _Pair]]) -> None:
        self.before = self.live = 0
        self._imported: dict[tuple[float, _Pair], list[Known]] = defaultdict(list)
        self._live: dict[_Pair, list[Known]] = defaultdict(list)
        for one, pair in known:
            if one.spool.startswith(SPOOL_PREFIX):
                self._imported[one.time, pair].append(one)
            else:
                self._live[pair].append(one)
        for kills in self._live.values():
            kills.sort(key=_time)

    def take(self, happening: Happening, who: Callable[[Being], str]) -> bool:
        """Whether one of them is this one; it is gone then."""
        killer = happening.killer
        pair = (who(killer) if killer else None, who(happening.victim))
        if self._imported.get((happening.time, pair)):
            self._imported[happening.time, pair].pop()
            self.before += 1
            return True
        near = self._live.get(pair, [])
        place = bisect_left(near, happening.time - NEAR_SECONDS, key=_time)
        if place < len(near) and near[place].time <= happening.time + NEAR_SECONDS:
            del near[place]
            self.live += 1
            return True
        return False

    def left(self) -> list[Known]:
        return [
            one for group in (self._imported, self._live) for kept in group.values() for one in kept
        ]


def _time(known: Known) -> float:
    return known.time


def _otherwise(fresh: Iterable[Happening], there: Recorded) -> tuple[tuple[str, str, str], ...]:
    beings = {being for one in fresh for being in (one.killer, one.victim) if being}
    named = sorted({(being.name, being.id) for being in beings if being.name})
    return tuple(
        (name, player, there.ids[name])
        for name, player in named
        if name in there.ids and player not in there.names
    )


def spool_of(happenings: Iterable[Happening]) -> str:
    """The name of a lane for these: the same for the same content, whatever file it was in."""
    digest = hashlib.sha256()
    for happening in happenings:
        killer, victim = happening.pair
        digest.update(f"{happening.time!r} {killer} {victim}\n".encode())
    return f"{SPOOL_PREFIX}{digest.hexdigest()[:24]}"
