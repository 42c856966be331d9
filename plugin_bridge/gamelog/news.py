"""From the text of a line to what happened."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from plugin_bridge.gamelog.deaths import Reading, readings
from plugin_bridge.gamelog.mobs import MOBS
from plugin_bridge.gamelog.people import People, canonical_id, is_plain_name

_NAME = r"(?P<name>\w{1,32}|[.*!+~-]\w{1,16}(?: \w{1,16}){0,2})"
"""Only players of the Bedrock edition have spaces in their names, and a mark in front of them. Were
more allowed, `/me Ann joined the game` would make a player of `* Bob Ann`."""
_ID = re.compile(rf"UUID of player {_NAME} is (?P<id>[0-9a-fA-F-]{{32,36}})")
_ENTERED = re.compile(rf"{_NAME}(?:\[[^\]]*\])? logged in with entity id.*")
_JOINED = re.compile(rf"{_NAME}(?: \(formerly known as .+\))? joined the game.*")
_LOST = re.compile(rf"{_NAME} lost connection: ?.*")
_LEFT = re.compile(rf"{_NAME} left the game")
_SHOWN = re.compile(r"(?P<shown>.{2,120}) (?:joined|left) the game")
_CHAT = re.compile(r"(?:\[Not Secure\] )?<(?P<name>[^<>]{1,40})> (?P<words>.*)")


@dataclass(frozen=True, slots=True)
class Named:
    """The log says which id a name has."""

    name: str
    player: str


@dataclass(frozen=True, slots=True)
class Came:
    """`shown`: whether the line is the one that all players see."""

    name: str
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Went:
    """`shown`: as above."""

    name: str
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """Somebody came or went whose name has something around it, such as what a team puts there."""

    shown: str


@dataclass(frozen=True, slots=True)
class Said:
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Died:
    """A death message, in all the ways it can be read."""

    readings: tuple[Reading, ...]


_COMINGS = (
    (_JOINED, Came, True),
    (_ENTERED, Came, False),
    (_LEFT, Went, True),
    (_LOST, Went, False),
)
News = Named | Came | Went | Shown | Said | Died


def news_in(text: str, own: Sequence[re.Pattern[str]] = ()) -> News | None:
    """What a line tells; None for what does not matter here. Cost: O(length).

    own: forms of death messages beside those of the game.
    """
    if text.startswith(("<", "[Not Secure] <")):
        chat = _CHAT.fullmatch(text)
        return Said(chat["name"], chat["words"]) if chat else None
    found = tuple(readings(text, own))
    if found:
        return Died(found)
    for shape, make, shown in _COMINGS:
        match = shape.fullmatch(text)
        if match:
            return make(match["name"], shown)
    match = _ID.fullmatch(text)
    player = match and canonical_id(match["id"])
    if match and player:
        return Named(match["name"], player)
    match = _SHOWN.fullmatch(text)
    return Shown(match["shown"]) if match else None


def note(news: News | None, people: People) -> None:
    """Learns from the news who is a player.

    Whoever dies is one: the game writes no other deaths in this way. Behind a chat format that is
    not the game's own somebody could make others seem to die, so the victim has to be a name.
    """
    people.looks.pass_line()
    match news:
        case Named(name=name, player=player):
            people.note(name, player)
            people.looks.announce(name)
        case Came(name=name, shown=True) | Went(name=name, shown=True):
            people.note(name)
            people.looks.came_bare(name)
        case Went(name=name):
            people.note(name)
            people.looks.announce(name)
        case Came(name=name):
            people.note(name)
        case Shown(shown=shown):
            people.looks.learn(shown, people.knows)
        case Died(readings=found):
            for reading in found:
                if is_plain_name(reading.victim):
                    people.note(reading.victim)


def judged(died: Died, people: People) -> Reading | None:
    """The way to read a death that fits the players there are; None if the victim is none.

    A killer who is no player is a mob, and leaves a death that is nobody's kill.
    """
    fitting = [
        reading._replace(victim=victim)
        for reading in died.readings
        if (victim := people.called(reading.victim))
    ]
    for reading in fitting:
        killer = reading.killer and people.called(reading.killer)
        if killer:
            return reading._replace(killer=None if killer == reading.victim else killer)
    alone = [reading for reading in fitting if reading.killer is None]
    return next((r._replace(killer=None) for r in (*alone, *fitting)), None)


def stranger(died: Died, people: People) -> str | None:
    """The name of a killer that is no mob's, and nobody's as far as is known: a player whom nothing
    that was read tells of, or a mob that was given a name. None for other deaths.
    """
    killers = [reading.killer for reading in died.readings if people.called(reading.victim)]
    names = [name for name in killers if name]
    if len(names) < len(killers) or any(map(people.called, names)):
        return None
    return next((name for name in names if is_plain_name(name) and name not in MOBS), None)
