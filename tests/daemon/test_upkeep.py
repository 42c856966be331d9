"""What the daemon does by itself: calibrations at their time, and looking at config.yml."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from plugin_bridge.config import parse_config
from plugin_bridge.text import plain
from plugin_bridge.watch import Watch

from .mod import awaited
from .running import settings
from .test_engine import CONFIG, NOW, Works, works

HOUR = 3_600.0


def calibrations(ours: Works) -> list[float]:
    rows = ours.rows("SELECT time FROM events WHERE kind = 'calibrate' ORDER BY position")
    return [time - NOW for (time,) in rows]


async def look(ours: Works, *times: float) -> None:
    """Asks at these times, after the start, whether a calibration is due."""
    for time in times:
        await ours.engine.errand(partial(ours.upkeep.calibrate_when_due, now=NOW + time))


@awaited
async def test_calibration_comes_once_an_interval(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        await look(ours, 0, 1, HOUR - 1, HOUR, HOUR + 1, 2 * HOUR - 1, 2 * HOUR + 5, 3 * HOUR + 4)
        assert calibrations(ours) == [HOUR, 2 * HOUR + 5]


@awaited
async def test_a_restart_neither_skips_nor_repeats_a_calibration(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        await look(ours, 100)
    async with works(tmp_path) as ours:  # a day of short runs still has its calibrations
        await look(ours, HOUR - 1, HOUR)
    async with works(tmp_path) as ours:
        await look(ours, HOUR + 1, 2 * HOUR - 1)
    async with works(tmp_path) as ours:
        await look(ours, 50 * HOUR, 50 * HOUR + 1)
        assert calibrations(ours) == [HOUR, 50 * HOUR]


@awaited
async def test_another_interval_counts_at_once(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        await look(ours, HOUR)
        shorter = parse_config(settings("calibration: {interval: 30s}"))
        await ours.engine.errand(partial(ours.upkeep.configure, shorter, now=NOW + HOUR))
        await look(ours, HOUR + 29, HOUR + 30, HOUR + 59, HOUR + 60)
        assert calibrations(ours) == [HOUR, HOUR + 30, HOUR + 60]


@awaited
async def test_a_clock_that_was_set_back_does_not_stop_calibration(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        await look(ours, 90 * HOUR, 5 * HOUR, 5 * HOUR + 1, 6 * HOUR)
        assert calibrations(ours) == [90 * HOUR, 5 * HOUR, 6 * HOUR]
        assert ours.ladder.clock == NOW + 90 * HOUR


@awaited
async def test_calibration_moves_tiers_and_tells_where_the_players_are(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        rules = (
            "{n_min: 1, sigma_place: 400, spread: 10, h_req: 1, t_cooldown: 0, p_min: 3, beta: 1}"
        )
        config = parse_config(settings(rating=f"rating: {{parameters: {rules}}}"))
        await ours.engine.errand(partial(ours.upkeep.configure, config, now=NOW))
        fights = [(f"x{n % 4}", f"y{n % 4}") for n in range(32)]
        fights += [("bob", "y0"), ("bob", "y1"), ("bob", "y2"), ("x0", "bob"), ("x1", "bob")]
        for seq, fight in enumerate(fights, start=1):
            await ours.kill(seq, *fight)
        await ours.idle()
        assert ours.ladder.player("bob").tier == 1
        ours.sent()
        await look(ours, HOUR)
        assert ours.ladder.player("bob").tier == 2
        label, message = ours.sent()
        assert (label.player, label.tier) == ("bob", "Middle")
        assert (message.player, "drops to [Middle]" in plain(message.text)) == ("bob", True)


@awaited
async def test_a_ladder_that_config_dropped_is_left_alone(tmp_path: Path) -> None:
    async with works(tmp_path) as ours:
        with_duels = parse_config(settings("ladders: {duels: {servers: [duels]}}"))
        await ours.engine.errand(partial(ours.upkeep.configure, with_duels, now=NOW))
        await look(ours, HOUR)
        await ours.engine.errand(partial(ours.upkeep.configure, CONFIG, now=NOW))
        await look(ours, 2 * HOUR)
        rows = ours.rows("SELECT ladder FROM events WHERE kind = 'calibrate' ORDER BY position")
        assert rows == [("duels",), ("main",), ("main",)]


@awaited
async def test_a_file_that_was_saved_while_the_daemon_started_is_not_missed(
    tmp_path: Path,
) -> None:
    config = tmp_path / "config.yml"
    async with works(tmp_path) as ours:
        config.write_text(settings("language: zh_cn"), encoding="utf-8")
        watch = Watch(config, engine=ours.engine, upkeep=ours.upkeep)
        await watch.look()
        assert ours.engine.config.language == "en"
        await watch.look()
        assert ours.engine.config.language == "zh_cn"
