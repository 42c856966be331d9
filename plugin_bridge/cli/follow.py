"""`adr-bridge follow`: a game server's log as its mod, for servers that take no mod."""

import os
from argparse import Namespace
from asyncio import CancelledError
from pathlib import Path
from stat import S_IRWXO

from plugin_bridge import logs
from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.log_options import add_reading, death_messages, time_zone
from plugin_bridge.cli.servers import mod_url
from plugin_bridge.config import ConfigError, load_config
from plugin_bridge.errors import UsageError
from plugin_bridge.follow.follower import follow
from plugin_bridge.follow.following import Following
from plugin_bridge.follow.rcon import Rcon
from plugin_bridge.importing.recorded import Recorded, recorded
from plugin_bridge.store.registry import check_id

TOKEN = "ADR_BRIDGE_TOKEN"  # noqa: S105  (the name of a variable)
PASSWORD = "ADR_BRIDGE_RCON_PASSWORD"  # noqa: S105  (the name of a variable)
_RCON_PORT = 25_575


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("follow", run, "report the kills in a server's log while it is written")
    parser.description = (
        "Reports the kills in a server's log while it is written, for game servers that take no "
        "mod. Labels cannot be shown in this way. With RCON, players can type !rank as chat. How "
        "far the log was read stands in the file of --state. Without it, --from-start tells kills "
        "again, but for those that the database in config.yml has, if that is on this machine."
    )
    parser.epilog = (
        f"The token is taken from {TOKEN} or --token-file, the password of RCON from {PASSWORD} "
        "or --rcon-password-file: never from the command line, where every user could read it."
    )
    parser.add_argument("log", type=Path, help="such as /srv/mc/logs/latest.log")
    parser.add_argument("--server", required=True, metavar="NAME", help="server id of the token")
    parser.add_argument("--url", help="where the daemon is (as config.yml says)")
    parser.add_argument("--token-file", type=Path, metavar="FILE")
    parser.add_argument("--rcon", metavar="HOST:PORT", help=f"(127.0.0.1:{_RCON_PORT})")
    parser.add_argument("--rcon-password-file", type=Path, metavar="FILE")
    parser.add_argument("--usercache", type=Path, metavar="FILE", help="(looked for near the log)")
    parser.add_argument("--zone", metavar="ZONE", help="where the log's clock is (here)")
    add_reading(parser)
    parser.add_argument("--state", type=Path, metavar="FILE", help="(data/follow-NAME.sqlite3)")
    parser.add_argument(
        "--from-start", action="store_true", help="the first time, begin with what is in the log"
    )
    parser.add_argument(
        "--wait", action="store_true", help="the log is yet to come: wait until there is one"
    )
    parser.add_argument("--log-format", choices=("text", "json"), default="text", help="(text)")


async def run(options: Namespace) -> int:
    logs.set_up(options.log_format)
    check_id(options.server)
    _look_at(options.log, wait=options.wait)
    token = _secret(TOKEN, options.token_file)
    if token is None:
        raise UsageError(
            f"put the token into the variable {TOKEN}, or name a file that holds it with "
            f"--token-file (a new token: adr-bridge server add {options.server})"
        )
    what = Following(
        log=options.log.absolute(),
        players=tuple(options.player),
        server=options.server,
        url=options.url or mod_url(load_config(options.config).listen),
        token=token,
        state=options.state or Path("data") / f"follow-{options.server}.sqlite3",
        rcon=_rcon(options),
        usercache=options.usercache,
        zone=time_zone(options.zone),
        from_start=options.from_start,
        recorded=await _recorded(options) if options.from_start else None,
        own=death_messages(options.pattern),
    )
    answers = "!rank is answered" if what.rcon else "nobody can be answered without RCON"
    print(
        f"Following {what.log} as `{what.server}`. Labels cannot be shown; {answers}.", flush=True
    )
    try:
        await follow(what)
    except CancelledError:  # Ctrl+C
        return 0
    return 0


def _look_at(log: Path, *, wait: bool) -> None:
    """Raises UsageError for what cannot be followed."""
    if not log.parent.is_dir():
        raise UsageError(
            f"{log.parent} is no folder; name the server's log, such as /srv/mc/logs/latest.log"
        )
    if log.is_dir():
        raise UsageError(f"{log} is a folder; name the log in it, such as {log / 'latest.log'}")
    if log.exists() and not log.is_file():
        raise UsageError(f"{log} is no ordinary file")
    if not log.exists() and not wait:
        raise UsageError(
            f"{log}: there is no such file. Start the game server first, or say --wait if it is "
            "yet to come"
        )


async def _recorded(options: Namespace) -> Recorded | None:
    """What the daemon has, if its database is on this machine."""
    try:
        database = load_config(options.config).storage.database
    except ConfigError:
        return None
    return await recorded(database, options.server) if database.exists() else None


def _rcon(options: Namespace) -> Rcon | None:
    password = _secret(PASSWORD, options.rcon_password_file)
    if password is None:
        if options.rcon:
            raise UsageError(
                f"--rcon needs the password of the console, in the variable {PASSWORD} or in a "
                "file (--rcon-password-file)"
            )
        return None
    host, _, port = (options.rcon or f"127.0.0.1:{_RCON_PORT}").rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port[:6]) < 65_536:
        raise UsageError(f"--rcon {options.rcon}: write it like 127.0.0.1:{_RCON_PORT}")
    return Rcon(host.strip("[]"), int(port), password)


def _secret(variable: str, file: Path | None) -> str | None:
    if file is None:
        return os.environ.get(variable, "").strip() or None
    try:
        text = file.read_text(encoding="utf-8").strip()
        if os.name == "posix" and file.stat().st_mode & S_IRWXO:
            raise UsageError(f"{file}: every user can read this secret; run: chmod o= {file}")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    if not text:
        raise UsageError(f"{file} is empty")
    return text
