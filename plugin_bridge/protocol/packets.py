"""What travels over the link, as frozen values. PROTOCOL.md gives the meaning of each field."""

from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from plugin_bridge.text import Text, clean_name

PROTOCOL_VERSION = 1
MAX_FRAME_BYTES = 1 << 20
MAX_PACKETS_PER_FRAME = 1_000
MAX_ONLINE = 5_000
HELLO_SECONDS = 10.0
WINDOW = 1_024
TOP_ROWS = 10
NAMES_REMEMBERED = 4_096

Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:\-]{1,64}\Z")]
Key = Annotated[str, Meta(min_length=1, max_length=64)]
Address = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_\-]{8,64}\Z")]
SpoolId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_\-]{8,64}\Z")]
Version = Annotated[int, Meta(ge=0, le=1 << 53)]
Seq = Annotated[int, Meta(ge=1, le=1 << 53)]
Time = Annotated[float, Meta(ge=0, le=4_102_444_800)]
Word = Annotated[str, Meta(max_length=256)]
Where = Literal["chat", "action_bar", "title"]


_cleaned = lru_cache(NAMES_REMEMBERED)(clean_name)
"""The same names come again and again."""


class Player(Struct, frozen=True):
    """Somebody who plays. `id` is folded to lower case, `name` is cleaned (may become empty)."""

    id: Id
    name: str | None = None

    def __post_init__(self) -> None:
        folded, name = self.id.lower(), _cleaned(self.name)
        if folded != self.id:
            msgspec.structs.force_setattr(self, "id", folded)
        if name != self.name:
            msgspec.structs.force_setattr(self, "name", name)


class Present(Player, frozen=True):
    """A player on the server, and the world it is in. `address`: scrambled, to compare only."""

    world: Key | None = None
    address: Address | None = None


# ---- from the mod


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    protocol: Version
    platform: Key
    mod_version: Key
    spool: SpoolId
    first: Seq
    time: Time
    online: Annotated[list[Present], Meta(max_length=MAX_ONLINE)]
    platform_version: Key | None = None

    def __post_init__(self) -> None:
        # People read these in the log, and a terminal would obey what may be in them.
        for field in ("platform", "mod_version"):
            msgspec.structs.force_setattr(self, field, clean_name(getattr(self, field)) or "?")


class Kill(Struct, frozen=True, tag_field="type", tag="kill"):
    seq: Seq
    time: Time
    killer: Player
    victim: Player
    cause: Key = "attack"
    weapon: Key | None = None
    world: Key | None = None

    def __post_init__(self) -> None:
        if self.killer.id == self.victim.id:
            raise ValueError("killer and victim are the same player")


class Death(Struct, frozen=True, tag_field="type", tag="death"):
    seq: Seq
    time: Time
    victim: Player
    cause: Key = "other"
    world: Key | None = None


class Join(Struct, frozen=True, tag_field="type", tag="join"):
    player: Present


class Quit(Struct, frozen=True, tag_field="type", tag="quit"):
    player: Id

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "player", self.player.lower())


class World(Struct, frozen=True, tag_field="type", tag="world"):
    player: Id
    world: Key

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "player", self.player.lower())


class Command(Struct, frozen=True, tag_field="type", tag="command"):
    id: Key
    sender: Player | None
    words: Annotated[list[Word], Meta(min_length=1, max_length=32)]
    permissions: Annotated[list[Key], Meta(max_length=64)]
    world: Key | None = None


FromMod = Hello | Kill | Death | Join | Quit | World | Command


class Rejected(Struct, frozen=True):
    """A packet that could not be taken. With a `seq` it is an event: kept, and acknowledged."""

    code: str
    text: str
    raw: str
    seq: int | None = None
    id: str | None = None


# ---- from the daemon


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    daemon_version: str
    server: str
    seq: int
    protocol: int = PROTOCOL_VERSION
    window: int = WINDOW


class Settings(Struct, frozen=True, tag_field="type", tag="settings"):
    combat_window: float
    combat_log: Literal["kill", "ignore"]
    tab_list: bool
    name_tag: bool


class Ack(Struct, frozen=True, tag_field="type", tag="ack"):
    seq: int


class Label(Struct, frozen=True, tag_field="type", tag="label"):
    player: str
    prefix: Text | None
    tier: str | None
    index: int | None
    rating: int
    rank: int | None


class Message(Struct, frozen=True, tag_field="type", tag="message", omit_defaults=True):
    player: str
    where: Where
    text: Text
    subtitle: Text | None = None


class Broadcast(Struct, frozen=True, tag_field="type", tag="broadcast", omit_defaults=True):
    where: Where
    text: Text
    subtitle: Text | None = None
    permission: str | None = None


class Reply(Struct, frozen=True, tag_field="type", tag="reply"):
    id: str
    lines: list[Text]


class TopRow(Struct, frozen=True):
    name: str
    rating: int
    tier: str | None
    prefix: Text | None


class Top(Struct, frozen=True, tag_field="type", tag="top"):
    rows: list[TopRow]


class Error(Struct, frozen=True, tag_field="type", tag="error"):
    code: str
    text: str
    seq: int | None = None
    id: str | None = None


FromDaemon = Welcome | Settings | Ack | Label | Message | Broadcast | Reply | Top | Error


class CloseCode:
    """WebSocket close codes; PROTOCOL.md says what a mod does on each."""

    GOING_AWAY = 1001
    FAULT = 1011
    BROKEN_CONTRACT = 4000
    SUPERSEDED = 4001
    VERSION = 4002
    REVOKED = 4003
    TOO_SLOW = 4004
    GAP = 4005
