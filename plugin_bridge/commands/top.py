"""`/rank top [page] [--season NAME]`: the leaderboard of the ladder being played, or an old one."""

from dataclasses import dataclass

from plugin_bridge.commands.question import Question
from plugin_bridge.present import points, tier_called
from plugin_bridge.store.seasons import Season
from plugin_bridge.text import Text, clean_name

PAGE = 10
SEASON = "--season"


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands behind `/rank top`. `season` is None for the leaderboard as it is now."""

    page: int
    season: str | None


def _asked(question: Question) -> Asked | list[Text]:
    """Or what to say to words that cannot be understood. The season's name may hold spaces."""
    words = question.arguments[1:]
    folded = [word.lower() for word in words]
    front = words[: folded.index(SEASON)] if SEASON in folded else words
    name = clean_name(" ".join(words[len(front) + 1 :])).strip("\"'") if front != words else None
    if name == "":
        return [*question.line("missing_season"), *question.line("help_top")]
    if len(front) > 1 or not all(word.isdecimal() for word in front):
        page = clean_name(" ".join(front))
        return [*question.line("top_bad_page", page=page), *question.line("help_top")]
    return Asked(int(front[0][:9]) if front else 1, name)


async def leaderboard(question: Question) -> list[Text]:
    """Cost: O(log P) for the leaderboard as it is now."""
    wanted = _asked(question)
    if isinstance(wanted, list):
        return wanted
    if wanted.season is not None:
        return await _old_board(question, wanted.season, wanted.page)
    ladder = question.ladder
    pages = -(-len(ladder.players) // PAGE)
    if not pages:
        return question.line("top_empty")
    if not 1 <= wanted.page <= pages:
        return question.line("top_no_page", page=str(wanted.page), pages=str(pages))
    rows = ladder.page((wanted.page - 1) * PAGE, PAGE)
    names = await question.store.people.names([player for player, _ in rows])
    lines = question.line(
        "top_header", ladder=question.ladder_name, page=str(wanted.page), pages=str(pages)
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


async def _old_board(question: Question, name: str, page: int) -> list[Text]:
    """Cost: O(players before the page), and of all boards of the ladder to find the season."""
    seasons = question.store.seasons
    season = await seasons.called(question.ladder_name, name)
    if season is None:
        known = ", ".join(one.name for one in await seasons.all(question.ladder_name))
        return (
            question.line("season_unknown", name=name, names=known)
            if known
            else (question.line("season_none"))
        )
    pages = -(-season.players // PAGE)
    if not 1 <= page <= pages:
        return question.line("top_no_page", page=str(page), pages=str(pages))
    lines = question.line(
        "season_header",
        season=season.name,
        ladder=season.ladder,
        page=str(page),
        pages=str(pages),
    )
    for line in await seasons.board(season.season, start=(page - 1) * PAGE, count=PAGE):
        lines += question.line(
            "top_line",
            rank=str(line.place),
            player=line.name,
            tier=_tier(question, season, line.tier),
            rating=points(line.rating),
        )
    return lines


def _tier(question: Question, season: Season, number: int | None) -> Text | str:
    """The tier by its name then, with the label that this name has today, if there is one."""
    name = tier_called(number, season.tiers)
    labels = {tier.name: tier.label for tier in question.config.tiers}
    return question.tier(None) if name is None else labels.get(name, name)
