"""What the power may leave of SQLite's journal: its end torn, or worse."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
from pathlib import Path

import pytest

from ..daemon.mod import awaited
from ..daemon.running import PATIENCE, Daemon, Home, settings
from .journal import journal_of
from .soundness import assert_sound, under
from .survivor import Survivor

COMMITTED = "die:after:plugin_bridge.store.store:Store.commit"


@pytest.fixture(scope="module")
def died(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, Survivor]:
    """A home whose daemon died just when its last transaction was written, before its ack."""
    home, mod = Home(tmp_path_factory.mktemp("died")), Survivor()
    home.save(settings())
    home.add("survival")

    @awaited
    async def play() -> None:
        daemon = Daemon(home, *under(f"{COMMITTED}:20"))
        try:
            await asyncio.to_thread(daemon.wait_until_ready)
            assert not await mod.play(daemon, fights=200)
            assert daemon.process.wait(PATIENCE) == -signal.SIGKILL
        finally:
            daemon.process.kill()
            daemon.process.wait()

    play()
    assert 0 < len(mod.kept) < 200
    return home, mod


def copied(died: tuple[Home, Survivor], folder: Path) -> tuple[Home, Survivor]:
    home, mod = died
    shutil.copytree(home.folder, folder, dirs_exist_ok=True)
    again = Survivor(mod.server, mod.spool)
    again.kept, again.next, again.recorded = dict(mod.kept), mod.next, list(mod.recorded)
    return Home(folder, home.tokens), again


@awaited
async def test_a_torn_transaction_is_forgotten_and_sent_again(
    died: tuple[Home, Survivor], tmp_path: Path, long: bool, seed: int
) -> None:
    """It was never acknowledged, for it was never forced to the disk as a whole."""
    chance = random.Random(seed)
    for number in range(24 if long else 4):
        home, mod = copied(died, tmp_path / str(number))
        journal = journal_of(home.database)
        begin, end = journal.commits[-2:]
        content = bytearray(journal.path.read_bytes())
        torn = chance.randrange(begin, end)
        if number % 2:
            content = content[:torn]
        else:
            content[torn] ^= 0xFF
        journal.path.write_bytes(content)
        with home.serving() as daemon:
            assert await mod.play(daemon, fights=10)
        assert "lost" not in daemon.log
        await assert_sound(home, {"survival": mod.recorded})


@pytest.mark.parametrize("share", [0.0, 0.4])
@awaited
async def test_what_a_lying_disk_has_lost_is_said_and_what_is_left_goes_on_soundly(
    died: tuple[Home, Survivor], tmp_path: Path, share: float
) -> None:
    """Transactions are gone that the disk had sworn to hold, and with them acknowledged kills."""
    home, mod = copied(died, tmp_path)
    journal = journal_of(home.database)
    journal.path.write_bytes(journal.path.read_bytes()[: int(journal.commits[-1] * share)])
    first = min(mod.kept)
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=10)
    seqs = [seq for (seq,) in home.rows("SELECT seq FROM events WHERE lane > 1 ORDER BY position")]
    kept = seqs.index(first)
    assert seqs == [*range(1, kept + 1), *range(first, mod.next)]
    assert kept < first - 1
    assert f"survival: events {kept + 1} to {first - 1} are lost" in daemon.log
    assert home.rows("PRAGMA integrity_check") == [("ok",)]
    await home.replays()
