"""Notices that config.yml was saved, and applies it; a broken file changes nothing."""

import asyncio
import logging
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plugin_bridge.config import Config, ConfigError, load_config
from plugin_bridge.engine import Engine
from plugin_bridge.upkeep import Upkeep

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class _Stamp:
    """By what a version of the file is told from another. `changed`: nanoseconds; `size`: bytes."""

    changed: int
    size: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """The file as it was at one moment: usable settings, or what is wrong with them."""

    stamp: _Stamp | None
    config: Config | None
    error: ConfigError | None = None


class Watch:
    """Looks at the file a few times a second, which works on every disk and in every container."""

    def __init__(self, path: Path, *, engine: Engine, upkeep: Upkeep) -> None:
        self._path = path
        self._engine = engine
        self._upkeep = upkeep
        self._begun_with = engine.config
        self._latest: _Stamp | None = None
        self._seen: _Stamp | None = None

    async def look(self) -> None:
        """Applies a new version of the file, once it has been left alone since the last look.

        An empty file is taken for one whose writing has just begun.
        """
        before, self._seen = self._seen, self._stamp()
        if self._seen and self._seen == before != self._latest and self._seen.size:
            reading = await self._read()
            await self._engine.errand(partial(self._settle_unasked, reading))

    async def apply(self) -> list[str]:
        """Puts the file as it is now in force; its problems, none if all is well. An errand."""
        return await self._settle(await self._read())

    async def _read(self) -> _Reading:
        self._latest = stamp = self._stamp()
        try:
            return _Reading(stamp, await asyncio.to_thread(load_config, self._path))
        except ConfigError as error:
            return _Reading(stamp, None, error)
        except BaseException:
            self._latest = None  # it was not read at all: the next look finds it new
            raise

    async def _settle_unasked(self, reading: _Reading) -> None:
        problems = await self._settle(reading)
        if problems:
            await self._upkeep.tell_admins(problems)

    async def _settle(self, reading: _Reading) -> list[str]:
        if reading.stamp != self._latest:
            return []  # overtaken: a later reading is on its way or in force
        if reading.error:
            log.error("config.yml is broken; the settings before stay in force:\n%s", reading.error)
            return [problem.headline for problem in reading.error.problems]
        if reading.config and reading.config != self._engine.config:
            await self._put_in_force(reading.config)
        return []

    async def _put_in_force(self, config: Config) -> None:
        begun = self._begun_with
        for warning in config.warnings:
            log.warning("%s", warning)
        if (config.listen, config.storage) != (begun.listen, begun.storage):
            log.warning("changes of `listen` and `storage` need a restart of the daemon")
        await self._upkeep.configure(config, now=time.time())
        log.info("config.yml was read again and is in force")

    def _stamp(self) -> _Stamp | None:
        try:
            status = self._path.stat()
        except OSError:
            return None
        return _Stamp(status.st_mtime_ns, status.st_size)
