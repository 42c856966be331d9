"""Which of what was read is new: a file that comes again is not, nor what the mod has recorded."""

import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plugin_bridge.importing.happenings import Happening
from plugin_bridge.store.transfer import Known

SPOOL_PREFIX = "import-"
NEAR_SECONDS = 2.0
"""A log tells whole seconds, and some time after the mod: what lies so near is the same."""


@dataclass(frozen=True, slots=True)
class Merged:
    """fresh: what is not in the database yet, in order. before: how many were imported earlier.
    live: how many came over the link already.
    """

    fresh: tuple[Happening, ...]
    before: int
    live: int


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


def merged(read: Sequence[Happening], known: Iterable[Known]) -> Merged:
    """Each known kill or death accounts for one that was read. Cost: O(n log n)."""
    imported: Counter[tuple[float, str | None, str]] = Counter()
    live: dict[tuple[str | None, str], list[float]] = defaultdict(list)
    for one in known:
        if one.spool.startswith(SPOOL_PREFIX):
            imported[one.time, one.killer, one.victim] += 1
        else:
            live[one.killer, one.victim].append(one.time)
    for times in live.values():
        times.sort()
    fresh, before, beside = [], 0, 0
    for happening in read:
        key = (happening.time, *happening.pair)
        if imported[key] > 0:
            imported[key] -= 1
            before += 1
        elif _taken(live.get(happening.pair, []), happening.time):
            beside += 1
        else:
            fresh.append(happening)
    return Merged(tuple(fresh), before, beside)


def _taken(times: list[float], moment: float) -> bool:
    """Takes a time near that moment away; False if there is none."""
    place = bisect_left(times, moment - NEAR_SECONDS)
    if place == len(times) or times[place] > moment + NEAR_SECONDS:
        return False
    del times[place]
    return True


def spool_of(happenings: Iterable[Happening]) -> str:
    """The name of a lane for these: the same for the same content, whatever file it was in."""
    digest = hashlib.sha256()
    for happening in happenings:
        killer, victim = happening.pair
        digest.update(f"{happening.time!r} {killer} {victim}\n".encode())
    return f"{SPOOL_PREFIX}{digest.hexdigest()[:24]}"
