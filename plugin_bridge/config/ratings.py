"""Sections about the numbers: `rating`, `calibration`, `ladders`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from adr_core import ParameterError, Parameters
from plugin_bridge.config import places
from plugin_bridge.config.model import MAIN_LADDER, Calibration, Claim, LadderConfig
from plugin_bridge.config.problems import closest
from plugin_bridge.config.reading import Report, Section, scalar
from plugin_bridge.config.source import Items, Node, Scalar
from plugin_bridge.config.values import Unfit, boolean, choice, duration, number, words

Preset = Literal["paper", "consistent", "calibrated"]

_PRESETS: Final[dict[str, Preset]] = {name: name for name in get_args(Preset)}
_SECONDS: Final = frozenset({"t_cooldown"})
_DAYS: Final = frozenset({"tau", "t_return", "t_active"})
_KNOWN: Final = frozenset(Parameters().to_dict()) - {"shares"}
_DAY: Final = 86_400
_MOST_LADDERS: Final = 100
_MOST_CLAIMS: Final = 1_000
"""Of all ladders together: each is held against all others."""
_MOST_STRANGERS: Final = 10
"""Of the servers that only ladders name, so many are told."""
_TOO_MANY_CLAIMS: Final = f"all ladders together must play in at most {_MOST_CLAIMS} places"


@dataclass(frozen=True, slots=True)
class _Given:
    """A parameter out of the file, and its place there."""

    key: Scalar
    value: object


@dataclass(frozen=True, slots=True)
class Rating:
    """A `rating` section before it is checked as a whole."""

    preset: Preset = "paper"
    given: dict[str, _Given] = field(default_factory=dict)


def calibration(report: Report, root: Section) -> Calibration:
    """How often tiers are adjusted."""
    section = Section(report, root.get("calibration"), "calibration", ("interval",))
    return Calibration(section.value("interval", duration(10, 366 * _DAY), 3600.0))


def rating(report: Report, node: Node | None, base: Rating) -> Rating:
    """A `rating` section; what it does not say is as in the base."""
    section = Section(report, node, "rating", ("preset", "parameters"))
    preset = section.value("preset", choice(_PRESETS), base.preset)
    keys = [*_KNOWN, "lambda", "shares"]
    parameters = Section(report, section.get("parameters"), "parameters", keys)
    given = dict(base.given)
    for pair in parameters.pairs():
        name = "lambda_" if pair.key.text == "lambda" else pair.key.text
        if name == "shares":
            report.problem(pair.key, "shares follow from the weights of the tiers: change those")
        elif name in _KNOWN and pair.key.text in parameters:
            value = scalar(report, pair.value, _reader(name), pair.key.text)
            if value is not None:
                given[name] = _Given(pair.key, value)
    return Rating(preset, given)


def _reader(name: str) -> Callable[[str], object]:
    if name in _SECONDS:
        return duration()
    if name in _DAYS:
        return duration(unit="d")
    default = Parameters().to_dict()[name]
    if isinstance(default, bool):
        return boolean
    return words if isinstance(default, str) else number()


def parameters(report: Report, chosen: Rating, shares: tuple[float, ...]) -> Parameters:
    """The parameters as a whole. Each one that breaks a rule is noted and left out."""
    given = dict(chosen.given)
    while True:
        values = {name: one.value for name, one in given.items()}
        try:
            return Parameters.from_dict({**values, "shares": shares}, preset=chosen.preset)
        except ParameterError as error:
            name = _culprit(error, given)
            if name is None:
                raise
            told = f"{error.value:g}" if isinstance(error.value, float) else error.value
            key = given.pop(name).key
            field = key.text if name == error.field else error.field
            report.problem(key, f"`{field}` is {told}, but {error.rule}")


def _culprit(error: ParameterError, given: dict[str, _Given]) -> str | None:
    """The parameter of the file that is behind the error: it may have upset a default."""
    words_of_rule: list[str] = re.findall(r"\w+", error.rule)
    for name in (error.field, *words_of_rule):
        if name in given:
            return name
    for name, one in given.items():
        try:
            Parameters.from_dict({name: one.value})
        except ParameterError:
            return name
    return next(iter(given), None)


def ladders(
    report: Report,
    root: Section,
    base: Rating,
    shares: tuple[float, ...],
    known: frozenset[str],
) -> tuple[LadderConfig, ...]:
    """The main ladder and then the others, no place being claimed by two of them.

    `known`: the servers there are. Others may have a token all the same, so they are only odd.
    """
    main = parameters(report, base, shares)
    found = [LadderConfig(MAIN_LADDER, main, given=frozenset(base.given))]
    strangers: list[Scalar] = []
    names = Section(report, root.get("ladders"), "ladders", None)
    for pair in names.pairs():
        if len(found) > _MOST_LADDERS:
            report.problem(pair.key, f"there must be at most {_MOST_LADDERS} ladders")
            break
        if pair.key.text == MAIN_LADDER:
            message = "`main` is the ladder of everything that no other one claims"
            report.problem(pair.key, message)
            continue
        _check_name(report, pair.key)
        section = Section(report, pair.value, pair.key.text, ("servers", "worlds", "rating"))
        claims = _claims(report, pair.key, section)
        if sum(len(ladder.claims) for ladder in found) + len(claims) > _MOST_CLAIMS:
            report.problem(pair.key, _TOO_MANY_CLAIMS)
            break
        _check_overlap(report, found, claims)
        strangers += _strangers(section, known)
        own = rating(report, section.get("rating"), base)
        numbers = parameters(report, own, shares)
        given = frozenset(own.given)
        found.append(LadderConfig(pair.key.text, numbers, tuple(claims), given))
    for node in strangers[:_MOST_STRANGERS]:
        message = f"`{node.text}` is not in `servers`: check that its token has this name"
        report.warn(node, message, closest(node.text, known))
    return tuple(found)


def _check_name(report: Report, key: Scalar) -> None:
    try:
        places.name(key.text)
    except Unfit as error:
        report.problem(key, f"the name of a ladder {error}", error.suggestion)


def _claims(report: Report, key: Scalar, section: Section) -> dict[Claim, Scalar]:
    """Every server with every world; where one of both is not named, any will do."""
    servers = section.values("servers", places.name)
    worlds = {name.casefold(): node for name, node in section.values("worlds", words).items()}
    if not servers and not worlds:
        if all(_is_empty(section.get(which)) for which in ("servers", "worlds")):
            report.problem(key, f"the ladder `{key.text}` needs `servers` or `worlds` to play on")
        return {}
    if len(servers) * len(worlds) > _MOST_CLAIMS:
        report.problem(key, _TOO_MANY_CLAIMS)
        return {}
    if not worlds:
        return {Claim(server, None): node for server, node in servers.items()}
    return {
        Claim(server, world): node for server in servers or [None] for world, node in worlds.items()
    }


def _is_empty(node: Node | None) -> bool:
    return node is None or (isinstance(node, Items) and not node.nodes)


def _strangers(section: Section, known: frozenset[str]) -> list[Scalar]:
    node = section.get("servers")
    nodes = node.nodes if isinstance(node, Items) else (node,)
    return [one for one in nodes if isinstance(one, Scalar) and one.text.strip() not in known]


def _check_overlap(
    report: Report, earlier: list[LadderConfig], claims: dict[Claim, Scalar]
) -> None:
    for claim, node in claims.items():
        for ladder in earlier:
            if any(claim.overlaps(other) for other in ladder.claims):
                message = f"{_said(claim)} is claimed by the ladder `{ladder.name}` already"
                report.problem(node, message)
                break


def _said(claim: Claim) -> str:
    if claim.world is None:
        return f"the server `{claim.server}`"
    if claim.server is None:
        return f"the world `{claim.world}`"
    return f"the world `{claim.world}` of `{claim.server}`"
