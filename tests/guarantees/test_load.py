"""Many busy game servers, for a while, and one among them that has stopped reading."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

from ..daemon.running import Home, settings
from .crowd import Plan, Result, kill
from .measuring import memory, quantile
from .soundness import assert_sound, under
from .swamped import LONG_LABELS, read_to_the_end, swamped

PROGRAM = str(Path(__file__).with_name("crowd.py"))
MEGABYTE = 1 << 20
SOON = 2.0
"""Seconds after which a player would wonder. Most kills are far from it; disks have their moods."""


def test_nothing_is_lost_delayed_or_piled_up_under_load(
    home: Home, long: bool, measured: Callable[[str], None]
) -> None:
    servers, rate, seconds = (50, 2_000, 120) if long else (10, 500, 10)
    names = [f"s{number}" for number in range(servers)]
    home.save(settings(LONG_LABELS, "calibration: {interval: 10s}"))
    home.add("stuck", *names)
    real = "set:plugin_bridge.server.pace:HEARTBEAT_SECONDS:20"
    hasty = "set:plugin_bridge.server.pace:HEARTBEAT_SECONDS:3"

    async def scenario() -> None:
        with home.serving(*under(real if long else hasty)) as daemon:
            async with swamped(daemon.url, home.tokens["stuck"]) as stuck:
                plan = Plan(daemon.url, {name: home.tokens[name] for name in names}, rate, seconds)
                result, sizes = await crowd(plan, daemon.process.pid)
                assert await read_to_the_end(stuck) in (4004, None)  # None: long ago
            assert "stuck: the mod reads too slowly" in daemon.log
        check(plan, result, sizes, measured)
        recorded = {
            name: [kill(name, seq) for seq in range(1, count + 1)]
            for name, count in result.kills.items()
        }
        assert sum(result.kills.values()) == len(result.waits) == rate * seconds
        await assert_sound(home, recorded)

    asyncio.run(scenario())


def check(plan: Plan, result: Result, sizes: list[int], measured: Callable[[str], None]) -> None:
    """The last third of the time was as good as the first, and all of it good enough."""
    waits = [wait for _, wait in result.waits]
    begin = [wait for sent, wait in result.waits if sent < plan.seconds / 3]
    end = [wait for sent, wait in result.waits if sent > plan.seconds * 2 / 3]
    took = result.waits[-1][0]
    third = len(sizes) // 3
    before, after = max(sizes[:third]), max(sizes[-third:])
    measured(
        f"load: {len(waits)} kills of {len(plan.tokens)} servers in {took:.0f} s, "
        f"{len(waits) / took:.0f} a second, {result.packets} packets back; "
        f"ack after {ms(waits, 0.5)} (p50), {ms(waits, 0.99)} (p99), {ms(waits, 1)} (longest); "
        f"p50 {ms(begin, 0.5)} in the first third and {ms(end, 0.5)} in the last; "
        f"memory {before / MEGABYTE:.0f} MB in the first third and {after / MEGABYTE:.0f} MB in "
        f"the last; the crowd was late by {1_000 * result.late:.0f} ms at worst"
    )
    assert len(waits) / took > 0.95 * plan.rate
    assert quantile(end, 0.5) < 2 * quantile(begin, 0.5) + 0.05
    assert quantile(waits, 0.5) < 0.25
    assert quantile(waits, 0.99) < SOON
    assert after - before < 16 * MEGABYTE


async def crowd(plan: Plan, pid: int) -> tuple[Result, list[int]]:
    """Lets the game servers play; what they say, and the daemon's memory every so often."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, PROGRAM, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    talking = asyncio.create_task(process.communicate(json.dumps(plan.__dict__).encode()))
    sizes: list[int] = []
    while not talking.done():
        await asyncio.wait([talking], timeout=0.25)
        sizes.append(memory(pid))
    output, _ = talking.result()
    assert process.returncode == 0
    return Result(**json.loads(output)), sizes


def ms(waits: list[float], share: float) -> str:
    return f"{1_000 * quantile(waits, share):.0f} ms"
