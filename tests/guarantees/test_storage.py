"""The disk is full, forbidden, held or fails for a while: nothing is lost, and nobody has to help.

What cannot be stored is not acknowledged, the log says why and what to do, and when the cause has
gone everything goes on by itself, on the same connections.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from ..daemon.mod import PLAYER, awaited
from ..daemon.running import PATIENCE, Daemon, Home, settings
from .soundness import assert_sound, under
from .spells import FULL, READ_ONLY, ROOM, WRITABLE, cast
from .survivor import Survivor

WAITING = "cannot store, nothing is acknowledged; trying again"
ACCESS = "see that whoever runs this may write both the file and its folder"
STORE = "plugin_bridge.store.database"
SMALL_FILE = 64 * 1024
SYS_ADMIN = 1 << 21


def may_mount() -> bool:
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    powers = [int(line.split()[1], 16) for line in lines if line.startswith("CapEff")]
    return any(power & SYS_ADMIN for power in powers)


@dataclass
class Trouble:
    """Something that befalls a running daemon, what its log says of it, and the end of it."""

    words: str
    begin: Callable[[Daemon], None]
    end: Callable[[Daemon], None]


def limit_files(daemon: Daemon, size: int) -> None:
    """The longest file that the daemon may write from now on."""
    limits = (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, limits)


TROUBLES = {
    "the disk is full": Trouble(
        "database or disk is full; free some space on the disk",
        lambda daemon: cast(daemon.home, FULL),
        lambda daemon: cast(daemon.home, ROOM),
    ),
    "the disk has become read-only": Trouble(
        f"attempt to write a readonly database; {ACCESS}",
        lambda daemon: cast(daemon.home, READ_ONLY),
        lambda daemon: cast(daemon.home, WRITABLE),
    ),
    "the disk does not answer": Trouble(
        "disk I/O error; see whether the disk is full or failing",
        lambda daemon: cast(daemon.home, "unreadable players"),
        lambda daemon: cast(daemon.home),
    ),
}


if sys.platform == "linux":  # which alone lets one process limit another
    TROUBLES["a file may not grow"] = Trouble(
        "disk I/O error; see whether the disk is full or failing",
        lambda daemon: limit_files(daemon, SMALL_FILE),
        lambda daemon: limit_files(daemon, resource.RLIM_INFINITY),
    )


@pytest.mark.parametrize("name", TROUBLES)
@awaited
async def test_kills_wait_with_the_mod_while(home: Home, name: str) -> None:
    trouble, mod = TROUBLES[name], Survivor()
    with home.serving(*under("bewitched")) as daemon:
        await through(trouble, mod, daemon)
    await assert_sound(home, {"survival": mod.recorded})


async def through(trouble: Trouble, mod: Survivor, daemon: Daemon) -> None:
    """Kills before, within and after a trouble, all on one connection."""
    assert await mod.play(daemon, fights=40)
    async with mod.connected(daemon.url, daemon.home.tokens["survival"]):
        trouble.begin(daemon)
        for _ in range(500):
            await mod.send(mod.fight())
            await asyncio.sleep(0.01)
            if WAITING in daemon.log:
                break
        assert trouble.words in await asyncio.to_thread(daemon.logged, WAITING)
        waiting = len(mod.kept)
        await asyncio.sleep(0.3)
        assert len(mod.kept) == waiting > 0
        ((stored,),) = daemon.home.rows("SELECT count(*) FROM events WHERE kind = 'kill'")
        assert stored == mod.next - 1 - waiting
        trouble.end(daemon)
        await mod.acked(mod.next - 1)
        await mod.send(mod.fight())
        await mod.acked(mod.next - 1)


class OnDisk(Home):
    """A home whose database is on a disk of its own."""

    @property
    def database(self) -> Path:
        return self.folder / "disk" / "adr.sqlite3"


@contextmanager
def small_disk(folder: Path) -> Iterator[OnDisk]:
    home = OnDisk(folder)
    (folder / "disk").mkdir()
    subprocess.check_call(["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder / "disk"])
    try:
        home.save(settings().replace("adr.sqlite3", "disk/adr.sqlite3"))
        home.add("survival")
        yield home
    finally:
        subprocess.check_call(["umount", folder / "disk"])


def fill(daemon: Daemon) -> None:
    with (daemon.home.folder / "disk" / "film").open("wb", buffering=0) as film, suppress(OSError):
        while film.write(bytes(1 << 12)):
            pass


def make_room(daemon: Daemon) -> None:
    (daemon.home.folder / "disk" / "film").unlink()


if may_mount():  # beside the others, not in their place: not everybody can

    def test_kills_wait_with_the_mod_while_a_real_disk_is_full(tmp_path: Path) -> None:
        mod = Survivor()

        @awaited
        async def scenario() -> None:
            with home.serving() as daemon:
                await through(Trouble("free some space on the disk", fill, make_room), mod, daemon)
            await assert_sound(home, {"survival": mod.recorded})

        with small_disk(tmp_path) as home:
            scenario()


# ---- another program holds the database

HOLDER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("ROLLBACK")
print(time.time(), flush=True)
"""


@contextmanager
def held(home: Home, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """Another program that is writing for so long; it prints when it let go."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(home.database), str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    try:
        yield holder
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


@awaited
async def test_kills_of_all_servers_wait_while_another_program_holds_the_database(
    home: Home, long: bool, measured: Callable[[str], None]
) -> None:
    await asyncio.to_thread(home.add, "duels")
    mods = [Survivor("survival"), Survivor("duels", "spool-duels")]
    seconds = 10.0 if long else 6.0

    async def play_on(mod: Survivor) -> float:
        """Kills on and on; when the first of those that had to wait was acknowledged."""
        async with mod.connected(daemon.url, home.tokens[mod.server]):
            everybody_there.release()
            await begin.wait()
            first = mod.next
            while holder.poll() is None:
                await mod.send(mod.fight())
                await asyncio.sleep(0.05)
                if holder.poll() is None:
                    assert min(mod.kept) == first
            await mod.acked(first)
            moment = time.time()
            await mod.acked(mod.next - 1)
            return moment

    with home.serving() as daemon:
        for mod in mods:
            assert await mod.play(daemon, fights=20)
        everybody_there, begin = asyncio.Semaphore(0), asyncio.Event()
        playing = [asyncio.create_task(play_on(mod)) for mod in mods]
        for _ in mods:
            await everybody_there.acquire()
        with held(home, seconds) as holder:
            begin.set()
            moments = await asyncio.gather(*playing)
            assert holder.stdout is not None
            let_go = float(holder.stdout.readline())
        assert "database is locked; another program is writing to it" in daemon.logged(WAITING)
        assert max(moments) - let_go < 2
    await assert_sound(home, {mod.server: mod.recorded for mod in mods})
    measured(
        f"storage: held for {seconds:.0f} s by another program; {max(moments) - let_go:.2f} s "
        "later every waiting kill began to be acknowledged"
    )


@awaited
async def test_a_daemon_that_cannot_store_is_known_to_run_however_long_that_lasts(
    home: Home,
) -> None:
    """Whoever asks takes a second of silence for long."""
    hasty = ("set:plugin_bridge.daemon:REPORT_SECONDS:0.1", f"set:{STORE}:BUSY_SECONDS:0.2")
    impatient = under("set:plugin_bridge.status:SILENT_SECONDS:1")

    def asked(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *impatient, *words]
        return subprocess.run(
            command, cwd=home.folder, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    await asyncio.to_thread(asked, "backup", "copy")
    with home.serving(*under(*hasty)) as daemon, held(home, 60):
        await asyncio.to_thread(daemon.logged, "database is locked")
        await asyncio.sleep(1.2)
        status = await asyncio.to_thread(asked, "status")
        assert status.returncode == 0, status.stdout
        assert "cannot store since " in status.stdout
        assert "database is locked; another program is writing to it" in status.stdout
        restored = await asyncio.to_thread(asked, "restore", "copy")
        assert restored.returncode == 1
        assert f"another adr-bridge (process {daemon.process.pid}, on host " in restored.stderr
        second = Daemon(home, *impatient)
        assert await asyncio.to_thread(second.process.wait, PATIENCE) == 1
        assert f"another adr-bridge (process {daemon.process.pid}, on host " in second.log
    assert (await asyncio.to_thread(asked, "restore", "copy")).returncode == 0


# ---- troubles of the start

FORBIDDEN = (
    (0o400, "adr.sqlite3", "adr.sqlite3: attempt to write a readonly database"),
    (0o000, "adr.sqlite3", "adr.sqlite3: unable to open database file"),
    (0o000, "adr.sqlite3.lock", "adr.sqlite3.lock: Permission denied"),
    (0o500, ".", "adr.sqlite3: attempt to write a readonly database"),
    (0o000, ".", "adr.sqlite3.lock: Permission denied"),
)


@awaited
async def test_a_daemon_that_may_not_write_its_file_or_folder_says_so_and_can_be_started_later(
    tmp_path: Path,
) -> None:
    home, mod = OnDisk(tmp_path), Survivor()
    home.save(settings().replace("adr.sqlite3", "disk/adr.sqlite3"))
    await asyncio.to_thread(home.add, "survival")
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    for mode, name, words in FORBIDDEN:
        path = home.folder / "disk" / name
        before = path.stat().st_mode
        path.chmod(mode)
        try:
            assert f"{words}; {ACCESS}" in await refused(home, "powerless")
        finally:
            path.chmod(before)
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})


async def refused(home: Home, *misfortunes: str) -> str:
    """The one line that a daemon leaves which does not start."""
    daemon = Daemon(home, *under(*misfortunes))
    assert await asyncio.to_thread(daemon.process.wait, PATIENCE) == 1, daemon.log
    (line,) = daemon.log.splitlines()
    assert line.startswith(f"adr-bridge: {home.database}")
    return line


@awaited
async def test_a_daemon_that_finds_no_room_for_its_database_can_be_started_later(
    tmp_path: Path,
) -> None:
    home, mod = Home(tmp_path), Survivor()
    home.save(settings())
    cast(home, FULL)
    assert "database or disk is full; free some space" in await refused(home, "bewitched")
    await asyncio.to_thread(home.add, "survival")
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})


@awaited
async def test_a_daemon_that_cannot_read_a_rating_does_not_start_without_it(home: Home) -> None:
    mod = Survivor()
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    for table in ("players", "ladders", "pairs", "events"):
        cast(home, f"unreadable {table}")
        assert "disk I/O error; see whether" in await refused(home, "bewitched")
    cast(home)
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})


# ---- reading fails


@awaited
async def test_somebody_whose_rating_cannot_be_read_is_no_new_player(home: Home) -> None:
    mod = Survivor()
    with home.serving(*under("bewitched")) as daemon:
        assert await mod.play(daemon, fights=20)
        async with mod.connected(daemon.url, home.tokens["survival"]):
            own, other = await mod.ask("rank", by="p3"), await mod.ask("rank P3", by="p4")
            assert "rated fights" not in str(own)
            cast(home, "unreadable people", "unreadable best_streak")
            for line in ("rank", "rank P3"):
                await mod.send(
                    {
                        "type": "command",
                        "id": line,
                        "sender": {"id": "p3", "name": "P3"},
                        "words": line.split(),
                        "permissions": list(PLAYER),
                    }
                )
                error = await mod.take("error", id=line)
                assert error["code"] == "unavailable"
            cast(home)
            assert await mod.ask("rank", by="p3") == own
            assert await mod.ask("rank P3", by="p4") == other
            await mod.send(mod.fight())
            await mod.acked(mod.next - 1)
    await assert_sound(home, {"survival": mod.recorded})


@awaited
async def test_a_server_whose_token_cannot_be_read_is_asked_to_come_again(home: Home) -> None:
    mod = Survivor()
    with home.serving(*under("bewitched")) as daemon:
        assert await mod.play(daemon, fights=20)
        cast(home, "unreadable token_hash")
        with pytest.raises(InvalidStatus) as refusal:
            async with mod.connected(daemon.url, home.tokens["survival"]):
                pass
        assert refusal.value.response.status_code == 503
        assert "disk I/O error" in await asyncio.to_thread(daemon.logged, "cannot check a token")
        cast(home)
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})


# ---- stopping meanwhile


@awaited
async def test_a_daemon_told_to_stop_in_trouble_says_in_one_line_why_it_could_not_end_well(
    home: Home,
) -> None:
    mod = Survivor()
    hasty = ("set:plugin_bridge.daemon:REPORT_SECONDS:0.1", f"set:{STORE}:BUSY_SECONDS:1")
    with home.serving(*under(*hasty), code=1) as daemon:
        assert await mod.play(daemon, fights=20)
        with held(home, 30):
            async with mod.connected(daemon.url, home.tokens["survival"]):
                await mod.send(mod.fight())
                await asyncio.to_thread(daemon.logged, WAITING)
            assert await asyncio.to_thread(daemon.end) == 1
    assert "database is locked; another program" in daemon.log.splitlines()[-1]
    with home.serving() as daemon:
        assert await mod.play(daemon, fights=20)
    await assert_sound(home, {"survival": mod.recorded})
