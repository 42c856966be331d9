"""Sections about this machine and the game servers: `listen`, `storage`, `servers`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from plugin_bridge.config.model import GameServer, Listen, Storage, Tls
from plugin_bridge.config.reading import Report, Section
from plugin_bridge.config.source import Scalar
from plugin_bridge.config.values import Unfit, matching, whole, words

DATABASE: Final = "data/adr-bridge.sqlite3"

_HOST: Final = matching(r"[A-Za-z0-9_.:%-]{1,255}", "must be a host name or an IP address")
_ADDRESS: Final = re.compile(
    r"(?:[A-Za-z0-9_.-]{1,255}|\[[0-9A-Fa-f:.%]{2,64}\])(?::([0-9]{1,5}))?", re.ASCII
)


def _identifier(text: str) -> str:
    return re.sub(r"[^a-z0-9_-]+", "_", text.lower()).strip("_")[:32]


name = matching(
    r"[a-z0-9_-]{1,32}",
    "must be 1 to 32 of the characters a-z 0-9 _ -",
    repair=_identifier,
)
"""Reader of the name of a server or a ladder."""


def listen(report: Report, root: Section) -> Listen:
    """Where mods connect to."""
    section = Section(report, root.get("listen"), "listen", ("host", "port", "tls"))
    return Listen(
        host=section.value("host", _HOST, "127.0.0.1"),
        port=section.value("port", whole(0, 65_535), 8787),
        tls=_tls(report, section),
    )


def _tls(report: Report, section: Section) -> Tls | None:
    node = section.get("tls")
    files = Section(report, node, "tls", ("certificate", "key"))
    certificate = files.value("certificate", _path, None)
    key = files.value("key", _path, None)
    if certificate and key:
        return Tls(certificate, key)
    if node is not None and not ("certificate" in files and "key" in files):
        report.problem(node, "`tls` needs both `certificate` and `key`")
    return None


def storage(report: Report, root: Section) -> Storage:
    """Where ratings are kept."""
    section = Section(report, root.get("storage"), "storage", ("database",))
    return Storage(section.value("database", _path, Path(DATABASE)))


def servers(report: Report, root: Section) -> tuple[GameServer, ...]:
    """The game servers, each name once."""
    if "servers" not in root:
        return (GameServer("survival", "127.0.0.1:25565"),)
    found: dict[str, GameServer] = {}
    for node in root.items("servers") or []:
        if isinstance(node, Scalar):
            example = "{name: survival, address: 127.0.0.1:25565}"
            report.problem(node, f"a server is written like this: - {example}")
            continue
        section = Section(report, node, "servers", ("name", "address"))
        server = section.value("name", name, None)
        address = section.value("address", _address, None)
        if server is None:
            if "name" not in section:
                report.problem(node, "this server has no `name`")
        elif server in found:
            report.problem(section.get("name") or node, f"there are two servers `{server}`")
        else:
            found[server] = GameServer(server, address)
    return tuple(found.values())


def _path(text: str) -> Path:
    if text.startswith("~"):
        raise Unfit("must be a path written out in full, without ~")
    return Path(words(text))


def _address(text: str) -> str:
    text = text.strip()
    parts = _ADDRESS.fullmatch(text)
    if parts is None or not 0 < int(parts[1] or 25_565) < 65_536:
        is_bare_ipv6 = text.count(":") > 1 and "[" not in text
        raise Unfit(
            "must be an address such as 127.0.0.1:25565 or play.example.org",
            suggestion=f"[{text}]" if is_bare_ipv6 and _ADDRESS.fullmatch(f"[{text}]") else None,
        )
    return text
