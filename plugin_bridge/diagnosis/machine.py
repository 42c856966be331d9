"""This machine: versions, files and their rights, room on the disk, the port."""

import asyncio
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from adr_core import ladder
from plugin_bridge import __version__
from plugin_bridge.config import Listen
from plugin_bridge.diagnosis.findings import Finding, bad, ok, warning

LIBRARIES = ("aiosqlite", "mcstatus", "msgspec", "PyYAML", "rich", "websockets")
SCARCE_BYTES = 1 << 30
DIRE_BYTES = 100 << 20
LONG_JOURNAL_BYTES = 1 << 30
BACKWARDS_SECONDS = 60.0
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  (looked for, not listened on)
_SECONDS = 3.0


def versions() -> Iterator[Finding]:
    """What is installed here."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            yield bad("versions", f"{library} is not installed", "install adr-bridge again")
    python = ".".join(map(str, sys.version_info[:3]))
    rest = ", ".join(f"{library} {number}" for library, number in found.items())
    core = "interpreted" if str(ladder.__file__).endswith(".py") else "compiled"
    yield ok("versions", f"adr-bridge {__version__} ({core} core), Python {python}, {rest}")


def files(database: Path) -> Iterator[Finding]:
    """The database's file and folder: there, writable, and nobody else's business."""
    there = [Path(f"{database}{end}") for end in ("", "-wal", "-shm")]
    there = [path for path in there if path.exists()]
    folder = database.parent
    if not there:
        yield warning(
            "files", f"there is no database {database} yet", "start the daemon: adr-bridge serve"
        )
    locked = [path for path in (folder, *there) if path.exists() and not os.access(path, os.W_OK)]
    for path in locked:
        yield bad(
            "files",
            f"{path} cannot be written by this user",
            "run this as the user of the daemon, or give that user the folder and what is in it",
        )
    if os.name == "posix":
        for path in there:
            if path.stat().st_mode & 0o077:
                yield warning("files", f"other users can open {path}", f"chmod go= {path}")
    if there and not locked:
        yield ok("files", f"{database} can be read and written")


def disk(database: Path) -> Iterator[Finding]:
    """Room for more."""
    folder = next(path for path in (database.parent, *database.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    words = f"{free / 1e9:.1f} GB are free where {folder} is"
    if free < DIRE_BYTES:
        yield bad("disk", words, "free some space now: soon nothing can be stored any more")
    elif free < SCARCE_BYTES:
        yield warning("disk", words, "free some space")
    else:
        yield ok("disk", words)
    journal = Path(f"{database}-wal")
    with suppress(OSError):
        if journal.stat().st_size > LONG_JOURNAL_BYTES:
            yield warning(
                "disk",
                f"{journal} has grown to {journal.stat().st_size / 1e9:.1f} GB",
                "end programs that keep the database open; restart the daemon",
            )


def clock(latest: float | None, *, now: float) -> Iterator[Finding]:
    """Whether this machine's clock goes on from where it was. `latest`: when the daemon took
    something last, by that clock.
    """
    if latest is not None and latest - now > BACKWARDS_SECONDS:
        yield warning(
            "clocks",
            f"the clock of this machine is {latest - now:.0f} s behind what it was when the "
            "latest event came",
            "set it by the network (timedatectl set-ntp true): ratings go by it",
        )


async def port(listen: Listen, *, running: bool) -> list[Finding]:
    """Whether the daemon can be reached at its port; before it runs, whether it can have it."""
    where = f"{listen.host}, port {listen.port}"
    found = []
    if running and listen.port:
        found.append(await _reached(reachable(listen.host), listen.port, where))
    elif listen.port:
        found.append(_free(listen, where))
    if listen.host in _EVERYWHERE and listen.tls is None:
        found.append(
            warning(
                "port",
                "everybody who reaches this machine can knock, and tokens travel unencrypted",
                "set `listen.tls` in config.yml, or `listen.host: 127.0.0.1`, or close the port "
                "in the firewall (in a container, publish it on 127.0.0.1 only)",
            )
        )
    return found


def reachable(host: str) -> str:
    """Where what listens on that address can be reached from this machine."""
    return "127.0.0.1" if host in _EVERYWHERE else host


async def _reached(host: str, number: int, where: str) -> Finding:
    try:
        async with asyncio.timeout(_SECONDS):
            _, writer = await asyncio.open_connection(host, number)
        writer.close()
    except (OSError, TimeoutError) as error:
        return bad(
            "port",
            f"the daemon runs, but nobody answers at {where} ({error or 'no answer'})",
            "restart it after a change of `listen` in config.yml; look into the firewall",
        )
    return ok("port", f"the daemon answers at {where}")


def _free(listen: Listen, where: str) -> Finding:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((listen.host, listen.port))
    except OSError as error:
        return bad(
            "port",
            f"the daemon could not listen at {where}: {error.strerror or error}",
            "end the program that has the port, or set another `listen.port` in config.yml and "
            "in the mods",
        )
    return ok("port", f"{where} is free for the daemon")
