"""From the command line to the function that does it."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from plugin_bridge import __version__
from plugin_bridge.cli import (
    amend,
    backup,
    check,
    contest,
    doctor,
    explain,
    export,
    follow,
    imports,
    init,
    mods,
    preview,
    replay,
    report,
    season,
    serve,
    servers,
    show,
    tune,
)
from plugin_bridge.cli.numbers import positive
from plugin_bridge.cli.output import leave_the_pipe, print_error, tolerate_any_console
from plugin_bridge.errors import BridgeError

_DESCRIPTION = "Ratings, tiers and leaderboards for free-for-all game servers."
_EPILOG = "Settings are in config.yml; `adr-bridge COMMAND --help` tells more of each command."


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code: 0 done, 1 could not, 2 asked wrongly."""
    tolerate_any_console()
    options = _parser().parse_args(arguments)
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="adr-bridge", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"adr-bridge {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(
        name: str, run: Callable[..., object], text: str, *, output: bool = False
    ) -> argparse.ArgumentParser:
        return _command(commands, name, run, text, output=output)

    run = command("serve", serve.serve, "run the daemon")
    run.add_argument("--log-format", choices=("text", "json"), default="text", help="(text)")
    command("init", init.init, "write a commented config.yml to start from")
    command("check-config", check.check_config, "say what is wrong with config.yml, if anything")
    command("status", show.status, "how the daemon and the game servers are", output=True)

    top = command("top", show.top, "the leaderboard", output=True)
    top.add_argument("count", nargs="?", type=positive, default=10, help="how many (10)")
    top.add_argument("--ladder", default=None, help="which ladder, where there are several")
    top.add_argument("--season", metavar="NAME", help="as it was at the end of a season")

    player = command("player", show.player, "everything about one player", output=True)
    player.add_argument("name", nargs="+", help="the name, or the id")

    tune_ = command("tune", tune.tune, "which preset suits the kills of this server", output=True)
    tune_.add_argument("--ladder", default=None, help="which ladder, where there are several")
    tune_.add_argument(
        "--last",
        type=positive,
        default=tune.LATEST,
        metavar="KILLS",
        help=f"look at no more than the latest ({tune.LATEST})",
    )

    told = command("report", report.report, "write an HTML page about a ladder, for admins")
    told.add_argument("file", type=Path, help="the page to make, such as report.html")
    told.add_argument("--ladder", default=None, help="which ladder, where there are several")
    told.add_argument(
        "--days",
        type=positive,
        default=report.DAYS,
        help=f"look back so many days ({report.DAYS}; at most {report.MOST_DAYS})",
    )
    told.add_argument("--force", action="store_true", help="write over an existing file")

    server = commands.add_parser("server", help="game servers and their tokens")
    actions = server.add_subparsers(metavar="ACTION", required=True)
    add = _command(actions, "add", servers.add, "make a token, or a new one", output=True)
    add.add_argument("name", help="server id: small letters, digits, - and _")
    _command(actions, "list", servers.list_all, "who may connect", output=True)
    remove = _command(actions, "remove", servers.remove, "let a server connect no more")
    remove.add_argument("name")

    contests = commands.add_parser("contest", help="events that were, and results from outside")
    contest.add_to(partial(_command, contests.add_subparsers(metavar="ACTION", required=True)))

    seasons = commands.add_parser("season", help="end a season, and those that have ended")
    season.add_to(partial(_command, seasons.add_subparsers(metavar="ACTION", required=True)))

    save = command("backup", backup.backup, "copy the database, also while the daemon runs")
    save.add_argument("file", type=Path, help="the copy to make")
    restore = command("restore", backup.restore, "put a copy back, while the daemon is stopped")
    restore.add_argument("file", type=Path, help="the copy to put back")

    for part in (imports, export, follow, doctor, preview, replay, amend, explain):
        part.add_to(command)

    install = command("install-mod", mods.install, "copy a mod to a game server and set it up")
    install.add_argument("platform", choices=sorted(mods.PLATFORMS))
    install.add_argument("folder", type=Path, help="where to: the game server's plugin folder")
    install.add_argument("--server", required=True, metavar="NAME", help="server id")
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Callable[..., object],
    text: str,
    *,
    output: bool = False,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    parser.set_defaults(run=run)
    parser.add_argument(
        "--config", type=Path, default=Path("config.yml"), metavar="FILE", help="(config.yml)"
    )
    if output:
        parser.add_argument("--json", action="store_true", help="print JSON for programs")
    return parser
