"""The section `tiers`."""

from __future__ import annotations

import math
from typing import Final

from plugin_bridge.config import wording
from plugin_bridge.config.model import Tier
from plugin_bridge.config.reading import Report, Section
from plugin_bridge.config.source import Node, Scalar
from plugin_bridge.config.values import Unfit, number
from plugin_bridge.text import Text, parse_markup

_SMALLEST_SHARE: Final = 1e-6
_MOST: Final = 100
_LONGEST_NAME: Final = 32

_COLORS: Final = {1: "&6", 2: "&d", 3: "&b", 4: "&a", 5: "&7"}


def shipped() -> tuple[Tier, ...]:
    """HT1 to LT5: high, middle and low of five groups, each group in a colour of its own."""
    return tuple(
        Tier(f"{half}T{group}", parse_markup(f"{color}[{half}T{group}]"), 1.0)
        for group, color in _COLORS.items()
        for half in "HML"
    )


def shares(tiers: tuple[Tier, ...]) -> tuple[float, ...]:
    """The share of players each tier is meant to hold, best tier first; adds up to 1."""
    total = math.fsum(tier.weight for tier in tiers)
    return tuple(tier.weight / total for tier in tiers)


def tiers(report: Report, root: Section) -> tuple[Tier, ...]:
    """The tiers, best first."""
    nodes = root.items("tiers")
    if "tiers" not in root or nodes is None:
        return shipped()
    if not 2 <= len(nodes) <= _MOST:
        where = root.key("tiers") if not nodes else nodes[0]
        report.problem(where or nodes[0], f"there must be 2 to {_MOST} tiers, not {len(nodes)}")
        return shipped()
    found: dict[str, Tier] = {}
    weights: list[tuple[Node, float]] = []
    for node in nodes:
        tier, weight_node = _tier(report, node)
        if tier is None:
            continue
        if tier.name.casefold() in found:
            report.problem(node, f"there are two tiers named `{tier.name}`")
            continue
        found[tier.name.casefold()] = tier
        weights.append((weight_node, tier.weight))
    if len(found) == len(nodes) and _fit_together(report, weights):
        return tuple(found.values())
    # What is wrong here has been noted: the result only serves to look for further problems.
    return shipped()


def _tier(report: Report, node: Node) -> tuple[Tier | None, Node]:
    if isinstance(node, Scalar):
        message = 'a tier is written like this: - {name: HT1, label: "&6[HT1]", weight: 1}'
        report.problem(node, message)
        return None, node
    section = Section(report, node, "tiers", ("name", "label", "weight"))
    name = section.value("name", _name, None)
    if name is None:
        if "name" not in section and section.node is not None:
            report.problem(node, "this tier has no `name`")
        return None, node
    label = wording.label(report, section, "label")
    weight = section.value("weight", _weight, 1.0)
    return Tier(name, Text(name) if label is None else label, weight), section.get("weight") or node


def _fit_together(report: Report, weights: list[tuple[Node, float]]) -> bool:
    """Whether every tier gets a share that the algorithm can work with."""
    total = math.fsum(weight for _, weight in weights)
    slight = [node for node, weight in weights if weight / total < _SMALLEST_SHARE]
    for node in slight:
        report.problem(node, "this weight is too small next to those of the other tiers")
    return not slight


def _name(text: str) -> str:
    text = text.strip()
    if not text or len(text) > _LONGEST_NAME or not text.isprintable():
        raise Unfit(f"must be a name of 1 to {_LONGEST_NAME} characters")
    return text


def _weight(text: str) -> float:
    weight = number(0, 1e9)(text)
    if weight <= 0:
        raise Unfit("must be above 0")
    return weight
