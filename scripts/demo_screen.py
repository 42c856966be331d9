"""What the demo draws: the leaderboard, the last kills, and the chat."""

from collections import deque

from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from plugin_bridge import text as chat
from plugin_bridge.config import Config
from plugin_bridge.store import Store
from plugin_bridge.store.board import Standing

FEED_LINES = 9
COLOURS = {
    "gold": "#ffaa00",
    "light_purple": "#ff55ff",
    "aqua": "#55ffff",
    "green": "#55ff55",
    "gray": "#aaaaaa",
    "dark_gray": "#777777",
    "white": "#ffffff",
    "yellow": "#ffff55",
    "red": "#ff5555",
}


def styled(text: chat.Text, style: str = "") -> Text:
    """A chat text as the terminal shows it."""
    colour = COLOURS.get(text.color or "", text.color or "")
    style = " ".join(part for part in (style, colour, "bold" if text.bold else "") if part)
    shown = Text(text.text, style=style)
    for part in text.extra:
        shown.append_text(styled(part, style))
    return shown


class Feed:
    """The last kills, read from the event log."""

    def __init__(self) -> None:
        self.lines: deque[Text] = deque(maxlen=FEED_LINES)
        self.kills = 0
        self._position = 0

    async def follow(self, store: Store) -> None:
        fresh = [entry async for entry in store.log.read(self._position)]
        ids = {player for e in fresh for player in (e.killer, e.victim) if player}
        names = await store.people.names(sorted(ids))
        for entry in fresh:
            self._position = entry.position
            if entry.kind == "kill":
                self.kills += 1
                killer, victim = (names.get(p or "", "?") for p in (entry.killer, entry.victim))
                line = f"{killer} killed {victim} ({entry.weapon or entry.cause})"
                self.lines.append(Text(line, style="#aaaaaa"))


def board(config: Config, standings: list[Standing]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for column in ("#", "tier", "player", "rating", "±", "kills", "deaths", "streak"):
        table.add_column(column, justify="left" if column in ("tier", "player") else "right")
    for s in standings:
        table.add_row(
            str(s.rank),
            styled(config.tier(s.tier).label) if s.tier else Text("-", style="#777777"),
            Text(s.name, style="bold"),
            f"{s.rating:.0f}",
            f"{s.uncertainty:.0f}",
            str(s.kills),
            str(s.deaths),
            "●" * min(s.streak, 5),
        )
    return table


def screen(config: Config, standings: list[Standing], feed: Feed, said: deque[str]) -> Group:
    news = Group(*(Text(line, style="#ffff55") for line in said))
    left = Panel(board(config, standings), title="Leaderboard", padding=(1, 1))
    right = Group(
        Panel(Group(*feed.lines), title=f"Kills: {feed.kills}", height=FEED_LINES + 2, width=46),
        Panel(news, title="Chat, as a player sees it", height=9, width=46),
    )
    return Group(Columns([left, right]), Text("Ctrl+C ends the demo.", style="#777777"))
