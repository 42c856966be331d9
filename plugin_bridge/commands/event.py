"""`/event`: contests on the server where it is typed, and `/rank events`, what came of them."""

import re
from collections.abc import Awaitable, Callable
from typing import Final

from plugin_bridge.commands.question import Question
from plugin_bridge.config.events import LONGEST
from plugin_bridge.config.values import Unfit
from plugin_bridge.config.values import duration as length
from plugin_bridge.contests.notices import change, day, rule, title
from plugin_bridge.present import duration, points
from plugin_bridge.store.rows import ContestRow, NameRow
from plugin_bridge.text import Text, clean_name

SHOWN = 10
_MOST_DIGITS = 9
_LENGTH: Final = length(1, LONGEST, unit="m")
_LIKE_A_NUMBER: Final = re.compile(
    r"[+-]?[.,]?\d(?:[\d.,:_%]|e[+-]?\d|s(?:econds?|ecs?)?|m(?:inutes?|ins?)?|h(?:ours?|rs?)?|d(?:ays?)?)*",
    re.IGNORECASE,
)
"""What can only be meant as a length. A name may begin with a number, too: `3v3`, `2nd`."""

Answer = Callable[[Question, ContestRow], Awaitable[list[Text]]]
PlayersAnswer = Callable[[Question, ContestRow, str], Awaitable[list[Text]]]


def event_ladder(question: Question) -> str:
    """The ladder whose event ratings count on this server, whatever world it is asked from."""
    return question.config.ladder_for(question.server, None)


async def start(question: Question) -> list[Text]:
    """`start [length] [name]`, such as `start 20` or `start 1h30m Friday night`."""
    running = question.referee.book.on(question.server)
    if running:
        return question.line("event_running_already", event=title(running))
    words = question.arguments[1:]
    minutes = None
    if words and _LIKE_A_NUMBER.fullmatch(words[0]):
        try:
            minutes = _LENGTH(words.pop(0))
        except Unfit:
            return question.line("event_bad_minutes")
    row = await question.referee.start(
        question.server,
        event_ladder(question),
        minutes=minutes,
        name=clean_name(" ".join(words)),
        now=question.now,
    )
    return question.line("event_begun", event=title(row))


def _of_the_running(answer: Answer) -> Callable[[Question], Awaitable[list[Text]]]:
    """A command that is about the event which is running on the server, if there is one."""

    async def about(question: Question) -> list[Text]:
        row = question.referee.book.on(question.server)
        return question.line("event_none") if row is None else await answer(question, row)

    return about


def _by_a_player(answer: PlayersAnswer) -> Answer:
    """One that is about whoever asks, so that no console can."""

    async def about(question: Question, row: ContestRow) -> list[Text]:
        sender = question.command.sender
        if sender is None:
            return question.line("event_players_only")
        return await answer(question, row, sender.id)

    return about


@_of_the_running
@_by_a_player
async def join(question: Question, row: ContestRow, player: str) -> list[Text]:
    match await question.referee.join(row, player, now=question.now):
        case "joined":
            return question.line("event_joined", event=title(row))
        case "already":
            return question.line("event_joined_already")
        case "closed":
            return question.line("event_closed")
        case "over":
            return question.line("event_time_over")


@_of_the_running
@_by_a_player
async def leave(question: Question, row: ContestRow, player: str) -> list[Text]:
    match await question.referee.leave(row, player, now=question.now):
        case "left":
            return question.line("event_left")
        case "absent":
            return question.line("event_not_in")
        case "over":
            return question.line("event_time_over")


@_of_the_running
async def status(question: Question, row: ContestRow) -> list[Text]:
    leading = question.referee.leading(row)
    names = await question.store.people.names([s.player for s in leading[:SHOWN]])
    lines = question.line(
        "event_status",
        event=title(row),
        left=duration(max(0.0, row.ends - question.now)),
        players=str(len(leading)),
        rule=rule(question.config.messages, question.referee.book.charter(row.contest)),
    )
    for standing in leading[:SHOWN]:
        lines += question.line(
            "event_status_line",
            place=str(standing.place),
            player=names.get(standing.player, standing.player),
            kills=str(standing.kills),
            deaths=str(standing.deaths),
        )
    return lines


@_of_the_running
async def stop(question: Question, row: ContestRow) -> list[Text]:
    await question.referee.stop(row, now=question.now)
    return question.line("event_ended", event=title(row))


@_of_the_running
async def cancel(question: Question, row: ContestRow) -> list[Text]:
    await question.referee.cancel(row, now=question.now)
    if question.command.sender:
        return []  # heard it with all others
    return question.line("event_cancelled", event=title(row))


async def void(question: Question) -> list[Text]:
    """`void <number>`."""
    typed = question.arguments[1].removeprefix("#")
    number = int(typed[:_MOST_DIGITS]) if typed.isdecimal() else 0
    row = await question.referee.void(number, now=question.now)
    if row is None:
        return question.line("event_not_rated", event=clean_name(typed))
    return question.line("event_voided", event=title(row))


async def history(question: Question, person: NameRow) -> list[Text]:
    """The latest rated events of somebody on this ladder."""
    ladder, contests = event_ladder(question), question.store.contests
    player = question.revision.rated_as(person.player)
    standings = await contests.of(ladder, player, SHOWN)
    if not standings:
        return question.line("events_empty", player=person.name)
    sizes = await contests.sizes([s.contest for s in standings])
    rating = question.referee.book.rating(ladder, player).rating
    lines = question.line("events_header", player=person.name, rating=points(rating))
    for standing in standings:
        row = question.referee.book.contests[standing.contest]
        lines += question.line(
            "events_line",
            event=title(row),
            day=day(row.started),
            place=str(standing.place),
            players=str(sizes[standing.contest]),
            change=change(standing),
            rating=points(standing.after or 0.0),
        )
    return lines
