"""What has been taken back of the past. Pure: it follows from the amendments in the log.

What is stored follows from the log with its amendments.
"""

from collections.abc import Iterable
from itertools import chain

from msgspec.structs import replace

from plugin_bridge.history.amendments import Amendment, Exclude, Forget, Merge, Selector, Undo, read
from plugin_bridge.store.rows import LogEntry


class Revision:
    """How the log is to be read. It never changes; another one takes its place.

    `revised`: the position of the last amendment in it; 0 if there is none.
    """

    def __init__(self, amendments: Iterable[LogEntry] = ()) -> None:
        """`amendments`: entries of the log in their order. Raises StoreRefused."""
        made = {entry.position: read(entry) for entry in amendments}
        undone: set[int] = set()
        for position, one in reversed(made.items()):
            if isinstance(one, Undo) and position not in undone:
                undone.update(one.undoes)
        self.revised = max(made, default=0)
        self.valid: dict[int, Amendment] = {p: one for p, one in made.items() if p not in undone}
        """Amendments that were not taken back, by position."""
        self._names: dict[str, str] = {}
        self._wide: list[Selector] = []
        self._of_player: dict[str, list[Selector]] = {}
        for one in self.valid.values():
            match one:
                case Exclude(select=selector):
                    self._add(selector)
                case Merge(old=old, new=new):
                    self._names = {old: new} | {
                        other: new if name == old else name for other, name in self._names.items()
                    }
                    self._names.pop(new, None)

    def reads_as(self, other: "Revision") -> bool:
        """Whether the whole log gives the same by both. Cost: O(amendments)."""
        mine, its = (
            {p: one for p, one in r.valid.items() if not isinstance(one, Undo | Forget)}
            for r in (self, other)
        )
        return mine == its

    def rated_as(self, player: str) -> str:
        """The id that has the fights of this one: another only if the two were merged."""
        return self._names.get(player, player)

    def ids_of(self, player: str) -> list[str]:
        """This id and those merged into it. Cost: O(merges)."""
        return [player, *(old for old, new in self._names.items() if new == player)]

    def names(self, player: str) -> bool:
        """Whether this id was merged into another, or some of its fights are excluded. O(1)."""
        return player in self._names or player in self._of_player

    def all_ids_of(self, player: str) -> list[str]:
        """Whichever of somebody's ids this is: the one that has the fights, and all others."""
        return self.ids_of(self.rated_as(player))

    def _add(self, selector: Selector) -> None:
        if not selector.players:
            self._wide.append(selector)
        for player in chain.from_iterable(selector.ids):
            self._of_player.setdefault(player, []).append(selector)

    def reading(self, entry: LogEntry) -> LogEntry | None:
        """The entry as it is to be read; None for one that does nothing.

        Cost: O(1) for each exclusion that names its players.
        """
        match entry.kind:
            case "place" | "season":
                return entry if entry.position in self.valid else None
            case "kill" if self._excludes(entry):
                return None
        return self._renamed(entry) if self._names else entry

    def _renamed(self, entry: LogEntry) -> LogEntry:
        names, killer, victim = self._names, entry.killer, entry.victim
        if killer not in names and victim not in names:
            return entry
        return replace(
            entry,
            killer=None if killer is None else names.get(killer, killer),
            victim=None if victim is None else names.get(victim, victim),
        )

    def _excludes(self, kill: LogEntry) -> bool:
        """By the ids as they are in the log."""
        if self._wide and any(selector.selects(kill) for selector in self._wide):
            return True
        if not self._of_player:
            return False
        assert kill.killer is not None and kill.victim is not None  # as every kill has
        return any(
            selector.selects(kill)
            for player in (kill.killer, kill.victim)
            for selector in self._of_player.get(player, ())
        )
