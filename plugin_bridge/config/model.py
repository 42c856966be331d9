"""The settings as the rest of the program sees them: checked, complete, unchangeable."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from adr_core import Parameters
from plugin_bridge.config.messages import Messages
from plugin_bridge.config.problems import Problem
from plugin_bridge.text import Template, Text

Audience = Literal["broadcast", "private", "off"]
CombatLog = Literal["kill", "ignore"]
SameAddress = Literal["rate", "ignore"]
EventEntry = Literal["everybody", "join"]
EventScore = Literal["kills", "kills_minus_deaths", "placement"]

MAIN_LADDER = "main"
"""Where everything plays that no other ladder claims."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Files for wss:// (PEM)."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Where mods connect to. Port 0: any free one."""

    host: str = "127.0.0.1"
    port: int = 8787
    tls: Tls | None = None


@dataclass(frozen=True, slots=True)
class Storage:
    """Where ratings are kept."""

    database: Path


@dataclass(frozen=True, slots=True)
class GameServer:
    """A game server to look after; without an address it cannot be asked how it is."""

    name: str
    address: str | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Seconds between two adjustments of the tier boundaries."""

    interval: float


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier as players see it; weights of all tiers are relative to each other."""

    name: str
    label: Text
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcements:
    """Who hears of what."""

    promotion: Audience
    demotion: Audience
    placement: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """How a player's tier is shown in front of the name."""

    prefix: Template
    unranked: Text | None
    tab_list: bool
    name_tag: bool

    def before(self, label: Text | None) -> Text | None:
        """What goes in front of the name of a player with that label, or without one."""
        shown = self.unranked if label is None else label
        return None if shown is None else self.prefix.render({"label": shown})


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which kills are rated. World names are kept in lower case."""

    only: frozenset[str]
    ignore: frozenset[str]
    combat_window: float
    combat_log: CombatLog
    same_address: SameAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """How events go: who takes part, what counts, how many minutes they last if nothing is said.

    `ladder`: whether kills in an event count for the ladder as well.
    """

    entry: EventEntry
    score: EventScore
    length: float
    min_players: int
    ladder: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A server, a world, or a world of one server, that belongs to a ladder. None: any."""

    server: str | None
    world: str | None

    def covers(self, server: str, world: str | None) -> bool:
        """Whether what happens there is claimed."""
        if self.server is not None and self.server != server:
            return False
        return self.world is None or (world is not None and self.world == world.casefold())

    def overlaps(self, other: Claim) -> bool:
        """Whether there is a place that both claim."""
        return (None in (self.server, other.server) or self.server == other.server) and (
            None in (self.world, other.world) or self.world == other.world
        )


@dataclass(frozen=True, slots=True)
class LadderConfig:
    """A ladder and its rules; the main one claims nothing and gets what is left.

    given: the parameters that config.yml names, whatever it says about them.
    """

    name: str
    parameters: Parameters
    claims: tuple[Claim, ...] = ()
    given: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything an admin decides. Two are equal if they make the program do the same."""

    listen: Listen
    storage: Storage
    servers: tuple[GameServer, ...]
    calibration: Calibration
    tiers: tuple[Tier, ...]
    messages: Messages
    announcements: Announcements
    display: Display
    filters: Filters
    events: Events
    ladders: tuple[LadderConfig, ...]
    warnings: tuple[Problem, ...] = field(default=(), compare=False)
    """Odd things in the file that do not keep it from being used."""

    @property
    def language(self) -> str:
        """`en` or `zh_cn`."""
        return self.messages.language

    @property
    def tier_names(self) -> tuple[str, ...]:
        """Of all tiers, the best first."""
        return tuple(tier.name for tier in self.tiers)

    def tier(self, index: int) -> Tier:
        """The tier of that index, 1 being the best. Raises IndexError if there is none."""
        if index < 1:
            raise IndexError(f"no tier has the index {index}")
        return self.tiers[index - 1]

    def ladder(self, name: str) -> LadderConfig:
        """The ladder of that name. Raises KeyError if there is none."""
        for ladder in self.ladders:
            if ladder.name == name:
                return ladder
        raise KeyError(name)

    def ladder_for(self, server: str, world: str | None) -> str:
        """The name of the ladder that a kill there belongs to."""
        for ladder in self.ladders:
            for claim in ladder.claims:
                if claim.covers(server, world):
                    return ladder.name
        return MAIN_LADDER

    def rates(self, world: str | None) -> bool:
        """Whether kills in that world are rated. An unknown world is in nobody's list."""
        name = None if world is None else world.casefold()
        if self.filters.only and name not in self.filters.only:
            return False
        return name not in self.filters.ignore
