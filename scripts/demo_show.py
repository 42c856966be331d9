"""Runs the demo: starts the processes and shows what the database says, until it is stopped."""

import argparse
import asyncio
import io
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from demo_screen import Feed, screen
from rich.console import Console
from rich.live import Live

from plugin_bridge.config import Config, load_config
from plugin_bridge.errors import StoreError
from plugin_bridge.store import Store

ROOT = Path(__file__).resolve().parents[1]
ARENA = ROOT / "tests" / "e2e" / "arena.js"
WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Would make the picture fetch a font from the net."""
START_SECONDS = 60.0
SETTINGS = """
listen: {{port: {daemon_port}}}
servers: [{{name: arena, address: "127.0.0.1:{game_port}"}}]
# Everything happens faster here than on a real server, so that there is something to see.
rating:
  preset: consistent
  parameters: {{t_cooldown: 2s, n_min: 6, sigma_place: 200, h_req: 60, p_min: 5}}
calibration: {{interval: 10s}}
"""


@contextmanager
def child(command: list[str], folder: Path, log: Path) -> Iterator[subprocess.Popen[str]]:
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
        try:
            yield process
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


async def until_ready(process: subprocess.Popen[str], log: Path) -> None:
    """Waits for the line that says so. Exits with the process's own words if it never comes."""
    assert process.stdout is not None
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        line = await asyncio.to_thread(process.stdout.readline)
        if "ready" in line:
            return
        if not line:
            break
    sys.exit(f"the demo could not start:\n{log.read_text(encoding='utf-8')[-2000:]}")


async def listen(process: subprocess.Popen[str], said: deque[str]) -> None:
    """Collects the chat that the arena's spectator sees."""
    assert process.stdout is not None
    while line := await asyncio.to_thread(process.stdout.readline):
        if line.startswith("chat "):
            said.append(line.removeprefix("chat ").strip())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def new_token(adr: list[str], folder: Path) -> str:
    added = subprocess.check_output([*adr, "server", "add", "arena", "--json"], cwd=folder)
    return str(json.loads(added)["token"])


async def main(options: argparse.Namespace) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="adr-demo-")))
        daemon_port, game_port = free_port(), free_port()
        settings = folder / "config.yml"
        text = SETTINGS.format(daemon_port=daemon_port, game_port=game_port)
        settings.write_text(text, encoding="utf-8")
        adr = [sys.executable, "-m", "plugin_bridge"]
        token = new_token(adr, folder)
        daemon = stack.enter_context(child([*adr, "serve"], folder, folder / "daemon.log"))
        await until_ready(daemon, folder / "daemon.log")
        print("The daemon is up. Starting the game server and the bots ...", flush=True)
        command = ["node", str(ARENA), "--port", str(game_port)]
        command += ["--url", f"ws://127.0.0.1:{daemon_port}/", "--token", token]
        command += ["--bots", str(options.bots)]
        arena = stack.enter_context(child(command, folder, folder / "arena.log"))
        await until_ready(arena, folder / "arena.log")
        await show(options, load_config(settings), arena)


async def show(options: argparse.Namespace, config: Config, arena: subprocess.Popen[str]) -> None:
    said: deque[str] = deque(maxlen=3)
    feed = Feed()
    listening = asyncio.create_task(listen(arena, said))
    store = await Store.read_only(config.storage.database)
    end = time.monotonic() + options.seconds
    view = screen(config, [], feed, said)
    try:
        with Live(view, refresh_per_second=4) as live:
            while time.monotonic() < end and arena.poll() is None:
                with suppress(StoreError):
                    await feed.follow(store)
                    standings = await store.board.top("main", options.bots)
                    view = screen(config, standings, feed, said)
                live.update(view)
                await asyncio.sleep(0.25)
    finally:
        await store.close()
        listening.cancel()
        if options.picture:
            recording = Console(record=True, width=112, file=io.StringIO())
            recording.print(view)
            svg = recording.export_svg(title="scripts/demo")
            options.picture.write_text(WEB_FONT.sub("", svg), encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/demo")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end by itself")
    parser.add_argument("--bots", type=int, default=6, choices=range(2, 21), metavar="N")
    parser.add_argument("--picture", type=Path, help="save the last screen as an SVG file")
    return parser.parse_args()


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    with suppress(KeyboardInterrupt):
        asyncio.run(main(arguments()))
