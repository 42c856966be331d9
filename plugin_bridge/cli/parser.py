"""From the command line to the function that does it."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from importlib import import_module

from plugin_bridge import __version__
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.output import leave_the_pipe, print_error, tolerate_any_console
from plugin_bridge.errors import BridgeError

MODULES = {
    "serve": ("serve",),
    "init": ("init",),
    "check": ("check-config",),
    "show": ("status", "top", "player"),
    "tune": ("tune",),
    "report": ("report",),
    "servers": ("server",),
    "contest": ("contest",),
    "season": ("season",),
    "backup": ("backup", "restore"),
    "imports": ("import",),
    "export": ("export",),
    "follow": ("follow",),
    "doctor": ("doctor", "dump"),
    "preview": ("preview",),
    "replay": ("replay",),
    "amend": ("exclude", "include", "merge", "reset", "set", "forget", "undo", "history"),
    "explain": ("explain",),
    "mods": ("install-mod",),
}
"""In which module each subcommand is. Only that one is loaded, for all together take a while."""

_DESCRIPTION = "Ratings, tiers and leaderboards for free-for-all game servers."
_EPILOG = "Settings are in config.yml; `adr-bridge COMMAND --help` tells more of each command."


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code: 0 done, 1 could not, 2 asked wrongly."""
    tolerate_any_console()
    given = sys.argv[1:] if arguments is None else arguments
    options = parser(given[0] if given else "")[0].parse_args(given)
    try:
        code: int = asyncio.run(options.run(options))
        sys.stdout.flush()
    except BridgeError as error:
        print_error(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        leave_the_pipe()
        return 1
    except OSError as error:
        print_error(f"{error.filename or 'output'}: {error.strerror}")
        return 1
    return code


def parser(wanted: str) -> tuple[argparse.ArgumentParser, Command]:
    """The parser with the one module that has this subcommand; with all if none has."""
    whole = argparse.ArgumentParser(prog="adr-bridge", description=_DESCRIPTION, epilog=_EPILOG)
    whole.add_argument("--version", action="version", version=f"adr-bridge {__version__}")
    commands = Command(whole)
    for module in [name for name, names in MODULES.items() if wanted in names] or MODULES:
        import_module(f"plugin_bridge.cli.{module}").add_to(commands)
    return whole, commands
