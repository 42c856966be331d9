"""`/rankadmin exclude` and `include`: taking a player's kills out of the past, and back in."""

import re

from plugin_bridge.commands.question import Question
from plugin_bridge.commands.rank import meant
from plugin_bridge.history.amendments import Amendment, Exclude, Selector, Undo, written
from plugin_bridge.history.revision import Revision
from plugin_bridge.text import Text, clean_name

_CONFIRM = "confirm"
_NUMBER = re.compile("[0-9]{1,18}")


async def exclude(question: Question) -> list[Text]:
    """`exclude <player> <reason>` says what it would do, `exclude <player> confirm <reason>` does.

    The name is one word here: a blank in it is typed as `_`.
    """
    missing = _missing(question)
    if missing is not None:
        return missing
    _, name, *reason = question.arguments
    person, complaint = await meant(question, [name])
    if person is None:
        return complaint
    if reason[0].lower() == _CONFIRM:
        first, *others = question.revision.all_ids_of(person.player)
        selector = Selector(
            players=(first,), others=(tuple(others),) if others else (), until=question.now
        )
        await _order(
            question, Exclude(select=selector, reason=_text(reason[1:]), by=_who(question))
        )
        return question.line("exclude_ordered", player=person.name)
    standings = await question.store.board.of(question.revision.rated_as(person.player))
    if not any(standing.kills or standing.deaths for standing in standings):
        return question.line("exclude_nothing", player=person.name)
    return question.line(
        "exclude_asked",
        player=person.name,
        kills=str(sum(standing.kills for standing in standings)),
        deaths=str(sum(standing.deaths for standing in standings)),
        command=f"/rankadmin exclude {name} {_CONFIRM} {_text(reason)}",
    )


async def include(question: Question) -> list[Text]:
    """`include <player> <reason>` takes back whatever is excluded of that player alone, and
    `include <number> <reason>` what has that number in the history.
    """
    missing = _missing(question)
    if missing is not None:
        return missing
    _, name, *reason = question.arguments
    excluded = await _excluded(question)
    number = int(name) if _NUMBER.fullmatch(name) else 0
    if number in excluded:
        await _order(question, Undo(undoes=(number,), reason=_text(reason), by=_who(question)))
        return question.line("include_ordered_number", number=name)
    person, complaint = await meant(question, [name])
    if person is None:
        return complaint
    chosen = [
        position for position, ids in excluded.items() if len(ids) == 1 and person.player in ids[0]
    ]
    if not chosen:
        return question.line("include_nothing", player=person.name)
    await _order(question, Undo(undoes=tuple(chosen), reason=_text(reason), by=_who(question)))
    return question.line("include_ordered", player=person.name)


async def _excluded(question: Question) -> dict[int, list[tuple[str, ...]]]:
    """The exclusions in force by their numbers: whose fights they are about."""
    valid = Revision(await question.store.history.amendments()).valid
    return {p: one.select.ids for p, one in valid.items() if isinstance(one, Exclude)}


def _missing(question: Question) -> list[Text] | None:
    """What the command lacks, and how it is used; None if it is whole."""
    what, *words = question.arguments
    reason = words[1:]
    if what.lower() == "exclude" and reason and reason[0].lower() == _CONFIRM:
        reason = reason[1:]
    if words and _text(reason):
        return None
    lacking = question.line("missing_reason" if words else "missing_player")
    return [*lacking, *question.line(f"help_admin_{what.lower()}")]


async def _order(question: Question, amendment: Amendment) -> None:
    await question.store.history.order(written(amendment), now=question.now)


def _text(words: list[str]) -> str:
    return clean_name(" ".join(words))


def _who(question: Question) -> str:
    sender = question.command.sender
    return f"console of {question.server}" if sender is None else sender.id
