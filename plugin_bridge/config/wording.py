"""Sections about what people read: `language`, `messages`, `announcements`, `display`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from plugin_bridge.config.languages import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    shipped_templates,
    template,
)
from plugin_bridge.config.messages import PLACEHOLDERS, Messages
from plugin_bridge.config.model import Announcements, Audience, Display
from plugin_bridge.config.reading import Report, Section, scalar
from plugin_bridge.config.source import Scalar
from plugin_bridge.config.values import Unfit, boolean, choice
from plugin_bridge.text import Template, Text, parse_markup, plain, stray_marks

_LABEL: Final = frozenset({"label"})
LONGEST_LABEL: Final = 64
"""Visible characters, which is as many as a name may have."""
_NOTHING: Final = (
    'nothing is written here: "" shows nothing, and a text that begins with # needs quotes'
)
_EMPTY: Final = (
    'nothing is written here: "" silences the message, and a text that begins with # needs quotes'
)


def label(report: Report, section: Section, key: str) -> Text | None:
    """What stands for a tier in front of a name; None if the key is not there."""
    written(report, section, key)
    node = section.get(key)
    if isinstance(node, Scalar):
        report.warn_of_tags(node, stray_marks)
    return section.value(key, _label, None)


def _label(text: str) -> Text:
    if text.splitlines() not in ([], [text]):
        raise Unfit("must be in one line")
    found = parse_markup(text)
    if len(plain(found)) > LONGEST_LABEL:
        raise Unfit(f"must be at most {LONGEST_LABEL} characters long, not counting colours")
    return found


def written(report: Report, section: Section, key: str) -> None:
    """Notes a key without a text: whoever began that text with # wrote a comment."""
    place = section.key(key)
    if place is not None and key not in section:
        report.problem(place, _NOTHING)


def messages(report: Report, root: Section) -> Messages:
    """The lines of the language, with the admin's own wording over them."""
    language = root.value("language", choice(LANGUAGES), DEFAULT_LANGUAGE)
    section = Section(report, root.get("messages"), "messages", PLACEHOLDERS)
    templates = dict(shipped_templates(language))
    for pair in section.pairs():
        key = pair.key.text
        if key not in PLACEHOLDERS:
            continue
        if key not in section:
            report.problem(pair.key, _EMPTY)
            continue
        own = scalar(report, pair.value, template(PLACEHOLDERS[key]), key)
        if own is not None and isinstance(pair.value, Scalar):
            templates[key] = own
            report.warn_of_tags(pair.value)
    return Messages(language, templates)


def announcements(report: Report, root: Section) -> Announcements:
    """Who hears of promotions, demotions and placements."""
    keys = ("promotion", "demotion", "placement")
    section = Section(report, root.get("announcements"), "announcements", keys)
    return Announcements(
        promotion=section.value("promotion", _audience("broadcast"), "broadcast"),
        demotion=section.value("demotion", _audience("private"), "private"),
        placement=section.value("placement", _audience("broadcast"), "broadcast"),
    )


def _audience(usual: Audience) -> Callable[[str], Audience]:
    """Besides the three words, plain yes and no: yes is what is usual for this event."""
    words: dict[str, Audience] = {"broadcast": "broadcast", "private": "private", "off": "off"}
    words |= dict.fromkeys(("no", "false", "none", "never"), "off")
    words |= dict.fromkeys(("on", "yes", "true"), usual)
    return choice(words)


def display(report: Report, root: Section) -> Display:
    """How a tier is shown in front of a name."""
    keys = ("prefix", "unranked", "tab_list", "name_tag")
    section = Section(report, root.get("display"), "display", keys)
    written(report, section, "prefix")
    prefix = section.get("prefix")
    if isinstance(prefix, Scalar):
        report.warn_of_tags(prefix)
    unranked = label(report, section, "unranked")
    return Display(
        prefix=section.value("prefix", template(_LABEL), Template.parse("{label} ", _LABEL)),
        unranked=None if unranked is None or unranked == Text("") else unranked,
        tab_list=section.value("tab_list", boolean, True),
        name_tag=section.value("name_tag", boolean, True),
    )
