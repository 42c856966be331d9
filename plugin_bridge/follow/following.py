"""What is followed, and where to: as the command line says."""

import re
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from plugin_bridge.follow.rcon import Rcon
from plugin_bridge.importing.recorded import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """log: the server's. url, token: of the daemon, and `server` whose token it is. state: the file
    of the spool. rcon: None: nothing is answered. usercache: None: looked for near the log. zone:
    where the log's clock is; None: as this machine's. from_start: whether the first run tells what
    is in the log already. recorded: what the daemon has, as far as that can be seen from here.
    players: names that are players' all the same. own: forms of death messages beside the game's.
    """

    log: Path
    server: str
    url: str
    token: str
    state: Path
    rcon: Rcon | None
    usercache: Path | None = None
    zone: tzinfo | None = None
    from_start: bool = False
    recorded: Recorded | None = None
    players: tuple[str, ...] = ()
    own: tuple[re.Pattern[str], ...] = ()
