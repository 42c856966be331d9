"""Who the names in a log are: logs have names, ratings belong to ids."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args
from uuid import UUID

from plugin_bridge.gamelog.looks import Looks
from plugin_bridge.gamelog.mobs import MOBS

Source = Literal["log", "usercache", "database", "name"]
"""Where an id comes from: a line of the log, usercache.json, who bears the name in the database, or
made of the name as servers in offline mode make it."""

_PLAIN = re.compile(r"[A-Za-z0-9_]{3,16}")


def is_plain_name(name: str) -> bool:
    """Whether it can be the name of a player of the Java edition."""
    return bool(_PLAIN.fullmatch(name))


def offline_id(name: str) -> str:
    """The id that a server in offline mode gives to a name (UUID version 3, as Java makes it)."""
    digest = bytearray(hashlib.md5(f"OfflinePlayer:{name}".encode()).digest())  # noqa: S324
    digest[6] = digest[6] & 0x0F | 0x30
    digest[8] = digest[8] & 0x3F | 0x80
    return str(UUID(bytes=bytes(digest)))


def canonical_id(text: str) -> str | None:
    """A UUID with or without dashes, as ids are written; None for anything else."""
    if not re.fullmatch(r"[0-9a-fA-F]{8}(-?)(?:[0-9a-fA-F]{4}\1){3}[0-9a-fA-F]{12}", text):
        return None
    return str(UUID(text))


def read_usercache(text: str) -> dict[str, str]:
    """Names with their ids out of a usercache.json; odd entries are passed over.

    Raises ValueError for another file.
    """
    rows = json.loads(text)
    if not isinstance(rows, list):
        raise ValueError("not a list of players")
    found = dict(filter(None, map(_name_and_id, rows)))
    if rows and not found:
        raise ValueError("no entry has a `name` and a `uuid`")
    return found


def _name_and_id(row: object) -> tuple[str, str] | None:
    match row:
        case {"name": str(name), "uuid": str(uuid)} if name and (player := canonical_id(uuid)):
            return name, player
    return None


@dataclass(slots=True)
class People:
    """Grows while logs are read. Names change hands: what a log said last counts."""

    cache: Mapping[str, str] = field(default_factory=dict)
    """Ids by name, out of usercache.json."""
    told: dict[str, str] = field(default_factory=dict)
    """Ids that the log itself names, by name."""
    seen: set[str] = field(default_factory=set)
    """Names that came, went or died."""
    recorded: Mapping[str, str] = field(default_factory=dict)
    """Ids by name, as the database has them."""

    looks: Looks = field(default_factory=Looks)
    """What teams put around names."""

    def note(self, name: str, player: str | None = None) -> None:
        self.seen.add(name)
        if player:
            self.told[name] = player

    def knows(self, name: str) -> bool:
        """Whether it is a player's name, as far as was read."""
        if name in self.seen or name in self.cache:
            return True
        return name in self.recorded and name not in MOBS

    def called(self, shown: str) -> str | None:
        """The name of the player who is shown like this; None if it is nobody's."""
        return shown if self.knows(shown) else self.looks.bare(shown, self.knows)

    def who(self, name: str) -> tuple[str, Source]:
        """The id behind a name, and where it comes from."""
        if name in self.told:
            return self.told[name], "log"
        if name in self.cache:
            return self.cache[name], "usercache"
        if name in self.recorded:
            return self.recorded[name], "database"
        return offline_id(name), "name"

    def sources(self, names: Iterable[str]) -> dict[Source, list[str]]:
        """Names by where their ids come from."""
        found: dict[Source, list[str]] = {source: [] for source in get_args(Source)}
        for name in sorted(names):
            found[self.who(name)[1]].append(name)
        return found
