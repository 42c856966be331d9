"""Every error this package raises on purpose.

    BridgeError                  something an admin or a peer can act on; its text says what to do
    ├── ConfigError              config.yml (in plugin_bridge.config): all problems at once
    ├── FrameError               a mod broke the wire contract: its connection is closed
    ├── StoreError               the database cannot do what was asked
    │   ├── StoreUnavailable     for now: busy, full, read-only; the cause may go away
    │   ├── StoreRefused         for good: foreign, newer or damaged file; a human must look
    │   │   └── JournalGone      until it is opened anew: its journal was taken away meanwhile
    │   └── StaleAppend          the log moved on under the writer: reload and try again
    ├── DatabaseInUse            another process works with the database, and may end soon
    ├── EngineStopped            too late: the daemon is stopping
    └── UsageError               a command line asks for something that is not there

A fault that is none of these is a bug: it is logged with its traceback and is never
taken as the fault of the peer. Only the decoder and the session blame the peer.
"""


class BridgeError(Exception):
    """Root of the tree: its text is meant for people."""


class FrameError(BridgeError):
    """A peer broke the wire contract so that the connection cannot go on."""

    def __init__(self, code: str, text: str, *, close_code: int) -> None:
        super().__init__(text)
        self.code = code
        self.close_code = close_code


class StoreError(BridgeError):
    """The database cannot do what was asked; nothing was half done."""


class StoreUnavailable(StoreError):
    """The database cannot be written or read now, but may be later."""


class StoreRefused(StoreError):
    """The file is not a database this version can work with."""


class JournalGone(StoreRefused):
    """Another program has taken away what SQLite keeps beside the file: open it anew."""


class StaleAppend(StoreError):
    """Somebody else appended to the log first."""


class DatabaseInUse(BridgeError):
    """Another process works with the database, such as a daemon."""


class EngineStopped(BridgeError):
    """Nothing is taken any more; a mod keeps what was not acknowledged."""

    def __init__(self) -> None:
        super().__init__("the daemon is stopping")


class UsageError(BridgeError):
    """A command names a thing that does not exist or cannot be done."""
