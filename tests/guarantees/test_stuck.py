"""A mod that reads nothing any more: nobody waits for it, not even the end of the daemon."""

from __future__ import annotations

import asyncio
import time

from ..daemon.mod import Mod, awaited
from ..daemon.running import Daemon, Home, settings
from .measuring import memory
from .soundness import assert_sound, under
from .swamped import LONG_LABELS, read_to_the_end, swamped

MEGABYTE = 1 << 20
TIMES = 60
"""How often everybody's label is sent anew: several times what may be kept."""


async def slowest_kill(mod: Mod, daemon: Daemon, *, until: str) -> float:
    """Kills one after the other until the log says so; how long the slowest waited for its ack."""
    slowest = 0.0
    while until not in daemon.log:
        began = time.monotonic()
        await mod.kill("ann", "bob")
        slowest = max(slowest, time.monotonic() - began)
    return slowest


@awaited
async def test_a_mod_that_takes_nothing_is_cut_off_and_delays_nobody(home: Home) -> None:
    home.save(settings(LONG_LABELS))
    await asyncio.to_thread(home.add, "stuck")
    mod = Mod()
    with home.serving(*under("set:plugin_bridge.server.pace:HEARTBEAT_SECONDS:2")) as daemon:
        async with (
            mod.connected(daemon.url, home.tokens["survival"]),
            swamped(daemon.url, home.tokens["stuck"]) as stuck,
        ):
            slowest = await slowest_kill(mod, daemon, until="stuck: the mod reads too slowly")
            assert await read_to_the_end(stuck) == 4004
            assert slowest < 1
            await asyncio.to_thread(daemon.logged, "stuck disconnected")
    await assert_sound(home, {"survival": [("ann", "bob")] * (mod.next - 1)})


@awaited
async def test_what_waits_for_a_mod_that_takes_nothing_stays_bounded(home: Home) -> None:
    home.save(settings(LONG_LABELS))
    await asyncio.to_thread(home.add, "stuck")
    mod = Mod()
    with home.serving() as daemon:
        async with (
            mod.connected(daemon.url, home.tokens["survival"]),
            swamped(daemon.url, home.tokens["stuck"]) as stuck,
        ):
            await asyncio.to_thread(daemon.logged, "stuck connected")
            before = memory(daemon.process.pid)
            for seconds in range(1, TIMES + 1):  # each means a label for everybody
                home.save(settings(LONG_LABELS, f"filters: {{combat_window: {seconds}s}}"))
                assert await mod.ask("rankadmin reload", by=None) == ["config.yml is loaded."]
            assert memory(daemon.process.pid) - before < 20 * MEGABYTE
            assert await read_to_the_end(stuck) == 4004


@awaited
async def test_a_daemon_ends_although_a_mod_takes_nothing(home: Home) -> None:
    home.save(settings(LONG_LABELS))
    await asyncio.to_thread(home.add, "stuck")
    with home.serving(*under("set:plugin_bridge.server.pace:CLOSING_SECONDS:1")) as daemon:
        async with swamped(daemon.url, home.tokens["stuck"]):
            await asyncio.to_thread(daemon.logged, "stuck connected")
            await asyncio.sleep(0.5)
            began = time.monotonic()
            assert await asyncio.to_thread(daemon.end) == 0
            assert time.monotonic() - began < 5
