"""Works out another past in a process of its own: `python -m plugin_bridge.history DATABASE`.

Says how far it is, line by line, and in the end what it made. The daemon starts it, and it ends
with the daemon.
"""

import asyncio
import gc
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from plugin_bridge.errors import BridgeError
from plugin_bridge.history.redo import recompute, scratch_of

_PARENT = os.getppid()


def _say(done: int, total: int) -> None:
    if os.getppid() != _PARENT:
        sys.exit("the daemon is gone")
    print(done, total, flush=True)


def main(database: Path) -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is meant for the daemon, which stops this
    gc.disable()  # it would look through all players again and again, for nothing: a quarter slower
    with suppress(AttributeError, OSError):  # not on Windows
        os.nice(10)
    try:
        redone = asyncio.run(recompute(database, scratch_of(database), _say))
    except (BridgeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(msgspec.json.encode(redone).decode(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
