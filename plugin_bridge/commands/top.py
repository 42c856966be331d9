"""`/rank top [page]`: the leaderboard of the ladder being played."""

from plugin_bridge.commands.question import Question
from plugin_bridge.present import points
from plugin_bridge.text import Text

PAGE = 10


async def leaderboard(question: Question) -> list[Text]:
    ladder = question.ladder
    pages = -(-len(ladder.players) // PAGE)
    page = int(question.arguments[1][:9]) if len(question.arguments) > 1 else 1
    if not pages:
        return question.line("top_empty")
    if not 1 <= page <= pages:
        return question.line("top_no_page", page=str(page), pages=str(pages))
    rows = ladder.page((page - 1) * PAGE, PAGE)
    names = await question.store.people.names([player for player, _ in rows])
    lines = question.line(
        "top_header", ladder=question.ladder_name, page=str(page), pages=str(pages)
    )
    for player, state in rows:
        lines += question.line(
            "top_line",
            rank=str(ladder.rank(player)),
            player=names.get(player, player),
            tier=question.tier(state.tier),
            rating=points(state.mu),
        )
    return lines
