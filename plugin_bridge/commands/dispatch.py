"""From the words of a command to the answer. Unknown words get help, never silence."""

from collections.abc import Awaitable, Callable

from plugin_bridge.commands.admin import reload, status
from plugin_bridge.commands.question import ADMIN, RANK, RANK_OTHERS, TOP, Question
from plugin_bridge.commands.rank import other_rank, own_rank
from plugin_bridge.commands.top import leaderboard
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
        case "rank", "top" if len(words) == 1 or (len(words) == 2 and words[1].isdecimal()):
            return TOP, leaderboard
        case "rank", "top":
            return RANK, _unknown_word
        case "rank", _:
            return RANK_OTHERS, other_rank
        case "rankadmin", "status" if len(words) == 1:
            return ADMIN, status
        case "rankadmin", "reload" if len(words) == 1:
            return ADMIN, reload
        case "rankadmin", "" | "help":
            return ADMIN, _admin_help
        case "rankadmin", _:
            return ADMIN, _unknown_word
    return RANK, _unknown_word


async def _rank_help(question: Question) -> list[Text]:
    return [
        *question.line("help_rank"),
        *(question.line("help_rank_other") if question.may(RANK_OTHERS) else []),
        *(question.line("help_top") if question.may(TOP) else []),
        *(await _admin_help(question) if question.may(ADMIN) else []),
    ]


async def _admin_help(question: Question) -> list[Text]:
    return [*question.line("help_admin_status"), *question.line("help_admin_reload")]


async def _unknown_word(question: Question) -> list[Text]:
    word = question.arguments[-1] if question.arguments else question.command.words[0]
    wanted_admin = question.command.words[0].lower() == "rankadmin"
    return [
        *question.line("unknown_word", word=clean_name(word)),
        *await (_admin_help if wanted_admin else _rank_help)(question),
    ]
