"""The death messages of the game in English, which is what its servers write into their logs.

The words are those of the keys `death.attack.*` and `death.fell.*` in the game's language file,
of all versions from 1.7 on: `while` was `whilst` up to 1.20.1.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_BY_PLAYER = """
attack       was slain by K [using]
attack       was smashed by K [with]
attack       was speared by K [using]
attack       was stung to death by K [using]
projectile   was shot by a skull from K [using]
projectile   was shot by K [using]
projectile   was pummeled by K [using]
projectile   was impaled by K [with]
projectile   was fireballed by K [using]
explosion    was blown up by K [using]
explosion    went off with a bang due to a firework fired from I by K
explosion    went off with a bang while fighting K
magic        was killed by K using magic
magic        was killed by K using I
magic        was killed by magic while trying to escape K
magic        was roasted in dragon('s)? breath by K
magic        was obliterated by a sonically-charged shriek while trying to escape K [wielding]
magic        withered away while fighting K
thorns       was killed (while )?trying to hurt K
thorns       was killed by I (while )?trying to hurt K
lightning    was struck by lightning while fighting K
fall         hit the ground too hard while trying to escape K
fall         was doomed to fall by K [using]
fall         fell too far and was finished by K [using]
fall         experienced kinetic energy while trying to escape K
fall         was impaled on a stalagmite while fighting K
lava         tried to swim in lava (while trying )?to escape K
fire         walked into (a )?fire while fighting K
fire         was burn(ed|t) to a crisp while fighting K [wielding]
fire         walked into (the )?danger zone due to K
drowning     drowned while trying to escape K
suffocation  suffocated in a wall while fighting K
void         didn't want to live in the same world as K
void         left the confines of this world while fighting K
other        was squashed by a falling (anvil|block) while fighting K
other        was skewered by a falling stalactite while fighting K
other        was squashed by K
other        walked into a cactus while trying to escape K
other        was poked to death by a sweet berry bush while trying to escape K
other        was frozen to death by K
other        starved to death while fighting K
other        died from dehydration while trying to escape K
other        died because of K
"""
"""Cause (as in PROTOCOL.md) and words; K: who did it; I: an item. What an item is introduced by,
where one may follow, is in brackets."""

_ALONE = """
admin        was killed while fighting K
admin        was killed
bed          was killed by \\[Intentional Game Design\\]
magic        was killed by magic
magic        was killed by even more magic
magic        was roasted in dragon('s)? breath
magic        withered away
magic        was obliterated by a sonically-charged shriek
explosion    blew up
explosion    went off with a bang
fall         hit the ground too hard
fall         fell from a high place( and fell out of the world)?
fall         fell off (a ladder|some vines|some weeping vines|some twisting vines|scaffolding)
fall         fell while climbing
fall         fell (out of the water|into a patch of fire|into a patch of cacti)
fall         was doomed to fall
fall         experienced kinetic energy
fall         was impaled on a stalagmite
lava         tried to swim in lava
lava         discovered (the )?floor was lava
fire         burned to death
fire         went up in flames
drowning     drowned
suffocation  suffocated in a wall
void         fell out of the world
void         left the confines of this world
lightning    was struck by lightning
attack       was stung to death
other        was squashed by a falling (anvil|block)
other        was skewered by a falling stalactite
other        was squished too much
other        was pricked to death
other        was poked to death by a sweet berry bush
other        froze to death
other        starved to death
other        died from dehydration
other        died
"""
"""Deaths that are nobody's kill. The first two are the command /kill."""


WORDS_OF_A_NAME = 6
"""Names of the Bedrock edition may have spaces, and teams put words around names."""


class Reading(NamedTuple):
    """One way to read a death message; whether the killer is a player is not known here."""

    victim: str
    killer: str | None
    cause: str


@dataclass(frozen=True, slots=True)
class _Form:
    cause: str
    words: re.Pattern[str]
    murder: bool


def own_form(words: str) -> re.Pattern[str]:
    """A death message of a plugin, such as `KILLER has slain VICTIM with ITEM`.

    Raises ValueError without exactly one KILLER and one VICTIM in it.
    """
    parts = re.split(r"\b(KILLER|VICTIM|ITEM)\b", words.strip())
    if parts.count("KILLER") != 1 or parts.count("VICTIM") != 1:
        raise ValueError("write a death message with KILLER and VICTIM, each once")
    places = {"KILLER": "(?P<k>.+?)", "VICTIM": "(?P<v>.+?)", "ITEM": ".+?"}
    return re.compile("".join(places.get(part) or re.escape(part) for part in parts))


def readings(text: str, own: Sequence[re.Pattern[str]] = ()) -> Iterator[Reading]:
    """The ways to read a text as a death message, likelier ones first; none for other texts.

    own: forms beside those of the game. Cost: O(length); most texts are dismissed by a word.
    """
    for pattern in own:
        found = pattern.fullmatch(text)
        if found:
            yield Reading(found["v"], found["k"], "attack")
    start = -1
    for _ in range(WORDS_OF_A_NAME):
        start = text.find(" ", start + 1)
        if start < 0:
            return
        rest = text[start + 1 :]
        for form in _FORMS.get(rest.partition(" ")[0], ()):
            found = form.words.fullmatch(rest)
            if found:
                yield Reading(text[:start], found["k"] if form.murder else None, form.cause)


def _compiled() -> dict[str, tuple[_Form, ...]]:
    """All forms by their first word."""
    forms: dict[str, list[_Form]] = defaultdict(list)
    for table, murder in ((_BY_PLAYER, True), (_ALONE, False)):
        for row in table.strip().splitlines():
            cause, words = row.split(maxsplit=1)
            forms[words.partition(" ")[0]] += (
                _Form(cause, re.compile(pattern), murder) for pattern in _patterns(words)
            )
    return {first: tuple(found) for first, found in forms.items()}


def _patterns(words: str) -> Iterator[str]:
    """With an item first: else it would pass for a part of the killer's name."""
    bare, bracket, item = words.partition(" [")
    pattern = re.sub(r"\bwhile\b", "(?:while|whilst)", bare)
    pattern = re.sub(r"\bK\b", "(?P<k>.+?)", re.sub(r"\bI\b", ".+", pattern))
    if bracket:
        yield f"{pattern} {item.removesuffix(']')} .+"
    yield pattern


_FORMS = _compiled()
