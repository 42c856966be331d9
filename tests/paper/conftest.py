"""The stage: the plugin built by Maven, the daemon, the bridge in a JVM, a wire that breaks."""

import json
import os
import selectors
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "plugin_bridge" / "mods" / "paper"
PATIENCE = 30
T = TypeVar("T")


def tool(name: str) -> str:
    """The path of a program; without it the test is skipped, or in CI fails."""
    path = shutil.which(name)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return path


def until(what: Callable[[], T], *, patience: float = PATIENCE) -> T:
    """Waits until something is true, and returns it."""
    end = time.monotonic() + patience
    while not (value := what()):
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.02)
    return value


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def maven(target: Path, *arguments: str) -> None:
    """Runs Maven on the module with a target folder of its own."""
    command = [tool("mvn"), "-q", "-B", f"-Dtarget.dir={target}", *arguments, "package"]
    done = subprocess.run(command, cwd=MODULE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that Maven has built into."""
    folder = tmp_path_factory.mktemp("maven")
    maven(folder, "-DskipTests")
    return folder


class Process:
    """A child whose lines of output are collected as they come."""

    def __init__(self, command: list[str], **options: object) -> None:
        self.child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            bufsize=1,
            **options,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.lines.append(line.rstrip("\n"))

    def tell(self, *lines: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write("".join(line + "\n" for line in lines))
        self.child.stdin.flush()

    def heard(self, words: str) -> int:
        return sum(words in line for line in list(self.lines))

    def wait_for(self, words: str, *, times: int = 1, patience: float = PATIENCE) -> str:
        try:
            until(lambda: self.heard(words) >= times, patience=patience)
        except AssertionError:
            raise AssertionError(f"no '{words}' among {self.lines[-30:]}") from None
        return next(line for line in reversed(self.lines) if words in line)

    def kill(self) -> None:
        """As a power cut would."""
        self.child.send_signal(signal.SIGKILL)
        self._done()

    def stop(self, *, how: int = signal.SIGTERM) -> None:
        if self.child.poll() is None:
            self.child.send_signal(how)
        self._done()

    def end_of_input(self) -> None:
        assert self.child.stdin is not None
        self.child.stdin.close()
        self._done()

    def _done(self) -> None:
        try:
            self.child.wait(PATIENCE)
        finally:
            self.child.kill()
            self.child.wait()
            self._reader.join(PATIENCE)
            for stream in (self.child.stdin, self.child.stdout):
                try:
                    if stream is not None:
                        stream.close()
                except OSError:
                    pass


class Daemon:
    """The real daemon, which can be stopped, killed and started again over the same data."""

    def __init__(self, folder: Path, extra: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.port = free_port()
        self.config = folder / "config.yml"
        self.database = folder / "data" / "adr.sqlite3"
        self.configure("127.0.0.1", extra)
        self.process: Process | None = None

    def configure(self, host: str, extra: str) -> None:
        self.config.write_text(
            f"listen:\n  host: {host}\n  port: {self.port}\n{extra}"
            f"storage: {{database: {self.database}}}\n",
            encoding="utf-8",
        )

    def command(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "plugin_bridge", *arguments, "--config", str(self.config)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def token(self, name: str) -> str:
        return str(json.loads(self.command("server", "add", name, "--json"))["token"])

    def start(self) -> Process:
        command = [sys.executable, "-m", "plugin_bridge", "serve", "--config", str(self.config)]
        self.process = Process(command, cwd=ROOT)
        self.process.wait_for("ready")
        return self.process

    def stop(self) -> None:
        if self.process is not None:
            self.process.stop()
            self.process = None

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process = None

    def ask(self, query: str) -> list[tuple[object, ...]]:
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as database:
            rows = database.execute(query).fetchall()
        database.close()
        return rows

    def weapons(self) -> list[str]:
        """What every rated kill was done with."""
        return [
            str(weapon)
            for (weapon,) in self.ask(
                "SELECT weapon FROM events JOIN outcomes USING (position) WHERE kind = 'kill'"
            )
        ]


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    daemon = Daemon(tmp_path / "daemon")
    yield daemon
    daemon.stop()


class Wire:
    """A stretch of network between bridge and daemon that can be cut or go silent."""

    def __init__(self, port: int) -> None:
        self.to = port
        self.port = free_port()
        self.silent = False
        self.cuts = 0
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._listener.setblocking(False)
        self._cut = False
        self._ended = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Breaks the connection, once there is one."""
        until(lambda: self._pairs)
        self._cut = True
        until(lambda: not self._cut)

    def end(self) -> None:
        self._ended = True
        self._thread.join(PATIENCE)
        self._listener.close()

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            while not self._ended:
                for key, _ in selector.select(0.02):
                    if key.fileobj is self._listener:
                        self._accept(selector)
                    elif key.fileobj in self._pairs:
                        self._carry(selector, key.fileobj)
                if self._cut:
                    self._cut_all(selector)
                    self._cut = False
            self._cut_all(selector)

    def _accept(self, selector: selectors.BaseSelector) -> None:
        near, _ = self._listener.accept()
        try:
            far = socket.create_connection(("127.0.0.1", self.to), timeout=5)
        except OSError:
            near.close()
            return
        for one, other in ((near, far), (far, near)):
            one.settimeout(5)
            self._pairs[one] = other
            selector.register(one, selectors.EVENT_READ)

    def _carry(self, selector: selectors.BaseSelector, source: socket.socket) -> None:
        try:
            data = source.recv(65536)
            if data and not self.silent:
                self._pairs[source].sendall(data)
        except OSError:
            data = b""
        if not data:
            self._close(selector, source)

    def _cut_all(self, selector: selectors.BaseSelector) -> None:
        for one in list(self._pairs):
            if one in self._pairs:
                self.cuts += 1
                self._close(selector, one)

    def _close(self, selector: selectors.BaseSelector, one: socket.socket) -> None:
        for end in (one, self._pairs[one]):
            selector.unregister(end)
            del self._pairs[end]
            end.close()


@pytest.fixture
def wire(daemon: Daemon) -> Iterator[Wire]:
    wire = Wire(daemon.port)
    yield wire
    wire.end()


@pytest.fixture
def bridge(target: Path, tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts the real bridge in a JVM of its own, which is told lines instead of a game."""
    started: list[Process] = []

    def start(url: str, token: str, *certificate: Path, spool: int = 1 << 26) -> Process:
        classes = os.pathsep.join([str(target / "classes"), str(target / "test-classes")])
        process = Process(
            [
                *(tool("java"), "-Xmx256m", f"-Dspool={spool}", "-Dfile.encoding=ISO-8859-1"),
                *("-cp", classes, "adr.bridge.Gameless", url, token),
                *(str(tmp_path / "plugins" / "AdrBridge"), *map(str, certificate)),
            ]
        )
        started.append(process)
        process.wait_for("started")
        return process

    yield start
    for process in started:
        process.stop(how=signal.SIGKILL)
