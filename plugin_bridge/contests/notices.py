"""What players are told of an event. Pure, from values to texts."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from plugin_bridge.config import Config, Messages
from plugin_bridge.contests.charter import Charter
from plugin_bridge.present import duration, points
from plugin_bridge.protocol.packets import Broadcast, Message
from plugin_bridge.store.rows import ContestRow, StandingRow
from plugin_bridge.text import Text

TOP = 3


def title(row: ContestRow) -> str:
    """As people call it: its number, and its name if it has one."""
    return f"#{row.contest} {row.name}".strip()


def day(seconds: float) -> str:
    """A date, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def rule(messages: Messages, charter: Charter) -> str:
    """What counts."""
    return messages.plain(f"event_rule_{charter.score}")


def change(standing: StandingRow) -> str:
    """What a rated contest did to somebody's rating, with its sign."""
    assert standing.before is not None and standing.after is not None
    return f"{round(standing.after - standing.before):+d}"


def started(config: Config, row: ContestRow, charter: Charter) -> list[Broadcast]:
    messages = config.messages
    return _to_all(
        messages.line(
            "event_started",
            event=title(row),
            length=duration(charter.seconds),
            rule=rule(messages, charter),
            how=messages.plain(f"event_how_{charter.entry}"),
        )
    )


def cancelled(config: Config, row: ContestRow) -> list[Broadcast]:
    return _to_all(config.messages.line("event_cancelled", event=title(row)))


def results(
    config: Config,
    row: ContestRow,
    standings: Sequence[StandingRow],
    names: Mapping[str, str],
    *,
    needed: int,
) -> list[Broadcast]:
    """What everybody hears at the end. `standings`: the best first."""
    messages, count = config.messages, str(len(standings))
    lines = [messages.line("event_over", event=title(row), players=count)]
    if row.state != "rated":
        lines.append(
            messages.line("event_unrated", players=count, needed=str(needed))
            if len(standings) < needed
            else messages.line("event_without_death")
        )
    lines += [_place(messages, s, names.get(s.player, s.player)) for s in standings[:TOP]]
    return _to_all(*lines)


def own_results(
    config: Config, standings: Sequence[StandingRow], here: Mapping[str, str]
) -> list[Message]:
    """What each participant who is there hears of a rated contest.

    `here`: the ids that they are there with, by the ids that they are rated as.
    """
    found = []
    for standing in filter(lambda s: s.after is not None and s.player in here, standings):
        text = config.messages.line(
            "event_own",
            place=str(standing.place),
            players=str(len(standings)),
            rating=points(standing.after or 0.0),
            change=change(standing),
        )
        found += [Message(player=here[standing.player], where="chat", text=text)] if text else []
    return found


def _place(messages: Messages, standing: StandingRow, name: str) -> Text | None:
    place, kills, deaths = map(str, (standing.place, standing.kills, standing.deaths))
    if standing.after is None:
        return messages.line(
            "event_place_unrated", place=place, player=name, kills=kills, deaths=deaths
        )
    return messages.line(
        "event_place",
        place=place,
        player=name,
        kills=kills,
        deaths=deaths,
        rating=points(standing.after),
        change=change(standing),
    )


def _to_all(*lines: Text | None) -> list[Broadcast]:
    return [Broadcast(where="chat", text=line) for line in lines if line]
