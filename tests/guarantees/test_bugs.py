"""A bug somewhere in the daemon: one event may suffer from it, the others must not."""

from __future__ import annotations

import json

from ..daemon.mod import awaited
from ..daemon.running import Home
from .soundness import assert_sound, under
from .survivor import Survivor


@awaited
async def test_a_kill_that_a_bug_does_not_let_through_keeps_back_no_other(home: Home) -> None:
    mod = Survivor()
    with home.serving(*under("fail:adr_core:Ladder.kill:p7"), faults=True) as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.send(*(mod.fight() for _ in range(300)))
            await mod.acked(300)
            hopeless = [seq for seq, kill in enumerate(mod.recorded, 1) if "p7" in kill]
            assert [error["seq"] for error in mod.seen("error", code="fault")] == hopeless
    assert daemon.log.count("ZeroDivisionError: p7") > 0
    assert 0 < len(hopeless) < 300
    for seq, detail in home.rows("SELECT seq, detail FROM events WHERE cause = 'fault'"):
        kept = json.loads(detail)
        assert (kept["killer"]["id"], kept["victim"]["id"]) == mod.recorded[seq - 1]
    assert home.rows("SELECT seq FROM events WHERE cause = 'fault'") == [(n,) for n in hopeless]
    rated = home.rows("SELECT seq, killer, victim FROM events WHERE kind = 'kill' ORDER BY seq")
    assert [(seq, *mod.recorded[seq - 1]) for seq, *_ in rated] == rated
    assert len(rated) == 300 - len(hopeless)
    await home.replays()


@awaited
async def test_labels_that_a_bug_does_not_let_out_keep_back_no_kill(home: Home) -> None:
    mod = Survivor()
    with home.serving(*under("fail:plugin_bridge.herald:Herald.news:Draft"), faults=True) as daemon:
        assert await mod.play(daemon, fights=60)
        assert "some labels or news were not sent" in daemon.log
    await assert_sound(home, {"survival": mod.recorded})
