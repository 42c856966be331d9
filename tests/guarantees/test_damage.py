"""A database that is damaged: the daemon stops rather than going on with ratings it cannot keep."""

from __future__ import annotations

import asyncio

from ..daemon.mod import awaited
from ..daemon.running import LIVELY, PATIENCE, Home, settings
from .soundness import assert_sound, under
from .survivor import Survivor


def cast(home: Home, *lines: str) -> None:
    """What befalls the daemon's database from now on."""
    fresh = home.folder / "spell.new"
    fresh.write_text("\n".join(lines), encoding="utf-8")
    fresh.replace(home.folder / "spell")


@awaited
async def test_ratings_that_cannot_be_put_back_to_what_is_stored_end_the_daemon(
    home: Home,
) -> None:
    mod = Survivor()
    with home.serving(*under("bewitched"), code=1) as daemon:
        assert await mod.play(daemon, fights=20)
        async with mod.connected(daemon.url, home.tokens["survival"]):
            cast(home, "damaged players")
            home.save(settings(rating=LIVELY.replace("spread: 10", "spread: 90")))
            assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == 1
        assert "the file is damaged" in daemon.log.splitlines()[-1]
        assert "restore your last backup" in daemon.log.splitlines()[-1]
    cast(home)
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})


@awaited
async def test_a_database_found_damaged_in_the_middle_of_a_crowd_ends_the_daemon_for_everybody(
    home: Home,
) -> None:
    names = [f"server-{number}" for number in range(8)]
    await asyncio.to_thread(home.add, *names)
    mods = [Survivor(name, f"spool-{name}") for name in names]
    everybody = asyncio.Barrier(len(mods))

    async def crowd(mod: Survivor) -> None:
        """Kills and commands mixed, so that both wait for the same batch."""
        async with mod.connected(daemon.url, home.tokens[mod.server]):
            await everybody.wait()
            for _ in range(40):
                command = {"type": "command", "id": "c", "sender": None, "words": ["rank", "top"]}
                await mod.send(mod.fight(), command | {"permissions": []})
            assert await mod.closed() in (1001, 1011)

    with home.serving(*under("bewitched"), code=1) as daemon:
        await asyncio.gather(*(mod.play(daemon, fights=5) for mod in mods))
        cast(home, "damaged outcomes")
        await asyncio.gather(*map(crowd, mods))
        assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == 1
        assert "the file is damaged" in daemon.log.splitlines()[-1]
    assert all(len(mod.kept) == 40 for mod in mods)
    cast(home)
    with home.serving() as daemon:
        await asyncio.gather(*(mod.play(daemon, fights=5) for mod in mods))
    await assert_sound(home, {mod.server: mod.recorded for mod in mods})
