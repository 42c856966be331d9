"""`/rankadmin`: how the daemon and its game servers are, and applying config.yml at once."""

from plugin_bridge import present
from plugin_bridge.commands.question import Question
from plugin_bridge.monitor import ServerView
from plugin_bridge.present import duration
from plugin_bridge.study.bounds import at_bounds, cure
from plugin_bridge.text import Text


async def status(question: Question) -> list[Text]:
    lines = question.line(
        "status_header", version=question.version, uptime=duration(question.uptime)
    )
    for view in question.servers:
        lines += _server(question, view)
    lines += question.line(
        "status_events", events=str(question.events), players=str(len(question.ladder.players))
    )
    return lines + _crowds(question)


def _crowds(question: Question) -> list[Text]:
    """A warning for each ladder whose players pile up at the bounds of the ratings. O(P)."""
    lines: list[Text] = []
    for name, ladder in question.ladders.items():
        if ladder.clock is None:
            continue
        states = map(ladder.player, ladder.players)
        players = ((state.mu, state.recent) for state in states)
        bounds = at_bounds(players, ladder.clock, ladder.parameters)
        if bounds.crowded:
            lines += question.line(
                "status_bounds",
                ladder=name,
                percent=f"{100 * bounds.share:.0f}",
                cure=cure(ladder.parameters),
            )
    return lines


def _server(question: Question, view: ServerView) -> list[Text]:
    match view.connected, view.up:
        case True, True:
            return question.line(
                "status_server_connected",
                server=view.server,
                players=str(view.players),
                version=view.version or "?",
                latency=str(round(view.latency or 0)),
            )
        case True, False:
            return question.line("status_server_mod_only", server=view.server)
        case True, None:
            return question.line("status_server_unwatched", server=view.server)
        case False, True:
            return question.line(
                "status_server_mod_missing", server=view.server, players=str(view.players)
            )
        case False, None:
            return question.line("status_server_missing", server=view.server)
    return question.line("status_server_down", server=view.server)


async def reload(question: Question) -> list[Text]:
    problems = await question.reload()
    if not problems:
        return question.line("reload_done")
    return present.problems(question.config.messages, "reload_failed", problems)
