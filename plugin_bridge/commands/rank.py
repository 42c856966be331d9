"""`/rank`, `/rank <player>`, `/rank events`: everything a player may want to know of a rating."""

import math

from adr_core import Ladder, PlayerState
from plugin_bridge.commands import event
from plugin_bridge.commands.question import Question
from plugin_bridge.present import points
from plugin_bridge.store.rows import NameRow
from plugin_bridge.text import Text, clean_name


async def own_rank(question: Question) -> list[Text]:
    sender = question.command.sender
    if sender is None:
        return question.line("console_needs_name")
    return await _describe(question, sender.id, sender.name or sender.id)


async def other_rank(question: Question) -> list[Text]:
    person, complaint = await meant(question, question.arguments)
    return await _describe(question, person.player, person.name) if person else complaint


async def own_events(question: Question) -> list[Text]:
    sender = question.command.sender
    if sender is None:
        return question.line("console_needs_name")
    return await event.history(question, NameRow(sender.id, sender.name or sender.id, 0.0))


async def other_events(question: Question) -> list[Text]:
    person, complaint = await meant(question, question.arguments[1:])
    return await event.history(question, person) if person else complaint


async def meant(question: Question, words: list[str]) -> tuple[NameRow | None, list[Text]]:
    """Who is meant, by name or id, or what to say instead.

    The name may hold spaces, and may be put in quotation marks.
    """
    typed = clean_name(" ".join(words))
    bare = typed.strip("\"'")
    found = await question.store.people.find(typed) or await question.store.people.find(bare)
    if not found:
        by_id = await _by_id(question, bare)
        return by_id, [] if by_id else question.line("unknown_player", name=bare)
    if len(found) > 1:
        names = ", ".join(person.name for person in found)
        return None, question.line("ambiguous_player", name=bare, names=names)
    return found[0], []


async def _by_id(question: Question, typed: str) -> NameRow | None:
    """Whoever has that id, also without a name and a rating. O(log n): the log is not read."""
    if person := await question.store.people.by_id(typed):
        return person
    ids = (typed, typed.lower())
    return next((NameRow(one, one, 0.0) for one in ids if question.revision.names(one)), None)


async def _describe(question: Question, player: str, name: str) -> list[Text]:
    ladder, here = question.ladder, question.ladder_name
    player = question.revision.rated_as(player)
    lines: list[Text] = []
    if player in ladder.players:
        state = ladder.player(player)
        record = await question.store.projection.record(here, player)
        lines += _standing(question, player, name, state)
        lines += question.line(
            "rank_record",
            kills=str(record.kills),
            deaths=str(record.deaths),
            streak=str(state.streak),
            best_streak=str(record.best_streak),
        )
    else:
        lines += question.line("rank_no_fights", player=name)
    contests = question.referee.book.rating(event.event_ladder(question), player)
    if contests.contests:
        lines += question.line(
            "rank_event", rating=points(contests.rating), events=str(contests.contests)
        )
    for other, elsewhere in sorted(question.ladders.items()):
        if other != here and player in elsewhere.players:
            lines += _elsewhere(question, other, elsewhere, player)
    return lines


def _standing(question: Question, player: str, name: str, state: PlayerState) -> list[Text]:
    ladder = question.ladder
    if state.tier is None:
        needed = ladder.parameters.n_min
        if state.events < needed:
            return question.line(
                "rank_unplaced", player=name, fights=str(state.events), needed=str(needed)
            )
        return question.line("rank_unsettled", player=name)
    return [
        *question.line(
            "rank_placed",
            player=name,
            tier=question.tier(state.tier),
            rating=points(state.mu),
            uncertainty=points(state.sigma),
            rank=str(ladder.rank(player)),
            players=str(len(ladder.players)),
        ),
        *_progress(question, state, state.tier, ladder),
    ]


def _progress(question: Question, state: PlayerState, tier: int, ladder: Ladder) -> list[Text]:
    """How far it is to the next tier, up or down (6.4 of the paper)."""
    boundaries, needed = ladder.boundaries, ladder.parameters.h_req
    if tier <= len(boundaries) and state.mu < boundaries[tier - 1]:
        return question.line(
            "rank_falling",
            tier=question.tier(tier + 1),
            percent=_percent(state.demotion, needed),
        )
    if tier == 1:
        return question.line("rank_best")
    line = boundaries[tier - 2]
    if state.mu >= line:
        return question.line(
            "rank_rising", tier=question.tier(tier - 1), percent=_percent(state.promotion, needed)
        )
    return question.line(
        "rank_next", tier=question.tier(tier - 1), points=str(math.ceil(line - state.mu))
    )


def _percent(part: float, whole: float) -> str:
    return str(min(99, int(100 * part / whole)))


def _elsewhere(question: Question, name: str, ladder: Ladder, player: str) -> list[Text]:
    state = ladder.player(player)
    return question.line(
        "rank_other_ladder",
        ladder=name,
        tier=question.tier(state.tier),
        rating=points(state.mu),
        rank=str(ladder.rank(player)),
    )
