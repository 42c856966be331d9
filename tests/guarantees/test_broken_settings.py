"""config.yml is corrupted again and again while the daemon runs and kills keep coming."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path

from plugin_bridge import present
from plugin_bridge.config import ConfigError, load_config
from plugin_bridge.text import Text, plain

from ..daemon.mod import Packet, words
from ..daemon.running import Home
from .corruption import corrupted
from .soundness import assert_sound
from .survivor import Survivor

GOOD = """
listen: {port: 0}
storage: {database: adr.sqlite3}
servers:
  - {name: duels}
rating:
  preset: paper
  parameters: {n_min: 1, sigma_place: 400, spread: 10, h_req: 1, t_cooldown: 0}
calibration:
  interval: 1h
tiers:
  - {name: High, label: "&6[High]", weight: 1}
  - {name: Middle, label: "<#00ff00>[Middle]", weight: 2}
  - {name: Low, label: "&7[Low]", weight: 1}
language: en
messages:
  promotion: "&6{player} &fis now {tier}&f!"
announcements: {promotion: broadcast, demotion: private, placement: broadcast}
display:
  prefix: "{label} "
  unranked: "&8[-]"
  tab_list: true
  name_tag: true
filters:
  worlds: {only: [], ignore: [lobby]}
  combat_window: 15s
  combat_log: kill
ladders:
  duels: {servers: [duels]}
"""


class Admin:
    """Saves the file, and knows from the file alone what must be in force."""

    def __init__(self, home: Home, mod: Survivor) -> None:
        self._mod = mod
        self._file = home.folder / "config.yml"
        self.config = load_config(self._file)
        self.good = self.broken = 0

    def save(self, raw: bytes) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_bytes(raw)
        fresh.replace(self._file)

    async def reload(self) -> None:
        """Has the file read; the answer must be what it deserves."""
        messages = self.config.messages
        before, problems = self.config, self._judge()
        line = (
            messages.line("reload_failed", problems=str(problems))
            if problems
            else messages.line("reload_done")
        )
        said = await self._mod.ask("rankadmin reload", by=None)
        assert said[:1] == ([plain(line)] if line else []), before

    async def wait(self) -> None:
        """Until the daemon has noticed by itself; what it says must be what the file deserves."""
        self._mod.inbox.clear()
        before, problems = self.config, self._judge()
        if problems:
            said = await self._mod.take("broadcast", permission="adrbridge.admin")
            line = before.messages.line("config_broken", problems=str(problems))
            assert line
            assert words(said["text"]) == plain(line)
        elif self.config != before:
            await self._mod.take("settings")
        else:
            await asyncio.sleep(1)

    def _judge(self) -> int:
        """How many problems the file has; if none, it is in force from now on."""
        try:
            self.config = load_config(self._file)
        except ConfigError as error:
            self.broken += 1
            return len(error.problems)
        self.good += 1
        return 0

    async def check(self) -> None:
        """What the daemon shows is what the last good file says, and kills are stored."""
        mod = self._mod
        mod.inbox.clear()
        await mod.send(mod.fight())
        await mod.acked(mod.next - 1)
        player = mod.recorded[-1][0]
        await mod.join(player)
        await mod.settled()
        label = mod.seen("label", player=player)[-1]
        index = label["index"]
        assert label["tier"] == (self.config.tier(index).name if index else None)
        assert shown(label) == plain_or_none(present.prefix(self.config, index))


def shown(label: Packet) -> str | None:
    return None if label["prefix"] is None else words(label["prefix"])


def plain_or_none(text: Text | None) -> str | None:
    return None if text is None else plain(text)


def not_there(file: Path) -> None:
    file.unlink(missing_ok=True)


def a_folder(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.mkdir()


def a_circle(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.symlink_to(file)


def test_no_corruption_of_the_settings_stops_the_daemon_or_a_connection(
    home: Home, long: bool, seed: int, measured: Callable[[str], None]
) -> None:
    chance, mod = random.Random(seed), Survivor()
    raw = GOOD.encode()
    home.save(GOOD)
    asked, unasked = (2_000, 60) if long else (200, 6)
    began = time.monotonic()

    async def scenario() -> None:
        with home.serving() as daemon:
            async with mod.connected(daemon.url, home.tokens["survival"]):
                admin = Admin(home, mod)
                for number in range(asked + unasked):
                    admin.save(corrupted(raw, chance))
                    await (admin.reload() if number < asked else admin.wait())
                    await admin.check()
                for replace in (not_there, a_folder, a_circle):
                    replace(home.folder / "config.yml")
                    await admin.reload()
                    await admin.check()
                    if (home.folder / "config.yml").is_dir():
                        (home.folder / "config.yml").rmdir()
                admin.save(raw)
                await admin.reload()
                await admin.check()
                assert "connected again" not in daemon.log
        assert admin.broken > admin.good > asked / 20
        recorded = {"survival": mod.recorded}
        await assert_sound(home, recorded)
        measured(
            f"settings: {admin.broken} broken files and {admin.good} odd but good ones in "
            f"{time.monotonic() - began:.0f} s, on one connection, a kill after each"
        )

    asyncio.run(scenario())
