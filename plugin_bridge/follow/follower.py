"""Follows a log for good: reads, keeps, sends, and lets the game server say what comes back."""

import asyncio
import logging
import time
from collections.abc import Iterable

from plugin_bridge.commands.question import RANK, RANK_OTHERS, TOP
from plugin_bridge.errors import BridgeError
from plugin_bridge.follow.backlog import Backlog, warn
from plugin_bridge.follow.client import Client
from plugin_bridge.follow.following import Following
from plugin_bridge.follow.rcon import RconError
from plugin_bridge.follow.reader import Asked, Joined, Left, Reader, Stranger, Told
from plugin_bridge.follow.speech import lines_to, told
from plugin_bridge.follow.spool import Spool
from plugin_bridge.follow.tail import LOOK_SECONDS, Tail
from plugin_bridge.importing.happenings import Being, Happening
from plugin_bridge.importing.log_files import usercaches
from plugin_bridge.protocol.packets import (
    Broadcast,
    Command,
    Error,
    Join,
    Message,
    Present,
    Quit,
    Reply,
)
from plugin_bridge.text import Text

log = logging.getLogger(__name__)

_PERMISSIONS = [RANK, RANK_OTHERS, TOP]
"""A log does not tell who is an operator: what is typed as chat never has an admin's rights."""
_MOST_ASKED = 100
"""So many may wait for an answer; beyond, the oldest get none."""
_AWAY = Text("The ratings cannot be asked at the moment.", color="red")


async def follow(what: Following) -> None:
    """Runs until it is cancelled. Raises StoreError and UsageError for what an admin must mend."""
    spool = Spool(what.state)
    try:
        await _Follower(what, spool).run()
    finally:
        spool.close()
        if what.rcon:
            what.rcon.close()


class _Follower:
    def __init__(self, what: Following, spool: Spool) -> None:
        self._what = what
        self._spool = spool
        people = spool.people(usercaches([what.log], what.usercache), what.players)
        self._reader = Reader(people, what.zone, what.own)
        self._backlog = Backlog(what, spool, self._reader)
        self._client = Client(
            what.url, what.token, server=what.server, spool=spool, online=self._online
        )
        self._asked: dict[str, str] = {}
        """Names of those who wait for an answer, by the mark of their question."""
        self._number = 0

    async def run(self) -> None:
        tail = self._backlog.begun()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._client.run())
                tasks.create_task(self._speak())
                tasks.create_task(self._read(tail))
        except* BridgeError as failures:
            raise failures.exceptions[0] from None
        finally:
            tail.close()

    async def _read(self, tail: Tail) -> None:
        while True:
            chunk = tail.read()
            if chunk is None:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            if chunk.begins:
                self._reader.begin(self._backlog.day())
            missed = self._backlog.catch_up(chunk)
            news = self._reader.read(chunk.lines, now=time.time())
            kept = missed + [one for one in news if isinstance(one, Happening)]
            self._spool.keep(kept, self._reader.people, chunk.place)
            if self._spool.lost:
                log.error("no room for more: the %d oldest kills are lost", self._spool.lost)
                self._spool.lost = 0
            if kept:
                self._client.stir()
            for one in news:
                await self._tell(one)

    async def _tell(self, news: Told) -> None:
        match news:
            case Joined(who=who):
                await self._client.say(Join(_present(who)))
            case Left(who=who):
                await self._client.say(Quit(who.id))
            case Stranger():
                warn(news)
            case Asked(who=who, words=words) if self._what.rcon:
                await self._ask(who, words)

    async def _ask(self, who: Being, words: tuple[str, ...]) -> None:
        self._number += 1
        mark = f"q{self._number}"
        self._asked[mark] = who.name or ""
        while len(self._asked) > _MOST_ASKED:
            del self._asked[next(iter(self._asked))]
        question = Command(mark, _present(who), list(words), list(_PERMISSIONS))
        if not await self._client.say(question):
            await self._run(lines_to(self._asked.pop(mark), [_AWAY]))

    def _online(self) -> list[Present]:
        return [_present(being) for being in self._reader.online.values()]

    async def _speak(self) -> None:
        while True:
            packet = await self._client.heard.get()
            names = {being.id: name for name, being in self._reader.online.items()}
            match packet:
                case Error(text=text, id=None):
                    log.error("the daemon says: %s", text)
                case Error(text=text, id=str(mark)):
                    log.error("the daemon says: %s", text)
                    await self._run(lines_to(self._asked.pop(mark, ""), [_AWAY]))
                case Reply(id=mark, lines=lines):
                    await self._run(lines_to(self._asked.pop(mark, ""), lines))
                case Message(player=player) if player in names:
                    await self._run(told(names[player], packet.where, packet.text, packet.subtitle))
                case Broadcast(permission=None):
                    await self._run(told("@a", packet.where, packet.text, packet.subtitle))

    async def _run(self, commands: Iterable[str]) -> None:
        if self._what.rcon is None:
            return
        try:
            for command in commands:
                await self._what.rcon.run(command)
        except RconError as error:
            log.warning("%s", error)


def _present(being: Being) -> Present:
    return Present(being.id, being.name)
