"""Work that is done again and again."""

import asyncio

from plugin_bridge.periodic import beside, repeat


def test_work_that_has_begun_is_finished_when_the_daemon_stops() -> None:
    done: list[str] = []
    begun = asyncio.Event()

    async def transaction() -> None:
        begun.set()
        await asyncio.sleep(0.05)
        done.append("ended")

    async def stop_in_the_middle() -> None:
        async with beside(repeat(transaction, lambda: 60.0, first=0)):
            await begun.wait()

    asyncio.run(stop_in_the_middle())
    assert done == ["ended"]


def test_a_failure_does_not_end_the_repetition() -> None:
    tries: list[int] = []
    enough = asyncio.Event()

    async def fail() -> None:
        tries.append(len(tries))
        if len(tries) == 3:
            enough.set()
        raise ValueError("as it happens")

    async def wait_for_three() -> None:
        async with beside(repeat(fail, lambda: 0.0, first=0)):
            await asyncio.wait_for(enough.wait(), 5)

    asyncio.run(wait_for_three())
