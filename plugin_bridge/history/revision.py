"""What has been taken back of the past. Pure: it follows from the amendments in the log.

An amendment is an entry of the log like any other. It changes no earlier entry: it says how the
whole log is to be read from now on, so what is stored follows from the log with its amendments.
"""

from collections.abc import Iterable
from itertools import chain, repeat
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from plugin_bridge.errors import StoreRefused
from plugin_bridge.store.rows import LogEntry

Role = Literal["killer", "victim", "both"]


class Selector(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Kills of the log. What is left out of a selector does not matter.

    players: one id, which is what `role` says; or two, of which one killed the other.
    others: for each of these, further ids of the same player.
    lanes: the lanes of a game server, and `server` its name, for those who read it.
    since, until: when they happened, seconds since 1970, both included.
    """

    players: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()
    role: Role = "both"
    lanes: tuple[int, ...] = ()
    server: str | None = None
    since: float | None = None
    until: float | None = None

    @property
    def ids(self) -> list[tuple[str, ...]]:
        """All ids of each player."""
        more = chain(self.others, repeat(()))
        return [(player, *others) for player, others in zip(self.players, more, strict=False)]

    def selects(self, kill: LogEntry) -> bool:
        """Cost: O(ids)."""
        if self.lanes and kill.lane not in self.lanes:
            return False
        if self.since is not None and kill.time < self.since:
            return False
        if self.until is not None and kill.time > self.until:
            return False
        return self._names(kill)

    def _names(self, kill: LogEntry) -> bool:
        match self.ids:
            case []:
                return True
            case [ids]:
                killed = self.role != "victim" and kill.killer in ids
                return killed or (self.role != "killer" and kill.victim in ids)
            case [ids, others]:
                one, other = kill.killer, kill.victim
                return (one in ids and other in others) or (one in others and other in ids)
        return False


class Exclude(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="exclude"):
    """The selected kills do not count. `by`: who ordered it."""

    select: Selector
    reason: str
    by: str


class Undo(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="undo"):
    """The amendments at these positions of the log are as if they had never been made."""

    undoes: tuple[int, ...]
    reason: str
    by: str


class Merge(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="merge"):
    """Whatever `old` did and will do was done by `new`: two ids of one player."""

    old: str
    new: str
    reason: str
    by: str


class Place(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="place"):
    """From here on a player has this rating; without one, that of somebody new, not yet placed.

    A rating is only given to somebody who has fought on that ladder since the last reset.
    """

    ladder: str
    player: str
    rating: float | None
    reason: str
    by: str


class SeasonEnd(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="season"):
    """The board of a ladder is kept as it is here, and everybody starts into another season.

    kept: how much of each distance from the starting rating stays, 0 to 1; 0: all begin anew.
    tiers: their names at the time, the best first.
    """

    ladder: str
    name: str
    kept: float
    tiers: tuple[str, ...]
    reason: str
    by: str


class Forget(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="forget"):
    """The name of a player was erased. It changes no rating, and cannot be undone."""

    player: str
    reason: str
    by: str


Amendment = Exclude | Undo | Merge | Place | SeasonEnd | Forget


def written(amendment: Amendment) -> str:
    """An amendment as the `detail` of its log entry."""
    return msgspec.json.encode(amendment).decode()


def read(entry: LogEntry) -> Amendment:
    """Raises StoreRefused for an entry that a newer version may have written."""
    try:
        return msgspec.json.decode(entry.detail or "", type=Amendment)
    except msgspec.DecodeError as error:
        raise StoreRefused(
            f"entry {entry.position} of the log ({entry.kind}) cannot be understood: {error}; "
            "update adr-bridge"
        ) from error


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
        self.valid = {p: one for p, one in made.items() if p not in undone}
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
