"""Everything that helps somebody else to help, masked, in one file."""

import json
import platform
import sys
import time
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import distributions
from pathlib import Path

import msgspec

from plugin_bridge import __version__
from plugin_bridge.config import Config, ConfigError, load_config
from plugin_bridge.diagnosis.findings import Finding
from plugin_bridge.diagnosis.masking import Masking
from plugin_bridge.errors import StoreError, UsageError
from plugin_bridge.files import replacing
from plugin_bridge.status import last_picture
from plugin_bridge.store import Store

TAIL_BYTES = 2 << 20
"""How much of the end of a log is taken along."""


async def contents(path: Path, findings: Sequence[Finding], logs: Sequence[Path]) -> dict[str, str]:
    """The files of a bundle by name, all of them masked. Raises UsageError for a missing log."""
    config = _config(path)
    masking = Masking(_known(config))
    files = {
        "findings.json": json.dumps([asdict(finding) for finding in findings], indent=2),
        "machine.json": json.dumps(_machine(), indent=2),
        "config.yml": _text(path),
        "database.json": json.dumps(await _database(config), indent=2),
    }
    for number, log in enumerate(logs, start=1):
        files[f"log-{number}.txt"] = _tail(log)
    return {name: masking.text(text) for name, text in files.items()}


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


def _known(config: Config | None) -> Iterable[str]:
    """What to mask wherever it stands: addresses of servers, this machine's name, the home."""
    yield str(Path.home())
    yield platform.node()
    if config:
        yield config.listen.host
        for server in config.servers:
            if server.address:
                yield server.address
                yield server.address.rpartition(":")[0]


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


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL_BYTES))
            return file.read().decode(errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
