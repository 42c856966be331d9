"""From the text of a line to what happened."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from plugin_bridge.gamelog.deaths import Reading, readings
from plugin_bridge.gamelog.people import People, canonical_id, is_plain_name

_NAME = r"(?P<name>\w{1,32}|[.*!+~-]\w{1,16}(?: \w{1,16}){0,2})"
"""Only players of the Bedrock edition have spaces in their names, and a mark in front of them. Were
more allowed, `/me Ann joined the game` would make a player of `* Bob Ann`."""
_ID = re.compile(rf"UUID of player {_NAME} is (?P<id>[0-9a-fA-F-]{{32,36}})")
_CAME = re.compile(rf"{_NAME}(?:\[[^\]]*\])? (?:logged in with entity id|joined the game).*")
_RENAMED = re.compile(rf"{_NAME} \(formerly known as .+\) joined the game")
_WENT = re.compile(rf"{_NAME} (?:left the game|lost connection: ?.*)")
_CHAT = re.compile(r"(?:\[Not Secure\] )?<(?P<name>[^<>]{1,40})> (?P<words>.*)")


@dataclass(frozen=True, slots=True)
class Named:
    """The log says which id a name has."""

    name: str
    player: str


@dataclass(frozen=True, slots=True)
class Came:
    name: str


@dataclass(frozen=True, slots=True)
class Went:
    name: str


@dataclass(frozen=True, slots=True)
class Said:
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Died:
    """A death message, in all the ways it can be read."""

    readings: tuple[Reading, ...]


News = Named | Came | Went | Said | Died


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
    for shape, make in ((_RENAMED, Came), (_CAME, Came), (_WENT, Went)):
        match = shape.fullmatch(text)
        if match:
            return make(match["name"])
    match = _ID.fullmatch(text)
    player = match and canonical_id(match["id"])
    return Named(match["name"], player) if match and player else None


def note(news: News | None, people: People) -> None:
    """Learns from the news who is a player.

    Whoever dies is one: the game writes no other deaths in this way. Behind a chat format that is
    not the game's own somebody could make others seem to die, so the victim has to be a name.
    """
    match news:
        case Named(name=name, player=player):
            people.note(name, player)
        case Came(name=name) | Went(name=name):
            people.note(name)
        case Died(readings=found):
            for reading in found:
                if is_plain_name(reading.victim):
                    people.note(reading.victim)


def judged(died: Died, people: People) -> Reading | None:
    """The way to read a death that fits the players there are; None if the victim is none.

    A killer who is no player is a mob, and leaves a death that is nobody's kill.
    """
    fitting = [reading for reading in died.readings if people.knows(reading.victim)]
    for reading in fitting:
        if reading.killer is not None and people.knows(reading.killer):
            same = reading.killer == reading.victim
            return reading._replace(killer=None) if same else reading
    alone = [reading for reading in fitting if reading.killer is None]
    return next((r._replace(killer=None) for r in (*alone, *fitting)), None)
