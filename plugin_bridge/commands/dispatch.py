"""From the words of a command to the answer. Unknown words get help, never silence."""

from collections.abc import Awaitable, Callable

from plugin_bridge.commands import amend, event
from plugin_bridge.commands.admin import reload, status
from plugin_bridge.commands.question import ADMIN, RANK, RANK_OTHERS, TOP, Question
from plugin_bridge.commands.rank import other_events, other_rank, own_events, own_rank
from plugin_bridge.commands.top import leaderboard
from plugin_bridge.commands.why import other_why, own_why
from plugin_bridge.text import Text, clean_name

_Answer = Callable[[Question], Awaitable[list[Text]]]


async def answer(question: Question) -> list[Text]:
    """The lines to show. Cost: O(log P) and a few look-ups by key."""
    permission, respond = _route(question)
    if not question.may(permission):
        return question.line("no_permission")
    return await respond(question)


def _route(question: Question) -> tuple[str, _Answer]:  # noqa: PLR0911  (a table of words)
    root, words = question.command.words[0].lower(), question.arguments
    first = words[0].lower() if words else ""
    match root, first:
        case "rank", "":
            return RANK, own_rank
        case "rank", "help":
            return RANK, _rank_help
        case "rank", "top":
            return TOP, leaderboard
        case "rank", "why":
            return (ADMIN, other_why) if len(words) > 1 else (RANK, own_why)
        case "rank", "events":
            return (RANK_OTHERS, other_events) if len(words) > 1 else (RANK, own_events)
        case "rank", _:
            return RANK_OTHERS, other_rank
        case "event", _:
            return _event_route(first, len(words))
        case "rankadmin", _:
            return ADMIN, _admin_route(first, len(words))
    return RANK, _unknown_word


def _admin_route(first: str, count: int) -> _Answer:
    match first:
        case "status" if count == 1:
            return status
        case "reload" if count == 1:
            return reload
        case "exclude":
            return amend.exclude
        case "include":
            return amend.include
        case "" | "help":
            return _admin_help
    return _unknown_word


def _event_route(first: str, count: int) -> tuple[str, _Answer]:
    if first == "start":
        return ADMIN, event.start
    found: dict[tuple[str, int], tuple[str, _Answer]] = {
        ("", 0): (RANK, event.status),
        ("status", 1): (RANK, event.status),
        ("join", 1): (RANK, event.join),
        ("leave", 1): (RANK, event.leave),
        ("stop", 1): (ADMIN, event.stop),
        ("cancel", 1): (ADMIN, event.cancel),
        ("void", 2): (ADMIN, event.void),
        ("help", 1): (RANK, _event_help),
    }
    return found.get((first, count), (RANK, _unknown_word))


async def _event_help(question: Question) -> list[Text]:
    words = ["status", "join", "leave"]
    words += ["start", "stop", "cancel", "void"] if question.may(ADMIN) else []
    return [line for word in words for line in question.line(f"help_event_{word}")]


async def _rank_help(question: Question) -> list[Text]:
    return [
        *question.line("help_rank"),
        *question.line("help_why"),
        *(question.line("help_rank_other") if question.may(RANK_OTHERS) else []),
        *(question.line("help_events") if question.may(RANK_OTHERS) else []),
        *(question.line("help_top") if question.may(TOP) else []),
        *(await _admin_help(question) if question.may(ADMIN) else []),
    ]


async def _admin_help(question: Question) -> list[Text]:
    words = ("status", "reload", "exclude", "include")
    return [line for word in words for line in question.line(f"help_admin_{word}")]


async def _unknown_word(question: Question) -> list[Text]:
    word = question.arguments[-1] if question.arguments else question.command.words[0]
    root = question.command.words[0].lower()
    explain = {"rankadmin": _admin_help, "event": _event_help}.get(root, _rank_help)
    return [*question.line("unknown_word", word=clean_name(word)), *await explain(question)]
