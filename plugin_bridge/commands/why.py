"""`/rank why`: the last fights, and what made each step, in words."""

from adr_core import Parameters
from plugin_bridge.commands.question import Question
from plugin_bridge.commands.rank import meant
from plugin_bridge.history.amendments import Merge, Place, SeasonEnd
from plugin_bridge.history.between import Change
from plugin_bridge.history.steps import Why
from plugin_bridge.history.story import Part, story
from plugin_bridge.present import points
from plugin_bridge.store.rows import NameRow
from plugin_bridge.text import Text, plain

SHOWN = 5
LOOKED_AT = 100_000
"""So many of the latest log entries are looked through: a command must not hold up the fights."""
_REASONS = ("cooldown", "world", "excluded")


async def own_why(question: Question) -> list[Text]:
    sender = question.command.sender
    if sender is None:
        return question.line("console_needs_name")
    return await _told(question, NameRow(sender.id, sender.name or sender.id, 0.0))


async def other_why(question: Question) -> list[Text]:
    person, complaint = await meant(question, question.arguments[1:])
    return await _told(question, person) if person else complaint


async def _told(question: Question, person: NameRow) -> list[Text]:
    ids = question.revision.all_ids_of(person.player)
    since = question.events - LOOKED_AT
    found = await story(
        question.store, question.revision, ids, question.ladder_name, SHOWN, since=since
    )
    if not any(isinstance(one, Part) for one in found.told.values()):
        return question.line("why_nothing", player=person.name)
    lines = question.line("why_header", player=person.name)
    for position, one in reversed(found.told.items()):
        if isinstance(one, Part):
            rules = found.rules.at(position) or question.ladder.parameters
            lines += _fight(question, one, found.names, rules)
        else:
            lines += _change(question, one, found.names)
    return lines


def _change(question: Question, change: Change, names: dict[str, str]) -> list[Text]:
    """What else has moved the rating."""
    match change:
        case Place(rating=None):
            return question.line("why_reset", reason=change.reason)
        case Place(rating=float(rating)):
            return question.line("why_set", rating=points(rating), reason=change.reason)
        case SeasonEnd(name=name):
            return question.line("why_season", season=name, reason=change.reason)
        case Merge(old=old):
            return question.line("why_merge", player=names.get(old, old), reason=change.reason)
    return []


def _fight(question: Question, fight: Part, names: dict[str, str], rules: Parameters) -> list[Text]:
    manner = "kill" if fight.killed else "death"
    opponent = names.get(fight.opponent, fight.opponent)
    if fight.chance is None:
        key = f"why_{fight.reason}" if fight.reason in _REASONS else "why_other"
        reason = question.config.messages.plain(key)
        return question.line(f"why_uncounted_{manner}", opponent=opponent, reason=reason)
    found = fight.why(rules)
    return question.line(
        f"why_{manner}",
        change=f"{fight.change:+.1f}",
        opponent=opponent,
        chance=str(round(100 * fight.chance)),
        factors=_factors(question, found, fight.step.days) if fight.step and found else "",
    )


def _factors(question: Question, found: Why, days: float) -> str:
    """Only those that made a difference."""
    parts = question.line("why_base", points=f"{found.base:.0f}")
    for key, factor in (("streak", found.streak), ("calm", found.calm), ("trend", found.trend)):
        if abs(factor - 1.0) >= 0.01:
            parts += question.line(f"why_{key}", factor=f"{factor:.2f}")
    parts += question.line("why_surprise", factor=f"{abs(found.surprise):.2f}")
    if found.limit:
        parts += question.line(f"why_{found.limit}" if found.limit != "other" else "why_limited")
    if days >= 1.0:
        parts += question.line("why_away", days=f"{days:.0f}")
    return ", ".join(plain(part) for part in parts)
