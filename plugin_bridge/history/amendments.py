"""Amendments of the past: entries of the log like any other, and what each of them says. Pure.

An amendment changes no earlier entry. It says how the whole log is to be read from now on; what
follows from all of them together is in `revision`.
"""

from itertools import chain, repeat
from typing import Literal

import msgspec
from msgspec import Struct

from plugin_bridge.errors import StoreRefused
from plugin_bridge.store.rows import LogEntry, OrderRow

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


def entry_of(order: OrderRow, position: int, lane: int = 0) -> LogEntry:
    """An order as it stands, or would stand, in the log."""
    return LogEntry(
        position=position,
        lane=lane,
        seq=order.number,
        kind=msgspec.json.decode(order.detail)["kind"],
        time=order.made,
        received=order.made,
        detail=order.detail,
    )
