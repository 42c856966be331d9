"""The same arithmetic in C, without memory of pairs, leaving of the active set or rank index."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from array import array
from pathlib import Path

import adr_core
from benchmark import world

SOURCE = Path(__file__).with_name("floor.c")
WINDOW, RECENT, TIERS = 20, 5, 15
FLAGS = ("-O2", "-ffp-contract=off", "-shared", "-fPIC")


class Player(ctypes.Structure):
    _fields_ = (
        *(
            (name, ctypes.c_double)
            for name in ("mu", "sigma", "trend", "pool", "last_event", "promotion", "demotion")
        ),
        ("window", ctypes.c_double * WINDOW),
        ("recent", ctypes.c_double * RECENT),
        *(
            (name, ctypes.c_long)
            for name in ("streak", "events", "tier", "returning", "oldest", "active")
        ),
    )


class Totals(ctypes.Structure):
    """The two sums are 128 bits wide: low half first, as on every machine that has them."""

    _fields_ = (
        ("sigma", ctypes.c_uint64 * 2),
        ("active_mu", ctypes.c_uint64 * 2),
        ("players", ctypes.c_long),
        ("active", ctypes.c_long),
    )


NUMBERS = (
    "mu_0",
    "mu_min",
    "mu_max",
    "sigma_0",
    "sigma_min",
    "sigma_max",
    "gamma",
    "sigma_peak",
    "eta_min",
    "eta_max",
    "rho_s",
    "s_max",
    "rho_v",
    "w_ref",
    "gamma_phi",
    "lambda_phi",
    "c_loss",
    "theta",
    "lambda_",
    "tau",
    "sigma_drift",
    "delta_max",
    "t_return",
    "alpha",
    "lambda_pool",
    "h_req",
    "return_events",
)


class Numbers(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_double) for name in NUMBERS),
        ("boundaries", ctypes.c_double * (TIERS - 1)),
    )


def compiled(folder: Path) -> ctypes.CDLL | str:
    """The library, made by whatever C compiler there is; else why there is none."""
    compiler = shutil.which("cc")
    if compiler is None:
        return "there is no C compiler (cc)"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "floor.so"
    command = [compiler, *FLAGS, "-o", str(target), str(SOURCE), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return ctypes.CDLL(str(target)) if done.returncode == 0 else done.stderr.splitlines()[0]


class Floor:
    """The players of a ladder as C structures."""

    def __init__(self, library: ctypes.CDLL, players: int) -> None:
        p = adr_core.Parameters.consistent()
        crowd = world.states(adr_core, players).players
        self._library = library
        self._index = {name: number for number, (name, _) in enumerate(crowd)}
        self._players = (Player * players)()
        self._numbers = Numbers(*[float(getattr(p, name)) for name in NUMBERS])
        for number, value in enumerate(adr_core.Ladder(p).boundaries):
            self._numbers.boundaries[number] = value
        sigma = active_mu = active = 0
        edge = world.NOW - p.t_active * world.DAY
        for one, (_, state) in zip(self._players, crowd, strict=True):
            for name in ("mu", "sigma", "trend", "last_event", "streak", "events", "tier"):
                setattr(one, name, getattr(state, name))
            one.window[:] = state.window
            one.recent[:] = state.recent
            one.active = state.recent[0] > edge
            sigma += int(state.sigma * 2**40)
            active_mu += int(state.mu * 2**40) * one.active
            active += one.active
        self._totals = Totals(_wide(sigma), _wide(active_mu), players, active)

    def block(self, kills: list[world.Kill]) -> Block:
        return Block(self, kills)

    def run(self, count: int, killers: int, victims: int, times: int, chances: int) -> None:
        pointers = [ctypes.c_void_p(one) for one in (killers, victims, times, chances)]
        self._library.rate_kills(
            self._players,
            ctypes.byref(self._totals),
            ctypes.byref(self._numbers),
            ctypes.c_long(count),
            *pointers,
        )


class Block:
    """Kills, ready to be rated in C."""

    def __init__(self, floor: Floor, kills: list[world.Kill]) -> None:
        self._floor = floor
        self._killers = array("i", [floor._index[a] for a, _, _ in kills])
        self._victims = array("i", [floor._index[b] for _, b, _ in kills])
        self._times = array("d", [time for _, _, time in kills])
        self.chances = array("d", bytes(8 * len(kills)))

    def run(self) -> int:
        addresses = [
            column.buffer_info()[0]
            for column in (self._killers, self._victims, self._times, self.chances)
        ]
        self._floor.run(len(self._times), *addresses)
        return len(self._times)


def _wide(value: int) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * 2)(value & (2**64 - 1), value >> 64)
