"""From a file to settings, or to everything that is wrong with it. The file is only ever read."""

from __future__ import annotations

import codecs
import dataclasses
from importlib.resources import files
from pathlib import Path
from typing import Final

from plugin_bridge.config import events, filters, places, ratings, tiers, wording
from plugin_bridge.config.document import LONGEST, compose
from plugin_bridge.config.model import Config
from plugin_bridge.config.problems import ConfigError, Problem
from plugin_bridge.config.reading import Report, Section
from plugin_bridge.config.source import Source
from plugin_bridge.files import contents

FILE_NAME: Final = "config.yml"

_SECTIONS: Final = (
    "listen",
    "storage",
    "servers",
    "rating",
    "calibration",
    "tiers",
    "language",
    "messages",
    "announcements",
    "display",
    "filters",
    "events",
    "ladders",
)
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def load_config(path: str | Path) -> Config:
    """The settings in that file; relative paths in it start from its folder.

    Raises ConfigError, also where there is no such file.
    """
    path = Path(path)
    try:
        raw = contents(path, most=4 * LONGEST)  # of UTF-8, a character has at most four bytes
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"cannot be read: {reason or error}"
        raise ConfigError([Problem(str(path), 0, 0, "", message)]) from None
    config = parse_config(_decoded(raw, path.name), path.name)
    return _anchored(config, path.absolute().parent)


def parse_config(text: str, name: str = FILE_NAME) -> Config:
    """The settings in that text, paths as they are written. Raises ConfigError."""
    source = Source(name, text.removeprefix("\ufeff"))
    root, problems = compose(source)
    report = Report(source)
    report.problems.extend(problems)
    section = Section(report, root, "", _SECTIONS)
    config = _config(report, section)
    if report.problems:
        raise ConfigError(report.problems)
    return config


def default_config_text() -> str:
    """The config.yml that comes with the program, to be put where an admin can edit it."""
    packaged = files("plugin_bridge") / FILE_NAME
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / FILE_NAME).read_text(encoding="utf-8")


def _config(report: Report, root: Section) -> Config:
    ranks = tiers.tiers(report, root)
    rating = ratings.rating(report, root.get("rating"), ratings.Rating())
    servers = places.servers(report, root)
    names = frozenset(server.name for server in servers)
    return Config(
        listen=places.listen(report, root),
        storage=places.storage(report, root),
        servers=servers,
        calibration=ratings.calibration(report, root),
        tiers=ranks,
        messages=wording.messages(report, root),
        announcements=wording.announcements(report, root),
        display=wording.display(report, root),
        filters=filters.filters(report, root),
        events=events.events(report, root),
        ladders=ratings.ladders(report, root, rating, tiers.shares(ranks), names),
        warnings=tuple(report.warnings),
    )


def _decoded(raw: bytes, name: str) -> str:
    if raw.startswith(_UTF16):
        message = "saved as UTF-16 (`Unicode`): save it as UTF-8"
        raise ConfigError([Problem(name, 0, 0, "", message)])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = raw[: error.start].decode("utf-8-sig")
        shown = Source(name, good + raw[error.start :].decode("latin-1"))
        message = "not UTF-8 from here on: save the file as UTF-8"
        raise ConfigError([shown.problem(len(good), message)]) from None


def _anchored(config: Config, folder: Path) -> Config:
    database = folder / config.storage.database
    listen = config.listen
    if listen.tls:
        tls = dataclasses.replace(
            listen.tls,
            certificate=folder / listen.tls.certificate,
            key=folder / listen.tls.key,
        )
        listen = dataclasses.replace(listen, tls=tls)
    storage = dataclasses.replace(config.storage, database=database)
    return dataclasses.replace(config, listen=listen, storage=storage)
