"""Clocks that are wrong, on the servers and on the machine of the daemon."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.protocol.packets import Hello, Kill, Player
from plugin_bridge.session import OLDEST_SECONDS, SKEW_SECONDS, Session

from ..daemon.mod import Mod, awaited
from ..daemon.running import Daemon, Home, settings
from .watching import LAUNCHER

MINUTES = 600.0
DECADE = 10 * 365.25 * 86_400
WRONG = [MINUTES, -MINUTES, DECADE, -DECADE]
COOLDOWN = "rating: {parameters: {n_min: 1, sigma_place: 400, t_cooldown: 60}}\n"
REASONS = "SELECT reason FROM outcomes ORDER BY position"
STATE = "SELECT mu, sigma, trend, pool, safeguarded FROM players WHERE player = ?"
LATEST = (
    "SELECT (SELECT clock FROM ladders), (SELECT max(last_event) FROM players), "
    "(SELECT max(time) FROM events)"
)


def nobody_was_taken_into_the_future(home: Home) -> None:
    ((clock, last, event),) = home.rows(LATEST)
    assert max(clock, last, event) <= time.time()


@awaited
@pytest.mark.parametrize("off", WRONG)
async def test_the_cooldown_holds_between_servers_whose_clocks_differ(
    home: Home, off: float
) -> None:
    home.save(settings(rating=COOLDOWN))
    await asyncio.to_thread(home.add, "duels")
    right, wrong = Mod("spool-right"), Mod("spool-wrong")
    wrong.clock = off
    with home.serving() as daemon:
        async with (
            right.connected(daemon.url, home.tokens["survival"]),
            wrong.connected(daemon.url, home.tokens["duels"]),
        ):
            await right.kill("ann", "bob", time=right.now - 100)
            await wrong.kill("ann", "bob", time=wrong.now - 60)  # 40 s later
            await wrong.kill("ann", "bob", time=wrong.now - 20)  # 80 s later
            await right.kill("ann", "bob")  # 20 s after that
            nobody_was_taken_into_the_future(home)
    assert home.rows(REASONS) == [(None,), ("cooldown",), (None,), ("cooldown",)]
    assert f"its clock is {abs(off):.0f} s" in daemon.log


@awaited
@pytest.mark.parametrize("off", WRONG)
async def test_a_clock_that_is_set_while_the_mod_is_connected_takes_no_player_along(
    home: Home, off: float
) -> None:
    home.save(settings(rating=COOLDOWN))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.kill("ann", "bob")
            mod.clock = off
            for victim in ("bob", "cid", "dan"):
                await mod.kill("ann", victim)
            await mod.kill("eve", "fay")
            mod.clock = 0.0
            await mod.kill("ann", "dan")
            await mod.kill("ann", "fay")
            nobody_was_taken_into_the_future(home)
    first, second, *others = [reason for (reason,) in home.rows(REASONS)]
    # Ten minutes are believed, and longer than the cooldown; years are taken as now.
    assert (first, second) == (None, None if off == -MINUTES else "cooldown")
    assert others[:3] == [None, None, None]
    ((oldest,),) = home.rows("SELECT min(last_event) FROM players")
    assert time.time() - oldest < 2 * MINUTES
    assert all(sigma < 400 for (sigma,) in home.rows("SELECT sigma FROM players"))


@awaited
@pytest.mark.parametrize("off", [-DECADE, DECADE, None], ids=["2016", "2036", "1970"])
async def test_first_kills_under_a_wrong_clock_make_nobody_a_returning_player(
    home: Home, off: float | None
) -> None:
    mod = Mod()
    clock = -time.time() + 1_000 if off is None else off
    fights = [("a", "b"), ("a", "b"), ("b", "a"), ("a", "c"), ("c", "b")]
    for killer, victim in fights:  # while the daemon is away; then the clock is put right
        mod.killed(f"wrong-{killer}", f"wrong-{victim}", time=mod.now + clock)
        mod.killed(f"right-{killer}", f"right-{victim}")
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.acked(2 * len(fights))
            for which in ("wrong", "right"):
                await mod.kill(f"{which}-a", f"{which}-b")
    nobody_was_taken_into_the_future(home)
    for player in "abc":
        ((*wrong,),) = home.rows(STATE, f"wrong-{player}")
        ((*right,),) = home.rows(STATE, f"right-{player}")
        assert wrong == pytest.approx(right, abs=0.5), player
    await home.replays()


@awaited
@pytest.mark.parametrize("days", [0.5, 29])
async def test_a_long_outage_is_believed_and_nobody_hears_old_news(
    daemon: Daemon, days: float
) -> None:
    mod = Mod()
    moments = [mod.now - days * 86_400 + 60 * number for number in range(5)]
    for moment in moments:
        mod.killed("ann", "bob", time=moment)
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        await mod.acked(5)
        await mod.settled()
        assert not mod.seen("broadcast")
    stored = daemon.home.rows("SELECT time FROM events WHERE kind = 'kill'")
    assert [moment for (moment,) in stored] == pytest.approx(moments)


@given(st.floats(0, 4_102_444_800), st.floats(0, 4_102_444_800), st.floats(0, 4_102_444_800))
def test_every_time_is_as_it_was_said_or_now(clock: float, time: float, now: float) -> None:
    hello = Hello(
        protocol=1,
        platform="x",
        mod_version="1",
        spool="spool-0001",
        first=1,
        time=clock,
        online=[],
    )
    session = Session(hello, last=0, now=now)
    taken = session.take(Kill(1, time, Player("a"), Player("b")), now=now)
    assert isinstance(taken, Kill)
    assert 0 <= now - taken.time <= OLDEST_SECONDS
    if abs(now - clock) <= SKEW_SECONDS and 0 <= now - time <= OLDEST_SECONDS:
        assert taken.time == time


@awaited
@pytest.mark.parametrize("off", [MINUTES, -DECADE])
async def test_the_daemon_goes_on_when_its_own_clock_is_put_right(home: Home, off: float) -> None:
    clock = home.folder / "clock"
    clock.write_text("0", encoding="utf-8")
    home.save(settings("calibration: {interval: 10s}"))
    mod = Mod()
    token = home.tokens["survival"]
    with home.serving(LAUNCHER, "clock", "--") as daemon:
        async with mod.connected(daemon.url, token):
            await mod.join("ann")
            await mod.kill("ann", "bob")
            await mod.take("label", player="ann")
            await asyncio.to_thread(set_clock, home, off)
            await mod.kill("ann", "bob")
            await mod.kill("bob", "ann")
            await mod.take("label", player="ann")
        async with mod.connected(daemon.url, token):
            await mod.kill("ann", "bob")
        await asyncio.to_thread(set_clock, home, 0)
        async with mod.connected(daemon.url, token):
            await mod.kill("ann", "bob")
    assert home.rows("SELECT count(*) FROM outcomes WHERE reason IS NULL") == [(5,)]
    await home.replays()


def set_clock(home: Home, off: float) -> None:
    fresh = home.folder / "clock.tmp"
    fresh.write_text(str(off), encoding="utf-8")
    fresh.replace(home.folder / "clock")
