"""`python -m plugin_bridge` is `adr-bridge`."""

import sys


def main() -> int:
    """The command; Ctrl+C ends it without a word also while its parts are being loaded."""
    try:
        from plugin_bridge import cli  # noqa: PLC0415  (else nothing could be caught)

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
