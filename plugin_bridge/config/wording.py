"""Sections about what people read: `language`, `messages`, `announcements`, `display`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from plugin_bridge.config.languages import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    LONGEST_TEXT,
    TOO_LONG,
    shipped_templates,
    template,
)
from plugin_bridge.config.messages import PLACEHOLDERS, Messages
from plugin_bridge.config.model import Announcements, Audience, Display
from plugin_bridge.config.reading import Report, Section, scalar
from plugin_bridge.config.source import Scalar
from plugin_bridge.config.values import Unfit, boolean, choice
from plugin_bridge.text import Template, Text, parse_markup, plain

_LABEL: Final = frozenset({"label"})
_EMPTY: Final = (
    'nothing is written here: "" silences the message, and a text that begins with # needs quotes'
)


def markup(text: str) -> Text:
    """Reader of a text with colours."""
    found = parse_markup(text)
    if len(plain(found)) > LONGEST_TEXT:
        raise Unfit(TOO_LONG)
    return found


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
    for key in ("prefix", "unranked"):
        node = section.get(key)
        if isinstance(node, Scalar):
            report.warn_of_tags(node)
    unranked = section.value("unranked", markup, None)
    return Display(
        prefix=section.value("prefix", template(_LABEL), Template.parse("{label} ", _LABEL)),
        unranked=None if unranked is None or unranked == Text("") else unranked,
        tab_list=section.value("tab_list", boolean, True),
        name_tag=section.value("name_tag", boolean, True),
    )
