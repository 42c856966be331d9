"""The fights of a player, latest first: what was logged, what became of it, and by which rules."""

import json
from collections.abc import Sequence

from adr_core import Parameters
from plugin_bridge.store.database import Database
from plugin_bridge.store.rows import FightRow

_SELECT = f"""
SELECT {", ".join(FightRow.__slots__)}
FROM events CROSS JOIN outcomes USING (position)
WHERE kind = 'kill' AND position > ? AND (killer IN (%(ids)s) OR victim IN (%(ids)s))
  AND (ladder IS NULL OR ladder = ?)
ORDER BY position DESC LIMIT ?
"""  # noqa: S608
"""The order of the tables is kept (CROSS): the log is gone through from its end."""
_RULES = """
SELECT position, detail FROM events
WHERE lane IN (SELECT lane FROM lanes WHERE server = '') AND kind = 'parameters' AND ladder = ?
ORDER BY position DESC
"""
"""Only the daemon's own lanes are looked through: in them are calibrations and the like."""


class RulesThen:
    """The parameters of a ladder as they were at each position of the log."""

    def __init__(self, changes: Sequence[tuple[int, Parameters]]) -> None:
        """`changes`: from which position on each were in force, the latest first."""
        self._changes = changes

    def at(self, position: int) -> Parameters | None:
        """None where there were none yet. O(changes)."""
        return next((rules for since, rules in self._changes if since <= position), None)


class Fights:
    def __init__(self, reader: Database) -> None:
        self._reader = reader

    async def of(
        self, ids: Sequence[str], ladder: str, count: int, *, since: int = 0
    ) -> list[FightRow]:
        """Kills and deaths on a ladder, and those that were not rated, behind position `since`.

        ids: all of one player. Cost: a pass over the log from its end to there, or until so many
        are found.
        """
        sql = _SELECT % {"ids": ",".join("?" * len(ids))}
        values = (since, *ids, *ids, ladder, count)
        return [FightRow(*row) for row in await self._reader.rows(sql, values)]

    async def rules(self, ladder: str) -> RulesThen:
        """Which parameters a ladder has had. Cost: a pass over the calibrations so far."""
        rows = await self._reader.rows(_RULES, (ladder,))
        return RulesThen([(since, Parameters.from_dict(json.loads(text))) for since, text in rows])
