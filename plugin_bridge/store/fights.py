"""The fights of a player, latest first: what was logged and what became of it."""

from plugin_bridge.store.database import Database
from plugin_bridge.store.rows import FightRow

_SELECT = f"""
SELECT {", ".join(FightRow.__slots__)}
FROM events CROSS JOIN outcomes USING (position)
WHERE kind = 'kill' AND position > ? AND (killer = ? OR victim = ?)
  AND (ladder IS NULL OR ladder = ?)
ORDER BY position DESC LIMIT ?
"""  # noqa: S608
"""The order of the tables is kept (CROSS): the log is gone through from its end."""


class Fights:
    def __init__(self, reader: Database) -> None:
        self._reader = reader

    async def of(self, player: str, ladder: str, count: int, *, since: int = 0) -> list[FightRow]:
        """Kills and deaths on a ladder, and those that were not rated, behind position `since`.

        Cost: a pass over the log from its end to there, or until so many are found.
        """
        values = (since, player, player, ladder, count)
        return [FightRow(*row) for row in await self._reader.rows(_SELECT, values)]
