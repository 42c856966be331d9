"""`/rankadmin exclude` and `include`: taking a player's kills out of the past, and back in."""

from plugin_bridge.commands.question import Question
from plugin_bridge.commands.rank import meant
from plugin_bridge.history.revision import Amendment, Exclude, Revision, Selector, Undo, written
from plugin_bridge.store.rows import NameRow
from plugin_bridge.text import Text, clean_name

_CONFIRM = "confirm"


async def exclude(question: Question) -> list[Text]:
    """`exclude <player> <reason>` says what it would do, `exclude <player> confirm <reason>` does.

    The name is one word here: a blank in it is typed as `_`.
    """
    _, name, *reason = question.arguments
    person, complaint = await meant(question, [name])
    if person is None:
        return complaint
    if reason[0].lower() == _CONFIRM and len(reason) > 1:
        selector = Selector(players=(person.player,), until=question.now)
        await _order(
            question, Exclude(select=selector, reason=_text(reason[1:]), by=_who(question))
        )
        return question.line("exclude_ordered", player=person.name)
    standings = await question.store.board.of(person.player)
    return question.line(
        "exclude_asked",
        player=person.name,
        kills=str(sum(standing.kills for standing in standings)),
        deaths=str(sum(standing.deaths for standing in standings)),
        command=f"/rankadmin exclude {name} {_CONFIRM} {_text(reason)}",
    )


async def include(question: Question) -> list[Text]:
    """`include <player> <reason>` takes back whatever is excluded of that player alone."""
    _, name, *reason = question.arguments
    person, complaint = await meant(question, [name])
    if person is None:
        return complaint
    chosen = await _excluded(question, person)
    if not chosen:
        return question.line("include_nothing", player=person.name)
    await _order(question, Undo(undoes=tuple(chosen), reason=_text(reason), by=_who(question)))
    return question.line("include_ordered", player=person.name)


async def _excluded(question: Question, person: NameRow) -> list[int]:
    valid = Revision(await question.store.history.amendments()).valid
    return [
        position
        for position, amendment in valid.items()
        if isinstance(amendment, Exclude) and amendment.select.players == (person.player,)
    ]


async def _order(question: Question, amendment: Amendment) -> None:
    await question.store.history.order(written(amendment), now=question.now)


def _text(words: list[str]) -> str:
    return clean_name(" ".join(words))


def _who(question: Question) -> str:
    sender = question.command.sender
    return f"console of {question.server}" if sender is None else sender.id
