"""The lines that come with the program, one file per language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from plugin_bridge.config.document import compose
from plugin_bridge.config.messages import PLACEHOLDERS, Language
from plugin_bridge.config.problems import ConfigError
from plugin_bridge.config.reading import Report, Section, scalar
from plugin_bridge.config.source import Source
from plugin_bridge.config.values import Unfit
from plugin_bridge.text import Template, TemplateError

DEFAULT_LANGUAGE: Final[Language] = "en"

LANGUAGES: Final[Mapping[str, Language]] = {
    "en": "en",
    "en_us": "en",
    "en_gb": "en",
    "english": "en",
    "zh_cn": "zh_cn",
    "zh": "zh_cn",
    "chinese": "zh_cn",
}
"""What an admin may write, and the language it means."""

LONGEST_TEXT: Final = 400
"""Visible characters. In a gradient each is a component, and a page of a board has ten lines with
a label in each: what the daemon sends must fit into a frame of the contract."""
TOO_LONG: Final = f"must be at most {LONGEST_TEXT} characters long, not counting colours"


def template(allowed: frozenset[str]) -> Callable[[str], Template]:
    """Reader of a line with these placeholders."""

    def read(text: str) -> Template:
        try:
            found = Template.parse(text, allowed)
        except TemplateError as error:
            raise Unfit(str(error), suggestion=error.suggestion, position=error.position) from None
        if found.length > LONGEST_TEXT:
            raise Unfit(TOO_LONG)
        return found

    return read


@cache
def shipped_templates(language: Language) -> Mapping[str, Template]:
    """Every message in that language. Raises ConfigError if the file of this release is faulty."""
    name = f"{language}.yml"
    text = (files("plugin_bridge") / "lang" / name).read_text(encoding="utf-8")
    source = Source(name, text)
    root, problems = compose(source)
    report = Report(source)
    section = Section(report, root, "", PLACEHOLDERS)
    found = {
        pair.key.text: scalar(
            report, pair.value, template(PLACEHOLDERS[pair.key.text]), pair.key.text
        )
        for pair in section.pairs()
        if pair.key.text in PLACEHOLDERS
    }
    templates = {key: value for key, value in found.items() if value is not None}
    missing = PLACEHOLDERS.keys() - found.keys()
    problems += [source.problem(0, f"`{key}` is missing") for key in sorted(missing)]
    if problems or report.problems:
        raise ConfigError(problems + report.problems)
    return MappingProxyType(templates)
