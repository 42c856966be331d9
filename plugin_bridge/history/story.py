"""What has moved a player's rating lately: the fights, seen from that player's side, and the rest.

Read in one place, and told elsewhere: in the game in words, on the command line as a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from adr_core import Parameters
from plugin_bridge.history.between import Change, changes
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.steps import Step, Why, steps, why
from plugin_bridge.store import Store
from plugin_bridge.store.fights import RulesThen
from plugin_bridge.store.rows import FightRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One fight of a player. `before`, `after`: this player's rating, where it is kept.

    chance: how probable it was that the killer would win; None if the fight was not counted, and
    then `reason` says why. step: None if it was rated before steps were kept.
    """

    time: float
    killed: bool
    opponent: str
    reason: str | None
    chance: float | None
    before: float | None
    after: float | None
    step: Step | None

    @property
    def change(self) -> float:
        """What the fight did to the rating, in points."""
        return self.step.change if self.step else (self.after or 0.0) - (self.before or 0.0)

    def why(self, rules: Parameters | None) -> Why | None:
        """What made the step by these parameters; None where one of the two is missing."""
        if self.step is None or self.chance is None or rules is None:
            return None
        return why(self.step, self.chance, rules, killed=self.killed)


@dataclass(frozen=True, slots=True)
class Story:
    """`told`: fights, and what else moved the rating since the first of them, by their positions
    in the log, the oldest first. `names`: of everybody in it, as far as they are known.
    `rules`: the parameters of each day.
    """

    told: dict[int, Part | Change]
    names: dict[str, str]
    rules: RulesThen


async def story(
    store: Store, revision: Revision, ids: Sequence[str], ladder: str, count: int, *, since: int = 0
) -> Story:
    """The latest `count` fights of a player on a ladder, behind position `since` of the log.

    ids: as for `changes`. Without a fight, all that has ever moved the rating.
    Cost: as that of `Fights.of` and `Fights.rules`.
    """
    fights = await store.fights.of(ids, ladder, count, since=since)
    told: dict[int, Part | Change] = {fight.position: _part(fight, ids) for fight in fights}
    told |= changes(revision, ids, ladder, behind=fights[-1].position if fights else 0)
    people = dict.fromkeys([*ids, *(fight.against(ids) for fight in fights)])
    names = await store.people.names(list(people))
    return Story(dict(sorted(told.items())), names, await store.fights.rules(ladder))


def _part(fight: FightRow, ids: Sequence[str]) -> Part:
    killed = fight.killer in ids
    return Part(
        time=fight.time,
        killed=killed,
        opponent=fight.against(ids),
        reason=fight.reason,
        chance=fight.probability if fight.reason is None else None,
        before=fight.killer_before if killed else fight.victim_before,
        after=fight.killer_after if killed else fight.victim_after,
        step=steps(fight.steps)[0 if killed else 1] if fight.steps else None,
    )
