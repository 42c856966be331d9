"""Names: who is called what, and who is meant by what somebody types."""

import unicodedata
from collections.abc import Sequence

from plugin_bridge.store.database import Database, Many
from plugin_bridge.store.erasure import erase
from plugin_bridge.store.rows import NameRow

_PUT = """
INSERT INTO people (player, name, folded, loose, seen) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (player) DO UPDATE SET name = excluded.name, folded = excluded.folded,
loose = excluded.loose, seen = excluded.seen
"""
_RATED = """
SELECT EXISTS (SELECT 1 FROM people WHERE player = ?1)
OR EXISTS (SELECT 1 FROM players WHERE ladder IN (SELECT ladder FROM ladders) AND player = ?1)
OR EXISTS (SELECT 1 FROM contest_standings WHERE player = ?1)
"""
_LOGGED = "SELECT EXISTS (SELECT 1 FROM events WHERE ? IN (killer, victim))"


def written(names: Sequence[NameRow]) -> Many:
    return _PUT, [(n.player, n.name, folded(n.name), loose(n.name), n.seen) for n in names]


class People:
    """The directory of names. Looking up is O(log n)."""

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    async def put(self, names: Sequence[NameRow]) -> None:
        """Notes the names, within the caller's transaction; the latest sighting wins."""
        await self._writer.run_many(*written(names))

    async def forget(self, players: Sequence[str]) -> None:
        """Erases the names of these players, noted again when seen again. Backups keep them.

        See `erasure`. Raises StoreError. Cost: a pass over the log.
        """
        await erase(self._writer, players, await self.names(players))

    async def find(self, typed: str) -> list[NameRow]:
        """Those who may be meant, latest seen first: one when it is clear, none, or several.

        An exact match wins over one in other letter case, and that over one without regard to
        prefixes, spaces and underscores (`.Steve`, `Two_Words`). Of several people with the very
        same name, the one seen last bears it now.
        """
        found = await self._matching("folded", folded(typed)) or await self._matching(
            "loose", loose(typed)
        )
        bearers: dict[str, NameRow] = {}
        for person in found:
            bearers.setdefault(person.name, person)
        return [bearers[typed]] if typed in bearers else list(bearers.values())

    async def names(self, players: Sequence[str]) -> dict[str, str]:
        """The names of these players, as far as they are known."""
        marks = ",".join("?" * len(players))
        rows = await self._reader.rows(
            f"SELECT player, name FROM people WHERE player IN ({marks})",  # noqa: S608
            players,
        )
        return {player: name for player, name in rows if name}

    async def by_id(self, typed: str, *, in_log: bool = False) -> NameRow | None:
        """Whoever has that id, in any letter case if it is no other's, and a name, a rating or a
        part in an event; called by the id where there is no name.

        in_log: or a kill or a death that nothing is stored of, which costs a pass over the log.
        """
        for player in dict.fromkeys((typed, typed.lower())):
            if await self._is_known(player, in_log=in_log):
                names = await self.names([player])
                return NameRow(player, names.get(player, player), 0.0)
        return None

    async def _is_known(self, player: str, *, in_log: bool) -> bool:
        if await self._reader.one(_RATED, (player,)) == (1,):
            return True
        return in_log and await self._reader.one(_LOGGED, (player,)) == (1,)

    async def _matching(self, column: str, value: str) -> list[NameRow]:
        if not value:
            return []
        rows = await self._reader.rows(
            f"SELECT player, name, seen FROM people WHERE {column} = ? "  # noqa: S608
            "ORDER BY seen DESC, player LIMIT 10",
            (value,),
        )
        return [NameRow(*row) for row in rows]


def folded(name: str) -> str:
    """A name without regard to letter case."""
    return unicodedata.normalize("NFKC", name).casefold()


def loose(name: str) -> str:
    """A name without regard to case, leading marks (Bedrock players), spaces and underscores."""
    return folded(name).lstrip(".*!+-~ _").replace(" ", "_")
