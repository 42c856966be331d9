"""`python -m plugin_bridge` is `adr-bridge`."""

import signal
import sys

ENDINGS = ("SIGTERM", "SIGHUP")
"""What a system, or a connection that is lost, ends a command with."""


def main() -> int:
    """The command; Ctrl+C ends it without a word also while its parts are being loaded."""
    try:
        _end_as_by_ctrl_c()
        from plugin_bridge import cli  # noqa: PLC0415  (else nothing could be caught)

        return cli.main()
    except KeyboardInterrupt:
        return 130


def _end_as_by_ctrl_c() -> None:
    """So that a command takes back what it cannot finish, whatever ends it."""
    for name in ENDINGS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # not under nohup
            signal.signal(number, lambda *_: signal.raise_signal(signal.SIGINT))


if __name__ == "__main__":
    sys.exit(main())
