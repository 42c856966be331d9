"""Many busy game servers, for a while, and one among them that has stopped reading."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from ..daemon.running import Home, settings
from .crowd import Plan, Result, kill
from .measuring import memory, quantile
from .soundness import assert_sound, under
from .swamped import LONG_LABELS, read_to_the_end, swamped

PROGRAM = str(Path(__file__).with_name("crowd.py"))
MEGABYTE = 1 << 20


@pytest.mark.alone
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
    """The last third of the time was as good as the first, and all of it good enough.

    It is looked at second by second: a disk that others use as well may stand still for some.
    """
    waits = [wait for _, wait in result.waits]
    seconds: dict[int, list[float]] = {}
    for sent, wait in result.waits:
        seconds.setdefault(int(sent), []).append(wait)
    usual = [median(of_second) for of_second in seconds.values()]
    slow = [quantile(of_second, 0.99) for of_second in seconds.values()]
    third = len(usual) // 3
    begin, end = median(usual[:third]), median(usual[-third:])
    took = result.waits[-1][0]
    third = len(sizes) // 3
    before, after = max(sizes[:third]), max(sizes[-third:])
    measured(
        f"load: {len(waits)} kills of {len(plan.tokens)} servers in {took:.0f} s, "
        f"{len(waits) / took:.0f} a second, {result.packets} packets back; "
        f"ack after {ms(median(waits))} (p50), {ms(quantile(waits, 0.99))} (p99), "
        f"{ms(max(waits))} (longest); in most seconds p50 {ms(median(usual))}, "
        f"p99 {ms(median(slow))}; p50 {ms(begin)} in the first third and {ms(end)} in the last; "
        f"memory {before / MEGABYTE:.0f} MB in the first third and {after / MEGABYTE:.0f} MB in "
        f"the last; the crowd was late by {ms(result.late)} at worst"
    )
    assert len(waits) / took > 0.95 * plan.rate
    assert end < 2 * begin + 0.05
    assert median(usual) < 0.25
    assert median(slow) < 0.5
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


def ms(seconds: float) -> str:
    return f"{1_000 * seconds:.0f} ms"
