"""A command line, with everything that may be needed to answer it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from adr_core import Ladder
from plugin_bridge.config import Config
from plugin_bridge.contests.referee import Referee
from plugin_bridge.history.revision import Revision
from plugin_bridge.monitor import ServerView
from plugin_bridge.protocol.packets import Command
from plugin_bridge.store import Store
from plugin_bridge.text import Text

RANK = "adrbridge.rank"
RANK_OTHERS = "adrbridge.rank.others"
TOP = "adrbridge.top"
ADMIN = "adrbridge.admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`server`: where it was typed. `now`, `uptime`: seconds. `servers`: how the game servers are.

    `reload` applies config.yml anew and returns its problems, none if all is well. `revision`: what
    the ratings take account of, such as merges.
    """

    command: Command
    server: str
    config: Config
    ladders: Mapping[str, Ladder]
    store: Store
    version: str
    now: float
    uptime: float
    events: int
    servers: tuple[ServerView, ...]
    reload: Callable[[], Awaitable[list[str]]]
    referee: Referee
    revision: Revision

    @property
    def arguments(self) -> list[str]:
        return [word for word in self.command.words[1:] if word]

    @property
    def ladder_name(self) -> str:
        """The ladder that is played where it was typed."""
        return self.config.ladder_for(self.server, self.command.world)

    @property
    def ladder(self) -> Ladder:
        return self.ladders[self.ladder_name]

    def may(self, permission: str) -> bool:
        """The console may do everything; a player what the server lets him."""
        return self.command.sender is None or permission in self.command.permissions

    def line(self, key: str, /, **values: str | Text) -> list[Text]:
        """One of the configured messages; nothing if it is silenced."""
        text = self.config.messages.line(key, **values)
        return [] if text is None else [text]

    def tier(self, index: int | None) -> Text | str:
        """A tier's label, or the word for none."""
        return (
            self.config.tier(index).label if index else self.config.messages.plain("unranked_word")
        )
