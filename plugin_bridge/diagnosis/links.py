"""The daemon, the mods and the game servers, as the daemon left word of them. Pure."""

from collections.abc import Iterable, Iterator

from plugin_bridge import __version__
from plugin_bridge.diagnosis.findings import Finding, bad, ok, warning
from plugin_bridge.monitor import ServerView
from plugin_bridge.session import SKEW_SECONDS
from plugin_bridge.status import Picture, named

NOTABLE_SKEW_SECONDS = 5.0


def daemon(picture: Picture) -> Iterator[Finding]:
    """Whether it runs, and as what."""
    running = picture.daemon
    if picture.command:
        yield warning(
            "daemon",
            f"the daemon is not running: {named(picture.command)}",
            "start it: adr-bridge serve (it waits until that has ended)",
        )
        return
    if running is None:
        crashed = picture.seen is not None
        yield (bad if crashed else warning)(
            "daemon",
            "the daemon ended without being told to" if crashed else "the daemon is not running",
            "start it: adr-bridge serve" + (" (its log says why it ended)" if crashed else ""),
        )
        return
    if picture.trouble:
        yield bad("daemon", f"process {running.pid} {picture.trouble}", "its log says what to do")
    else:
        yield ok("daemon", f"running as process {running.pid}, {running.events} events")
    if running.version not in (__version__, ""):
        yield bad(
            "daemon",
            f"the daemon that runs is version {running.version}, this command {__version__}",
            "restart the daemon, so that it runs what is installed",
        )


def mods(picture: Picture, registered: Iterable[str]) -> Iterator[Finding]:
    """Whether each game server that has a token is connected, and its clock right."""
    views = {view.server: view for view in picture.servers}
    servers = list(registered)
    if not servers:
        yield bad("mods", "no game server has a token", "make one: adr-bridge server add NAME")
    if picture.daemon is None:
        return  # what was, says nothing about what will be
    for server in servers:
        view = views.get(server)
        if view is None or not view.connected:
            yield _missing(server, view)
        else:
            yield ok("mods", f"{server} is connected{f' ({view.mod})' if view.mod else ''}")
            yield from _clock(view)


def _missing(server: str, view: ServerView | None) -> Finding:
    if view and view.up is False:
        return warning(
            "mods", f"{server} is not connected: the game server is down", "start the game server"
        )
    return bad(
        "mods",
        f"{server} is not connected",
        "see whether the mod is installed there and what its log says; are its url and token "
        f"right? (a new token: adr-bridge server add {server})",
    )


def _clock(view: ServerView) -> Iterator[Finding]:
    """The daemon corrects what is far off; what is near it has to believe."""
    if view.skew is None or abs(view.skew) < NOTABLE_SKEW_SECONDS:
        return
    way = "behind" if view.skew > 0 else "ahead"
    corrected = " (its times are corrected)" if abs(view.skew) > SKEW_SECONDS else ""
    yield warning(
        "clocks",
        f"the clock of {view.server} is {abs(view.skew):.0f} s {way}{corrected}",
        "let both machines set their clocks by the network (timedatectl set-ntp true)",
    )


def game_server(view: ServerView) -> Finding:
    """How one answers that was asked just now."""
    if view.up:
        lag = "" if view.latency is None else f" in {view.latency:.0f} ms"
        return ok(
            "game servers", f"{view.server} answers{lag}: {view.version}, {view.players} players"
        )
    return bad(
        "game servers",
        f"{view.server} does not answer",
        "start it; see whether its address in config.yml is right, and `enable-status=true` in "
        "its server.properties",
    )
