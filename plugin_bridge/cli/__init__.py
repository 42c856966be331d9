"""The command `adr-bridge`. A new subcommand gets a module here and a line in `parser`."""

from plugin_bridge.cli.parser import main

__all__ = ["main"]
