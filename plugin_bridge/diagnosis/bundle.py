"""Everything that helps somebody else to help, masked, in one file."""

import json
import platform
import re
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import msgspec

from plugin_bridge import __version__
from plugin_bridge.config import Config, ConfigError, load_config
from plugin_bridge.diagnosis.excerpts import end_of_log, settings_text
from plugin_bridge.diagnosis.findings import Finding
from plugin_bridge.diagnosis.masking import Masking
from plugin_bridge.errors import StoreError, UsageError
from plugin_bridge.files import replacing
from plugin_bridge.status import last_picture
from plugin_bridge.store import Store

_PLACES = re.compile(r"(?im)^[^#\n]*?\b(?:address|host)[\"']?[ \t]*:[ \t]*[\"']?([^\s\"',}#]+)")


async def contents(path: Path, findings: Sequence[Finding], logs: Sequence[Path]) -> dict[str, str]:
    """The files of a bundle by name, all of them masked.

    Raises UsageError for a log that cannot be read, or not as text.
    """
    config, settings = _config(path), settings_text(path)
    masking = Masking(_known(config, settings), _dotted(config))
    files = {
        "findings.json": _json(_masked([asdict(finding) for finding in findings], masking)),
        "machine.json": masking.names(_json(_machine())),
        "config.yml": masking.text(settings),
        "database.json": _json(_masked(await _database(config), masking)),
    }
    for number, log in enumerate(logs, start=1):
        files[f"log-{number}.txt"] = masking.text(end_of_log(log))
    return files


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _masked(value: Any, masking: Masking) -> Any:
    """Every text in a value by itself, so that JSON stays JSON."""
    match value:
        case str():
            return masking.text(value)
        case Mapping():
            return {name: _masked(inner, masking) for name, inner in value.items()}
        case list() | tuple():
            return [_masked(inner, masking) for inner in value]
    return value


def write(target: Path, files: Mapping[str, str]) -> None:
    """Packs them into a new file, for its owner only.

    Raises UsageError if there is one, and OSError where none can be made.
    """
    if target.exists():
        raise UsageError(f"{target} is there already; nothing was changed")
    with (
        replacing(target, mode=0o600) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle,
    ):
        for name, text in files.items():
            bundle.writestr(name, text)


def _config(path: Path) -> Config | None:
    try:
        return load_config(path)
    except ConfigError:
        return None


def _known(config: Config | None, settings: str) -> Iterator[str]:
    """What to mask wherever it stands: addresses of servers, this machine's name, the home.

    Those of servers are looked for in the text too, for a broken one says nothing else.
    """
    yield str(Path.home())
    yield platform.node()
    places: list[str] = _PLACES.findall(settings)
    if config:
        places += [config.listen.host, *(server.address or "" for server in config.servers)]
    for place in places:
        host, _, port = place.rpartition(":")
        yield host if port.isdecimal() else place


def _dotted(config: Config | None) -> Iterator[str]:
    """Settings as our own words name them, such as `listen.host`: they look like hosts."""
    for section in fields(config) if config else ():
        inner = getattr(config, section.name)
        if is_dataclass(inner):
            yield from (f"{section.name}.{field.name}" for field in fields(inner))


def _machine() -> dict[str, object]:
    return {
        "adr_bridge": __version__,
        "python": sys.version,
        "platform": platform.platform(),
        "made": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "packages": {d.metadata["Name"]: d.version for d in distributions()},
    }


async def _database(config: Config | None) -> dict[str, object]:
    """Numbers, and no players: how much there is of what, and what became of it."""
    if config is None or not config.storage.database.exists():
        return {}
    try:
        store = await Store.read_only(config.storage.database)
    except StoreError as error:
        return {"error": str(error)}
    try:
        picture = await last_picture(store.health, now=time.time())
        return {
            "counts": await store.transfer.counts(),
            "outcomes": {str(why): n for why, n in (await store.transfer.outcomes(0)).items()},
            "ladders": [
                {
                    "ladder": row.ladder,
                    "parameters": row.parameters.to_dict(),
                    "clock": row.clock,
                    "boundaries": row.boundaries,
                }
                for row in await store.projection.ladders()
            ],
            "status": msgspec.to_builtins(picture),
        }
    except StoreError as error:
        return {"error": str(error)}
    finally:
        await store.close()
