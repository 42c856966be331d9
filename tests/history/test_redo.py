"""The past amended under a running daemon: nothing is lost, counted twice or left half done."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ..cli.running import run
from ..daemon.mod import awaited
from ..daemon.running import PATIENCE, Daemon, Home, eventually
from ..guarantees.soundness import assert_sound, rows_of_dead, under
from ..guarantees.survivor import Survivor

HISTORY = "plugin_bridge.store.history:History"
RENEWAL = "plugin_bridge.store.renewal:Renewal"
SUCCESSOR = "plugin_bridge.history.successor:Successor"
HISTORIAN = "plugin_bridge.history.historian:Historian"
POINTS = {
    "the order is in the log and nothing else is done": f"after:{HISTORIAN}._take:1",
    "no row is in the new tables": f"after:{RENEWAL}.begin:1",
    "half of the rows are in the new tables": f"after:{RENEWAL}._copy:7",
    "the new tables are full": f"after:{SUCCESSOR}.catch_up:1",
    "the tables have changed their names": f"after:{RENEWAL}.put_in_force:1",
    "it is noted what the ratings go by": f"after:{HISTORY}.goes_by:1",
    "it is in force and nobody is told": f"after:{SUCCESSOR}.put_in_force:1",
    "one of the old tables is gone": f"after:{RENEWAL}.clear:2",
}
EXCLUDE = ("exclude", "--player", "P1", "--reason", "aimbot", "--yes")


def counted(home: Home, player: str) -> int:
    sql = "SELECT count(*) FROM outcomes JOIN events USING (position) WHERE reason IS NULL "
    return int(home.rows(f"{sql} AND ? IN (killer, victim)", player)[0][0])


def left_over(home: Home) -> list[tuple[object, ...]]:
    """Tables that are not, or no longer, in force."""
    names = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    return home.rows(f"{names} AND (name GLOB 'next_*' OR name GLOB 'old_*')")


def ordering(home: Home, *words: str) -> subprocess.Popen[bytes]:
    """The command, while other things go on; what it says is in `order.txt`."""
    with (home.folder / "order.txt").open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "plugin_bridge", *words],
            cwd=home.folder,
            stdout=said,
            stderr=subprocess.STDOUT,
        )


@awaited
async def test_kills_go_on_while_the_past_is_amended_and_labels_follow(home: Home) -> None:
    mod = Survivor()
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=150)
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("p1")
            await mod.settled()
            mod.inbox.clear()
            order = ordering(home, *EXCLUDE)
            while order.poll() is None:
                await mod.send(mod.fight())
                await asyncio.sleep(0.005)
            assert order.returncode == 0, (home.folder / "order.txt").read_text()
            await mod.acked(mod.next - 1)
            await mod.settled()
            label = [packet for packet in mod.inbox if packet["type"] == "label"][-1]
            assert label["player"] == "p1"
            assert mod.next > 160
        before = counted(home, "p1")
        excluded = home.rows("SELECT count(*) FROM outcomes WHERE reason = 'excluded'")[0][0]
        assert excluded > 20
        assert "the past was rated again" in daemon.log
        back = ordering(home, "include", "--player", "P1", "--reason", "innocent", "--yes")
        assert await asyncio.to_thread(back.wait, PATIENCE) == 0
        assert counted(home, "p1") >= before + excluded - 1
    await assert_sound(home, {"survival": mod.recorded})
    assert home.rows("SELECT count(*) FROM outcomes WHERE reason = 'excluded'") == [(0,)]
    assert not list(home.folder.glob("*.redone*"))


async def holding_at_the_death_of(daemon: Daemon, order: subprocess.Popen[bytes]) -> None:
    """Else the command would take its place before anybody has seen what it left."""
    await asyncio.to_thread(daemon.process.wait)
    os.kill(order.pid, signal.SIGSTOP)


@pytest.mark.parametrize("when", POINTS)
@awaited
async def test_a_daemon_may_die_when(home: Home, when: str) -> None:
    mod = Survivor()
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=40)
    daemon = Daemon(home, *under(f"die:{POINTS[when]}"))
    order = held = None
    try:
        await asyncio.to_thread(daemon.wait_until_ready)
        order = ordering(home, *EXCLUDE)
        held = asyncio.create_task(holding_at_the_death_of(daemon, order))
        while not held.done():
            await mod.play(daemon, fights=5)
        assert daemon.process.returncode == -signal.SIGKILL
        (whole,) = rows_of_dead(
            home,
            "SELECT (SELECT count(*) FROM events WHERE kind = 'kill') = (SELECT count(*) FROM "
            "outcomes), (SELECT count(*) FROM outcomes WHERE reason IS NULL) = "
            "(SELECT sum(kills) FROM players)",
        )
        assert whole == (1, 1)
    finally:
        daemon.process.kill()
        daemon.process.wait()
        if order and held:
            await held
            os.kill(order.pid, signal.SIGCONT)
            assert await asyncio.to_thread(order.wait, PATIENCE) in (0, 1)
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=5)
        done = "SELECT revised = (SELECT max(position) FROM events WHERE kind = 'exclude') "
        done += "FROM revision"
        await asyncio.to_thread(eventually, lambda: home.rows(done) == [(1,)], "it is done")
        await asyncio.to_thread(eventually, lambda: not left_over(home), "nothing is left over")
    await assert_sound(home, {"survival": mod.recorded})
    until = "SELECT json_extract(detail, '$.select.until') FROM events WHERE kind = 'exclude'"
    ((moment,),) = home.rows(until)
    sql = (
        "SELECT count(*) FROM events JOIN outcomes USING (position) WHERE time <= ? "
        "AND 'p1' IN (killer, victim) AND reason IS NOT 'excluded'"
    )
    assert home.rows(sql, moment) == [(0,)]


def test_without_a_daemon_the_command_does_it_itself_and_no_daemon_starts_meanwhile(
    home: Home,
    tmp_path: Path,
) -> None:
    mod = Survivor()

    @awaited
    async def past() -> None:
        with home.serving() as daemon:
            assert await mod.play(daemon, fights=40)

    past()
    refused = run(home.folder, "exclude", "--player", "P1", "--reason", "aimbot")
    assert refused.returncode == 1
    assert "Rated kills: 40 now" in refused.stdout or "now, " in refused.stdout
    assert "say --yes" in refused.stderr
    assert home.rows("SELECT count(*) FROM orders") == [(0,)]
    result = run(home.folder, *EXCLUDE)
    assert result.returncode == 0, result.stderr
    assert counted(home, "p1") == 0
    told = run(home.folder, "history").stdout
    assert "exclude kills and deaths of P1" in told
    assert "aimbot" in told and "in force" in told
    assert "bit for bit" in run(home.folder, "replay", "--verify").stdout
    with home.serving():
        pass
