"""What is followed, and where to: as the command line says."""

import re
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from plugin_bridge.follow.rcon import Rcon
from plugin_bridge.importing.recorded import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """`rcon`: without it nothing is answered. `recorded`: what the
    daemon has already, as far as that can be seen from here.
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
