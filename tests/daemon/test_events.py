"""`/event` and what comes of it: asked of the running daemon, and of its parts at given times."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from adr_core import Standing, rate_contest
from plugin_bridge.config import parse_config
from plugin_bridge.contests.hearing import GRACE_SECONDS, SETTLE_SECONDS
from plugin_bridge.contests.referee import Referee
from plugin_bridge.links import Link
from plugin_bridge.protocol.packets import Broadcast, Message, Present
from plugin_bridge.text import plain

from ..cli.calling import call
from .mod import PLAYER, Mod, awaited, words
from .running import Daemon, Home, settings
from .test_engine import NOW, Works, works
from .test_session import hello

ADMIN = (*PLAYER, "adrbridge.admin")
QUICK = "events: {length: 2s, min_players: 2}"
ALL = ("ann", "bob", "eve", "dan")


def heard(mod: Mod) -> list[str]:
    return [words(packet["text"]) for packet in mod.seen("broadcast")]


def results(home: Home, contest: int = 1) -> dict[str, tuple[float, float]]:
    """Rating before and after of each."""
    rows = home.rows(
        "SELECT player, before, after FROM contest_standings WHERE contest = ?", contest
    )
    return {player: (before, after) for player, before, after in rows}


@asynccontextmanager
async def playing(daemon: Daemon, *players: str, mod: Mod | None = None) -> AsyncIterator[Mod]:
    mod = mod or Mod()
    mod.online |= {p: {"id": p, "name": p.capitalize(), "world": "world"} for p in players}
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        yield mod


async def command(mod: Mod, line: str) -> list[str]:
    """From the console."""
    return await mod.ask(line, by=None)


@pytest.fixture
def home(home: Home) -> Home:
    home.save(settings("events: {min_players: 2}"))
    return home


def test_a_whole_event_from_start_to_the_results(home: Home) -> None:
    home.save(settings(QUICK, "announcements: {placement: off, promotion: off, demotion: off}"))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            assert await mod.ask("event start 1 Friday night", may=ADMIN) == [
                "Event #1 Friday night is on."
            ]
            assert heard(mod) == [
                "Event #1 Friday night: 1m, the most kills win. "
                "Everybody takes part, unless you type /event leave."
            ]
            for fight in (("ann", "bob"), ("ann", "eve"), ("bob", "eve"), ("ann", "bob")):
                await mod.kill(*fight)
            status = await mod.ask("event", by="eve")
            assert status[0].startswith("Event #1 Friday night: 5") and "4 players" in status[0]
            assert status[1] == "1. Ann: kills 3, deaths 0"
            assert await command(mod, "event stop") == ["Event #1 Friday night has ended."]
            wanted = rate_contest(
                [Standing(p, 1500.0, 0, s) for p, s in (("ann", 1.0), ("bob", 1 / 3), ("eve", 0))]
            )
            assert heard(mod)[1:] == [
                "Event #1 Friday night is over. 3 took part.",
                f"1. Ann: kills 3, deaths 0, event rating {wanted[0].rating:.0f} "
                f"(+{wanted[0].delta:.0f})",
                f"2. Bob: kills 1, deaths 2, event rating {wanted[1].rating:.0f} "
                f"({wanted[1].delta:+.0f})",
                "3. Eve: kills 0, deaths 2, event rating 1500 (+0)",
            ]
            own = {p["player"]: words(p["text"]) for p in mod.seen("message")}
            assert own["eve"] == "You: place 3 of 3, event rating 1500 (+0)"
            assert set(own) == {"ann", "bob", "eve"}, "who did not fight took no part"
            assert results(home) == {r.player: (1500.0, r.rating) for r in wanted}
            assert f"Event rating {wanted[0].rating:.0f}, events 1" in await mod.ask("rank")
            header, line = await mod.ask("rank events eve", by="ann")
            assert header == "Events of Eve, rating 1500"
            assert line.startswith("#1 Friday night, 20") and "place 3 of 3" in line
            assert await mod.ask("rank events", by="dan") == [
                "Dan has not been in a rated event yet."
            ]

    with home.serving() as daemon:
        scenario()


def test_an_event_ends_when_its_time_is_over(home: Home) -> None:
    home.save(settings(QUICK))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            await command(mod, "event start")
            await mod.kill("ann", "bob")
            over = await mod.take("message", player="ann")  # placed on the ladder, perhaps
            while "You: place" not in words(over["text"]):
                over = await mod.take("message", player="ann")
            assert "place 1 of 2" in words(over["text"])
            assert await command(mod, "event") == ["There is no event on this server now."]
        ((started, ended),) = home.rows("SELECT started, ended FROM contests")
        assert ended - started == pytest.approx(2.0)

    with home.serving() as daemon:
        scenario()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_an_event_outlives_the_daemon_and_the_kills_of_the_gap_are_in_it(
    home: Home, number: signal.Signals
) -> None:
    mod, again = Mod(), Mod()

    @awaited
    async def before() -> None:
        async with playing(daemon, *ALL, mod=mod):
            await command(mod, "event start 30")
            await mod.kill("ann", "bob")
            await mod.ask("event leave", by="dan")

    @awaited
    async def after() -> None:
        async with playing(daemon, *ALL, mod=again):
            await again.acked(again.next - 1)
            assert (await command(again, "event"))[1:3] == [
                "1. Ann: kills 3, deaths 0",
                "2. Bob: kills 1, deaths 2",
            ]
            await command(again, "event stop")

    with home.serving(code=-9 if number == signal.SIGKILL else 0) as daemon:
        before()
        daemon.end(number)
    for fight in (("ann", "bob"), ("bob", "eve"), ("ann", "eve"), ("ann", "dan")):
        mod.killed(*fight)
    again.kept, again.next = mod.kept, mod.next
    with home.serving() as daemon:
        after()
    assert set(results(home)) == {"ann", "bob", "eve"}

    awaited(home.replays)()


DYING = """
import os, sys
from plugin_bridge.cli import main
from plugin_bridge.store import Store

commit = Store.commit

async def last_commit(self, batch):
    ends = any(entry.kind == "contest_end" for entry in batch.entries)
    if ends and {before}:
        os._exit(7)
    await commit(self, batch)
    if ends:
        os._exit(7)

Store.commit = last_commit
sys.exit(main())
"""


@pytest.mark.parametrize("before", [True, False])
def test_a_daemon_that_dies_in_the_moment_of_the_end_has_rated_all_or_nothing(
    home: Home, before: bool
) -> None:
    home.save(settings(QUICK))

    @awaited
    async def until_it_dies() -> None:
        async with playing(daemon, *ALL) as mod:
            await command(mod, "event start")
            await mod.kill("ann", "bob")
            await mod.closed()

    @awaited
    async def once_more() -> None:
        async with playing(daemon, *ALL) as mod:
            for _ in range(100):
                if "no event" in (await command(mod, "event"))[0]:
                    break
                await asyncio.sleep(0.1)

    with home.serving("-c", DYING.format(before=before), code=7) as daemon:
        until_it_dies()
    assert home.rows("SELECT state FROM contests") == [("running" if before else "rated",)]
    with home.serving() as daemon:
        once_more()
    assert results(home) == {"ann": (1500.0, 1523.0), "bob": (1500.0, 1500.0)}
    ((started, ended, ends),) = home.rows("SELECT started, ended, ends FROM contests")
    assert ended == ends == pytest.approx(started + 2)
    awaited(home.replays)()


def test_an_event_outlives_the_game_server(home: Home) -> None:
    @awaited
    async def scenario() -> None:
        mod = Mod()
        async with playing(daemon, *ALL, mod=mod):
            await command(mod, "event start 30")
            await mod.kill("ann", "bob")
        mod.killed("ann", "eve")
        mod.online.clear()
        async with playing(daemon, mod=mod):
            await mod.join("bob")
            await mod.join("late")
            await mod.kill("bob", "late")
            await command(mod, "event stop")
        kills = home.rows("SELECT player, kills FROM contest_standings ORDER BY kills DESC, player")
        assert kills == [("ann", 2), ("bob", 1), ("eve", 0), ("late", 0)]

    with home.serving() as daemon:
        scenario()


def test_with_too_few_an_event_is_not_rated_and_that_is_said(home: Home) -> None:
    home.save(settings("events: {min_players: 3}"))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, "ann", "bob") as mod:
            await command(mod, "event start")
            await mod.kill("ann", "bob")
            await command(mod, "event stop")
            assert "It is not rated: that takes 3 players, and 2 took part." in heard(mod)
            assert "1. Ann: kills 1, deaths 0" in heard(mod)
            assert home.rows("SELECT * FROM contest_ratings") == []
            assert await mod.ask("rank events") == ["Ann has not been in a rated event yet."]

    with home.serving() as daemon:
        scenario()


def test_only_admins_start_and_end_events_and_words_are_explained(home: Home) -> None:
    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            for line in ("event start", "event stop", "event cancel", "event void 1"):
                assert await mod.ask(line) == ["You are not allowed to do that."]
            assert await mod.ask("event") == ["There is no event on this server now."]
            assert await command(mod, "event stop") == ["There is no event on this server now."]
            assert len(await mod.ask("event help")) == 3
            assert len(await mod.ask("event help", may=ADMIN)) == 7
            assert (await mod.ask("event dance"))[0] == "There is no dance here."
            assert await command(mod, "event join") == ["There is no event on this server now."]
            await command(mod, "event start")
            assert await command(mod, "event join") == ["Only players can take part."]
            assert await command(mod, "event start") == [
                "Event #1 is on already. To end it: /event stop or /event cancel"
            ]
            assert await command(mod, "event cancel") == [
                "Event #1 is cancelled. Nothing of it is rated."
            ]
            assert await command(mod, "event void 1") == [
                "There is no rated event 1. See /rank events, or adr-bridge contest list"
            ]

    with home.serving() as daemon:
        scenario()


def test_the_length_of_an_event_is_told_from_its_name(home: Home) -> None:
    understood = {"20": "20m", "5m": "5m", "1h30m Cup": "1h 30m", "1.5": "1m 30s", "0001440": "1d"}
    refused = [
        "0",
        "-1",
        "1e9",
        "1441",
        "30s",
        "2d",
        "1,5",
        "5min",
        "20:00",
        "00000000144099999",
        "99999999999999999999",
        "\u0661",
    ]

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            for typed in refused:
                assert await command(mod, f"event start {typed}") == [
                    "An event lasts from 1 minute to a day, such as 20, 90m or 2h."
                ], typed
            for number, (typed, length) in enumerate(understood.items(), start=1):
                await command(mod, f"event start {typed}")
                assert f" {length}, the most kills win" in heard(mod)[-1]
                assert f"Event #{number}" in (await command(mod, "event cancel"))[0]
            assert await command(mod, "event start 3v3 Cup") == ["Event #6 3v3 Cup is on."]

    with home.serving() as daemon:
        scenario()


def test_the_event_rating_is_the_same_in_every_world_of_a_server(home: Home) -> None:
    home.save(settings("events: {min_players: 2}", "ladders: {pit: {worlds: [pit]}}"))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            await command(mod, "event start")
            await mod.kill("ann", "bob", world="pit")
            await command(mod, "event stop")
            mod.online["ann"]["world"] = "pit"
            await mod.send({"type": "world", "player": "ann", "world": "pit"})
            assert "Event rating 1523, events 1" in await mod.ask("rank", by="ann")
            assert (await mod.ask("rank events", by="ann"))[0] == "Events of Ann, rating 1523"

    with home.serving() as daemon:
        scenario()


def test_the_first_kills_of_a_game_server_whose_clock_is_behind_count(home: Home) -> None:
    @awaited
    async def scenario() -> None:
        mod = Mod()
        mod.clock = -20.0
        async with playing(daemon, *ALL, mod=mod):
            await command(mod, "event start")
            await mod.kill("ann", "bob")
            await command(mod, "event stop")
            assert results(home)["ann"] == (1500.0, 1523.0)

    with home.serving() as daemon:
        scenario()


def test_who_plays_on_under_a_merged_id_goes_on_in_the_event(home: Home) -> None:
    home.save(settings("events: {score: placement, min_players: 2}"))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            await mod.quit("eve")
            await command(mod, "event start")
            await mod.kill("ann", "bob")
            merge = ("merge", "ann", "eve", "--reason", "renamed", "--yes")
            merged = await asyncio.to_thread(call, home.folder, *merge)
            assert merged.returncode == 0, merged.stderr
            assert await mod.ask("event join", by="ann") == ["You take part already."]
            await mod.kill("ann", "dan")
            over = await mod.take("message", player="ann")
            while "You: place 1 of 3" not in words(over["text"]):
                over = await mod.take("message", player="ann")
            assert home.rows(
                "SELECT player, kills, place FROM contest_standings ORDER BY place"
            ) == [("eve", 2, 1), ("dan", 0, 2), ("bob", 0, 3)]

    with home.serving() as daemon:
        scenario()
    awaited(home.replays)()


def test_where_one_has_to_join_only_those_who_did_are_rated(home: Home) -> None:
    home.save(settings("events: {entry: join, min_players: 2}"))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            await command(mod, "event start")
            assert heard(mod)[0].endswith("Type /event join to take part.")
            for player in ("ann", "bob"):
                assert await mod.ask("event join", by=player) == ["You take part in event #1."]
            assert await mod.ask("event join", by="bob") == ["You take part already."]
            assert await mod.ask("event leave", by="eve") == ["You do not take part."]
            await mod.kill("eve", "ann")
            await mod.kill("bob", "ann")
            await command(mod, "event stop")
            assert results(home)["bob"] == (1500.0, 1523.0)
            assert set(results(home)) == {"ann", "bob"}
            assert home.rows(
                "SELECT kills, deaths FROM contest_standings WHERE player = 'ann'"
            ) == [(0, 1)]

    with home.serving() as daemon:
        scenario()


def test_kills_in_an_event_may_be_kept_from_the_ladder(home: Home) -> None:
    home.save(settings("events: {ladder: no, min_players: 2}"))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            await command(mod, "event start")
            await mod.kill("ann", "bob")
            await command(mod, "event stop")
            assert home.ratings() == {} and results(home)["ann"] == (1500.0, 1523.0)
            assert home.rows("SELECT reason FROM outcomes") == [("contest",)]
            await mod.kill("ann", "bob")
            assert set(home.ratings()) == {"ann", "bob"}

    with home.serving() as daemon:
        scenario()
    awaited(home.replays)()


def test_the_last_player_standing_ends_a_placement(home: Home) -> None:
    home.save(settings("events: {score: placement, min_players: 3}"))

    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            await command(mod, "event start")
            await mod.kill("ann", "bob")
            assert await mod.ask("event join", by="late") == ["Too late: somebody is out already."]
            await mod.quit("eve")
            await command(mod, "event")
            await mod.kill("dan", "ann")
            over = await mod.take("message", player="dan")
            while "You: place" not in words(over["text"]):
                over = await mod.take("message", player="dan")
            assert home.rows(
                "SELECT player, place FROM contest_standings ORDER BY place, player"
            ) == [("dan", 1), ("ann", 2), ("eve", 3), ("bob", 4)], "who leaves is out"

    with home.serving() as daemon:
        scenario()


def test_an_event_is_no_business_of_another_server_or_of_worlds_that_are_not_rated(
    home: Home,
) -> None:
    home.save(settings("events: {min_players: 1}", "filters: {worlds: {ignore: [creative]}}"))
    home.add("duels")

    @awaited
    async def scenario() -> None:
        other = Mod("spool-0002")
        async with playing(daemon, *ALL) as mod, other.connected(daemon.url, home.tokens["duels"]):
            await command(mod, "event start")
            await other.kill("ann", "bob")
            await mod.kill("ann", "bob", world="creative")
            await mod.kill("bob", "eve")
            assert await command(other, "event") == ["There is no event on this server now."]
            assert await command(other, "event start") == ["Event #2 is on."]
            await command(mod, "event stop")
            assert set(results(home)) == {"bob", "eve"}

    with home.serving() as daemon:
        scenario()


def test_a_void_event_is_taken_back(home: Home) -> None:
    @awaited
    async def scenario() -> None:
        async with playing(daemon, *ALL) as mod:
            for _ in range(2):
                await command(mod, "event start")
                await mod.kill("ann", "bob")
                await command(mod, "event stop")
            twice = dict(home.rows("SELECT player, rating FROM contest_ratings"))
            assert twice["ann"] > 1523.0
            assert await mod.ask("event void #1", may=ADMIN) == [
                "Event #1 is void: event ratings are as if it had not been."
            ]
            assert dict(home.rows("SELECT player, rating FROM contest_ratings")) == {
                "ann": 1523.0,
                "bob": 1500.0,
            }
            assert results(home, 2)["ann"] == (1500.0, 1523.0)

    with home.serving() as daemon:
        scenario()
    awaited(home.replays)()


# ---- the parts, at made-up times


class Arena:
    """Works with a referee, at times after NOW."""

    def __init__(self, ours: Works) -> None:
        self.ours = ours
        self.referee = Referee(
            engine=ours.engine,
            ledger=ours.ledger,
            links=ours.links,
            roster=ours.roster,
            store=ours.store,
            started=NOW,
        )

    async def start(self) -> None:
        await self.ours.engine.errand(
            partial(self.referee.start, "survival", "main", minutes=10.0, name="", now=NOW)
        )

    async def look(self, time: float) -> bool:
        """Whether the contest still runs after a look at that time."""
        await self.ours.engine.errand(partial(self.referee.look, now=NOW + time))
        return self.referee.book.on("survival") is not None

    def told(self) -> list[str]:
        packets = (p for p in self.ours.sent() if isinstance(p, Broadcast | Message))
        return [plain(packet.text) for packet in packets]

    def places(self) -> dict[str, int | None]:
        return dict(self.ours.rows("SELECT player, place FROM contest_standings"))

    async def errand(self, work: Callable[..., Awaitable[object]], *given: object) -> object:
        """A method of the referee, at a time after NOW, which comes last."""
        *rest, time = given
        assert isinstance(time, int | float)
        return await self.ours.engine.errand(partial(work, *rest, now=NOW + time))

    async def back(self, *players: str, time: float) -> None:
        """The mod connects again, with these online."""
        self.ours.links.close(self.ours.link)
        lane, self.ours.link = self.ours.link.lane, Link("survival", hello())
        self.ours.link.lane = lane
        self.ours.links.open(self.ours.link)
        self.ours.roster.hello("survival", [Present(p, p) for p in players])
        await self.errand(self.referee.returned, "survival", players, time)


@asynccontextmanager
async def arena(
    folder: Path, events: str = "{min_players: 2}", *, online: tuple[str, ...] = ("ann", "bob")
) -> AsyncIterator[Arena]:
    async with works(folder) as ours:
        ours.roster.hello("survival", [Present(p, p.capitalize()) for p in online])
        config = parse_config(settings(f"events: {events}"))
        await ours.engine.errand(partial(ours.upkeep.configure, config, now=NOW))
        ours.sent()
        yield Arena(ours)


@awaited
async def test_the_end_waits_a_moment_for_what_is_on_its_way(tmp_path: Path) -> None:
    async with arena(tmp_path) as ours:
        await ours.start()
        assert await ours.look(599.9) and await ours.look(600 + SETTLE_SECONDS - 0.1)
        await ours.ours.kill(600)
        await ours.ours.kill(601)
        assert not await ours.look(600 + SETTLE_SECONDS)
        assert ours.ours.rows("SELECT ended FROM contests") == [(NOW + 600,)]
        assert ours.ours.rows("SELECT kills FROM contest_standings WHERE player = 'ann'") == [(1,)]


@awaited
async def test_a_server_that_is_away_at_the_end_has_time_to_tell_of_its_last_kills(
    tmp_path: Path,
) -> None:
    async with arena(tmp_path) as ours:
        await ours.start()
        assert await ours.look(500)
        ours.ours.links.close(ours.ours.link)
        assert await ours.look(600 + GRACE_SECONDS - 1)
        back = Link("survival", hello())
        back.lane = ours.ours.link.lane
        ours.ours.links.open(back)
        assert await ours.look(600 + GRACE_SECONDS)
        ours.ours.link = back
        await ours.ours.kill(590)
        assert not await ours.look(600 + GRACE_SECONDS + SETTLE_SECONDS)
        assert ours.ours.rows("SELECT ended, state FROM contests") == [(NOW + 600, "rated")]


@awaited
async def test_a_server_that_never_comes_back_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async with arena(tmp_path) as ours:
        await ours.start()
        ours.ours.links.close(ours.ours.link)
        assert not await ours.look(600 + GRACE_SECONDS)
        assert ours.ours.rows("SELECT ended, state FROM contests") == [(NOW + 600, "unrated")]


@awaited
async def test_an_overdue_event_ends_at_its_proper_time_after_a_restart(tmp_path: Path) -> None:
    async with arena(tmp_path) as ours:
        await ours.start()
        await ours.ours.kill(1)
    async with arena(tmp_path) as ours:
        ours.referee._hearing._started = NOW + 9_000
        ours.ours.links.close(ours.ours.link)
        assert await ours.look(9_000 + GRACE_SECONDS - 1)
        assert not await ours.look(9_000 + GRACE_SECONDS)
        assert ours.ours.rows("SELECT ended, state FROM contests") == [(NOW + 600, "rated")]


@awaited
async def test_whoever_comes_to_the_server_takes_part(tmp_path: Path) -> None:
    async with arena(tmp_path) as ours:
        await ours.start()
        join = partial(ours.referee.arrived, "survival", ["eve", "ann"], now=NOW + 5)
        await ours.ours.engine.errand(join)
        assert set(ours.referee.book.standings[1]) == {"ann", "bob", "eve"}
        assert ours.ours.rows("SELECT killer FROM events WHERE kind = 'contest_join'") == [("eve",)]


PLACEMENT = "{score: placement, min_players: 2}"


@awaited
async def test_whoever_quits_after_the_time_of_a_placement_stood_in_the_end(tmp_path: Path) -> None:
    async with arena(tmp_path, PLACEMENT, online=ALL) as ours:
        await ours.start()
        await ours.ours.kill(1)
        assert await ours.look(599)
        ours.ours.roster.quit("survival", "eve")
        await ours.errand(ours.referee.left, "survival", "eve", 601)
        assert await ours.errand(ours.referee.leave, ours.referee.book.contests[1], "dan", 601) == (
            "over"
        )
        assert not await ours.look(603)
        assert ours.places() == {"ann": 1, "dan": 1, "eve": 1, "bob": 4}


@awaited
async def test_a_mod_that_connects_again_after_the_time_puts_nobody_out(tmp_path: Path) -> None:
    async with arena(tmp_path, PLACEMENT, online=ALL) as ours:
        await ours.start()
        await ours.ours.kill(1)
        assert await ours.look(600.2)
        await ours.back("ann", time=601)
        assert not await ours.look(605)
        assert ours.places() == {"ann": 1, "dan": 1, "eve": 1, "bob": 4}


@awaited
async def test_whoever_left_a_placement_unseen_is_out_when_the_mod_is_back(tmp_path: Path) -> None:
    async with arena(tmp_path, PLACEMENT, online=ALL) as ours:
        await ours.start()
        await ours.ours.kill(1)
        assert await ours.look(10)
        await ours.back("ann", "bob", "eve", time=50)
        await ours.ours.idle()
        await ours.back("ann", "bob", time=60)
        await ours.ours.kill(40, "eve", "ann")
        assert await ours.look(62), "what happened before may still be on its way"
        assert not await ours.look(63)
        assert ours.places() == {"eve": 1, "dan": 2, "ann": 3, "bob": 4}
        assert ours.ours.rows("SELECT ended FROM contests") == [(NOW + 63,)]


@awaited
async def test_of_a_server_that_was_away_in_the_end_those_stood_who_are_there_when_it_is_back(
    tmp_path: Path,
) -> None:
    async with arena(tmp_path, PLACEMENT, online=ALL) as ours:
        await ours.start()
        await ours.ours.kill(1)
        assert await ours.look(10)
        await ours.back("ann", "dan", time=650)
        assert not await ours.look(653)
        assert ours.places() == {"ann": 1, "dan": 1, "eve": 3, "bob": 4}


@awaited
async def test_nobody_joins_when_the_time_is_over(tmp_path: Path) -> None:
    async with arena(tmp_path) as ours:
        await ours.start()
        await ours.errand(ours.referee.arrived, "survival", ["eve"], 600.5)
        row = ours.referee.book.contests[1]
        assert await ours.errand(ours.referee.join, row, "eve", 601) == "over"
        assert set(ours.referee.book.standings[1]) == {"ann", "bob"}


@awaited
async def test_a_placement_in_which_nobody_died_is_not_rated_and_that_is_said(
    tmp_path: Path,
) -> None:
    async with arena(tmp_path, PLACEMENT, online=ALL) as ours:
        await ours.start()
        assert await ours.look(1)
        assert not await ours.look(603)
        assert ours.told()[1:3] == [
            "Event #1 is over. 4 took part.",
            "It is not rated: nobody died in it.",
        ]


@awaited
async def test_only_those_who_are_there_hear_of_their_own_result(tmp_path: Path) -> None:
    async with arena(tmp_path) as ours:
        await ours.start()
        await ours.ours.kill(1)
        await ours.ours.idle()
        ours.ours.roster.hello("survival", [Present("ann", "Ann")])
        ours.ours.sent()
        assert await ours.look(1)
        assert not await ours.look(700)
        own = [p.player for p in ours.ours.sent() if isinstance(p, Message)]
        assert own == ["ann"]


@awaited
async def test_names_cannot_speak_in_the_name_of_the_server(tmp_path: Path) -> None:
    async with arena(tmp_path) as ours:
        evil = partial(
            ours.referee.start, "survival", "main", minutes=1.0, name="{rule} &c<red>", now=NOW
        )
        await ours.ours.engine.errand(evil)
        assert ours.told()[0].startswith("Event #1 {rule} &c<red>: 1m,")
