"""Receives a game server: greeting, who is online, commands.

Each method is an errand: run it through the engine, never beside it.
"""

import logging
from collections.abc import Awaitable, Callable

import msgspec

from plugin_bridge import __version__, present
from plugin_bridge.commands import Question, answer
from plugin_bridge.contests.referee import Referee
from plugin_bridge.engine import Engine
from plugin_bridge.herald import Herald
from plugin_bridge.ledger import Ledger
from plugin_bridge.links import Link, Links
from plugin_bridge.monitor import Monitor
from plugin_bridge.protocol.packets import (
    MAX_ONLINE,
    Command,
    Error,
    Join,
    Present,
    Quit,
    Reply,
    Welcome,
    World,
)
from plugin_bridge.roster import Roster
from plugin_bridge.session import Session
from plugin_bridge.store import Store
from plugin_bridge.upkeep import Upkeep

log = logging.getLogger(__name__)

_CROWDED = f"more than {MAX_ONLINE} players online; is a `quit` missing?"

Reload = Callable[[], Awaitable[list[str]]]
"""Applies config.yml anew and returns its problems, none if all is well. An errand as well."""


class Host:
    """`started`: when the daemon started, seconds since 1970."""

    def __init__(
        self,
        *,
        engine: Engine,
        ledger: Ledger,
        herald: Herald,
        links: Links,
        roster: Roster,
        monitor: Monitor,
        store: Store,
        upkeep: Upkeep,
        referee: Referee,
        started: float,
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._herald = herald
        self._links = links
        self._roster = roster
        self._monitor = monitor
        self._store = store
        self._upkeep = upkeep
        self._referee = referee
        self._started = started

    async def greet(self, link: Link, *, now: float) -> Session:
        """Makes a connection the server's own and tells it where it stands."""
        config = self._engine.config
        link.lane = await self._ledger.open_lane(link.server, link.hello.spool)
        link.skew = now - link.hello.time
        session = Session(link.hello, last=self._ledger.last(link.lane), now=now)
        if self._links.open(link):
            log.warning(
                "%s connected again while its older connection was open; the newer one stays. "
                "If this repeats, two game servers share one token",
                link.server,
            )
        self._roster.hello(link.server, link.hello.online)
        await self._note_names(link.hello.online, now=now)
        link.outbox.push(
            Welcome(__version__, link.server, self._ledger.last(link.lane)),
            present.settings(config),
            await self._upkeep.top(link.server),
            *self._herald.labels(link.server, link.hello.online, config),
        )
        await self._referee.returned(link.server, [p.id for p in link.hello.online], now=now)
        return session

    async def leave(self, link: Link) -> None:
        if self._links.close(link):
            self._roster.forget(link.server)

    async def attend(self, link: Link, packet: Join | Quit | World, *, now: float) -> None:
        """Keeps up with who is where. An overtaken connection has nothing to say any more."""
        if self._links.get(link.server) is not link:
            return
        match packet:
            case Join(player=player):
                if not self._roster.join(link.server, player):
                    link.outbox.push(Error("bad_packet", _CROWDED))
                    return
                await self._note_names([player], now=now)
                self._relabel(link, player.id)
                await self._referee.arrived(link.server, [player.id], now=now)
            case World(player=player, world=world):
                self._roster.move(link.server, player, world)
                self._relabel(link, player)
            case Quit(player=player):
                self._roster.quit(link.server, player)
                await self._referee.left(link.server, player, now=now)

    def _relabel(self, link: Link, player: str) -> None:
        there = self._roster.find(link.server, player)
        if there:
            link.outbox.push(*self._herald.labels(link.server, [there], self._engine.config))

    async def _note_names(self, players: list[Present], *, now: float) -> None:
        rows = self._ledger.fresh_names(players, seen=now)
        if rows:
            await self._ledger.write(lambda: ([], rows))

    async def ask(self, link: Link, command: Command, *, now: float, reload: Reload) -> None:
        config = self._engine.config
        question = Question(
            command=self._placed(link, command),
            server=link.server,
            config=config,
            ladders={ladder.name: self._ledger.ladders[ladder.name] for ladder in config.ladders},
            store=self._store,
            version=__version__,
            now=now,
            uptime=now - self._started,
            events=self._ledger.end,
            servers=self._monitor.views(config.servers, (other.server for other in self._links)),
            reload=reload,
            referee=self._referee,
            revision=self._ledger.revision,
        )
        link.outbox.push(Reply(command.id, await answer(question)))

    def _placed(self, link: Link, command: Command) -> Command:
        """The command with the world it comes from, which the mod need not repeat."""
        if command.world is None and command.sender:
            there = self._roster.find(link.server, command.sender.id)
            return msgspec.structs.replace(command, world=there and there.world)
        return command
