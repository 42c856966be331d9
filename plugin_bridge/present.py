"""What people see of a rating: labels, boards and announcements. Pure, from values to packets."""

from collections.abc import Sequence

from adr_core import Ladder
from plugin_bridge.config import Config, Messages
from plugin_bridge.draft import TierMove
from plugin_bridge.protocol.packets import (
    TOP_ROWS,
    Broadcast,
    Label,
    Message,
    Settings,
    Top,
    TopRow,
)
from plugin_bridge.text import Text

PROBLEMS_SHOWN = 10
"""Of what is wrong with config.yml; the log and `check-config` have all of it."""


def points(value: float) -> str:
    """A rating or a distance between ratings, as people read it."""
    return str(round(value))


def tier_called(number: int | None, names: Sequence[str]) -> str | None:
    """The name of a tier, the best being 1; `#` and its number where there are fewer names."""
    if number is None:
        return None
    return names[number - 1] if number <= len(names) else f"#{number}"


def duration(seconds: float) -> str:
    """Two largest units, such as `3d 4h` or `12s`."""
    rest = int(seconds)
    parts: list[str] = []
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)):
        count, rest = divmod(rest, size)
        if count or (unit == "s" and not parts):
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2])


def settings(config: Config) -> Settings:
    return Settings(
        combat_window=config.filters.combat_window,
        combat_log=config.filters.combat_log,
        tab_list=config.display.tab_list,
        name_tag=config.display.name_tag,
    )


def prefix(config: Config, tier: int | None) -> Text | None:
    """What goes before the name of somebody in that tier; None for nothing."""
    return config.display.before(config.tier(tier).label if tier else None)


def label(config: Config, ladder: Ladder, player: str) -> Label:
    """A player's label now, newcomers included. Cost: O(log P)."""
    if player not in ladder.players:
        newcomer = round(ladder.parameters.mu_0)
        return Label(player, prefix(config, None), None, None, newcomer, None)
    state = ladder.player(player)
    return Label(
        player=player,
        prefix=prefix(config, state.tier),
        tier=config.tier(state.tier).name if state.tier else None,
        index=state.tier,
        rating=round(state.mu),
        rank=ladder.rank(player),
    )


def top(config: Config, ladder: Ladder, names: dict[str, str]) -> Top:
    """The head of a board. Cost: O(log P)."""
    return Top(
        [
            TopRow(
                name=names.get(player, player),
                rating=round(state.mu),
                tier=config.tier(state.tier).name if state.tier else None,
                prefix=prefix(config, state.tier),
            )
            for player, state in ladder.top(TOP_ROWS)
        ]
    )


def announcement(
    config: Config, ladder: Ladder, move: TierMove, name: str
) -> Broadcast | Message | None:
    """What is said of a tier move, to all or to the player alone; None when it is switched off."""
    kind, manner = _kind(config, move)
    if manner == "off":
        return None
    line = config.messages.line(
        kind,
        player=name,
        tier=config.tier(move.after).label,
        rating=points(ladder.player(move.player).mu),
        rank=str(ladder.rank(move.player)),
        **({} if move.before is None else {"old_tier": config.tier(move.before).label}),
    )
    if line is None:
        return None
    if manner == "private":
        return Message(player=move.player, where="chat", text=line)
    return Broadcast(where="chat", text=line)


def problems(messages: Messages, heading: str, headlines: Sequence[str]) -> list[Text]:
    """How many problems config.yml has, and the first of them."""
    lines = [messages.line(heading, problems=str(len(headlines)))]
    lines += [messages.line("config_problem", problem=line) for line in headlines[:PROBLEMS_SHOWN]]
    return [line for line in lines if line]


def _kind(config: Config, move: TierMove) -> tuple[str, str]:
    if move.before is None:
        return "placement", config.announcements.placement
    if move.after < move.before:
        return "promotion", config.announcements.promotion
    return "demotion", config.announcements.demotion
