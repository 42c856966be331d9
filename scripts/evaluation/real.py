"""Kills of real servers, out of a CSV file: who foretells them best.

Nobody knows the true chances here, so there is no floor but a coin's. Each server is rated for
itself. The first half of its kills is for learning, settings are chosen by the second quarter, and
the second half is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from evaluation import scores
from evaluation.study import Tick
from evaluation.systems import Maker, makers
from evaluation.through_time import NAME, looked_back
from evaluation.tune import grids
from plugin_bridge.errors import UsageError
from plugin_bridge.importing.moments import read_moment
from plugin_bridge.importing.tables import Row, columns_of, rows_of
from plugin_bridge.study.contest import Fight

COLUMNS = {"killer": "killer", "victim": "victim", "time": "time", "server": "server_id"}
"""Names of the columns unless told otherwise. Time and server need not be there."""

PACE = 60.0
"""Seconds from kill to kill where the file has no times."""

LEAST = 200
"""Kills of a server below which it is left out: nothing could be judged."""

BLOCK = 200
"""Judged kills in a block, from which standard errors are made."""

REPORTED = 10


@dataclass
class Real:
    """servers: the kills of each, in order. suicides: rows that name one player twice.

    left_out: kills on servers with too few. timed: whether the file has times.
    """

    servers: dict[str, list[Fight]]
    suicides: int
    left_out: int
    timed: bool

    @property
    def kills(self) -> int:
        return sum(map(len, self.servers.values()))


@dataclass
class Judged:
    """Of one system: the chances of the judged kills by server, and the slope for them."""

    chances: dict[str, np.ndarray] = field(default_factory=dict)
    lesson: list[np.ndarray] = field(default_factory=list)

    def add(self, server: str, chances: np.ndarray) -> None:
        half, quarter = len(chances) // 2, len(chances) // 4
        self.chances[server] = chances[half:]
        self.lesson.append(chances[quarter:half])

    @property
    def pooled(self) -> np.ndarray:
        return np.concatenate(list(self.chances.values()))

    def values(self, coins: np.ndarray) -> dict[str, float]:
        """The measures over all servers. coins: which kills are shown from the victim's side."""
        given = self.pooled
        slope = scores.fitted_slope(np.concatenate(self.lesson))
        shown = np.where(coins, 1.0 - given, given)
        return {
            "log loss": scores.log_loss(given),
            "slope": slope,
            "recalibrated": scores.log_loss(scores.sharpened(given, slope)),
            "brier": scores.brier(given),
            "auc": scores.auc(shown, ~coins),
            "favourite won": float(((given > 0.5) + 0.5 * (given == 0.5)).mean()),
        }


def read(path: Path, columns: Mapping[str, str]) -> Real:
    """The kills of a file, CSV (comma, semicolon or tab, also packed with gzip) or JSON Lines.

    Kills of a server stay as they are in the file, or go by their times where it has some; those
    of the very same time have no order, and get one by lot. Raises UsageError, naming the lines
    that cannot be understood.
    """
    known = columns_of(path)
    for what in ("killer", "victim"):
        if columns[what] not in known:
            raise UsageError(
                f"{path.name}:1: there is no column `{columns[what]}` for the {what} (there are: "
                f"{', '.join(known)}); name it with --columns {what}=NAME"
            )
    timed, named = columns["time"] in known, columns["server"] in known
    servers: dict[str, list[Fight]] = {}
    faults: list[str] = []
    suicides = 0
    for row in rows_of(path):
        fight = _fight(row, columns, timed=timed)
        if isinstance(fight, str):
            faults.append(f"{path.name}:{row.line}: {fight}")
            if len(faults) == REPORTED:
                break
        elif fight[0] == fight[1]:
            suicides += 1
        else:
            servers.setdefault(row.text(columns["server"]) if named else "", []).append(fight)
    if faults:
        raise UsageError("\n".join(faults))
    found = {name: _ordered(fights, timed=timed) for name, fights in servers.items()}
    large = {name: fights for name, fights in found.items() if len(fights) >= LEAST}
    if not large:
        raise UsageError(f"{path.name}: no server has {LEAST} kills or more; nothing to judge")
    left_out = sum(map(len, found.values())) - sum(map(len, large.values()))
    return Real(large, suicides, left_out, timed)


def _fight(row: Row, columns: Mapping[str, str], *, timed: bool) -> Fight | str:
    """A kill, or what is wrong with it."""
    killer, victim = row.text(columns["killer"]), row.text(columns["victim"])
    for what, player in (("killer", killer), ("victim", victim)):
        if not player:
            return f"`{columns[what]}` is empty"
    try:
        return killer, victim, read_moment(row.text(columns["time"]), None) if timed else 0.0
    except ValueError as error:
        return f"`{columns['time']}`: {error}"


def _ordered(fights: list[Fight], *, timed: bool) -> list[Fight]:
    if not timed:
        return [(one, other, PACE * number) for number, (one, other, _) in enumerate(fights)]
    order = np.random.default_rng(1).permutation(len(fights))
    return sorted((fights[number] for number in order), key=lambda fight: fight[2])


def judged(real: Real, systems: Mapping[str, Maker], tick: Tick) -> dict[str, Judged]:
    """Every system on every server, each kill foretold before it is learnt."""
    found = {name: Judged() for name in systems}
    for name, make in systems.items():
        for server, fights in real.servers.items():
            system = make()
            found[name].add(server, np.array([system.observe(*fight) for fight in fights]))
        tick(name)
    return found


def chosen(real: Real, tick: Tick, *, quick: bool) -> dict[str, tuple[dict[str, float], Maker]]:
    """The settings of every grid that foretell the second quarter best."""
    found: dict[str, tuple[dict[str, float], Maker]] = {}
    for name, grid in grids(quick=quick).items():
        losses = []
        for settings in grid.settings():
            losses.append((_lesson_loss(real, lambda g=grid, s=settings: g.make(**s)), settings))
            tick(f"settings of {name}")
        best = min(losses, key=lambda one: one[0])[1]
        label = name if "tuned" in name else f"{name} tuned"
        found[label] = (best, lambda g=grid, s=best: g.make(**s))
    return found


def _lesson_loss(real: Real, make: Callable[[], object]) -> float:
    given: list[float] = []
    for fights in real.servers.values():
        system = make()
        half = len(fights) // 2
        chances = [system.observe(*fight) for fight in fights[:half]]
        given += chances[len(fights) // 4 :]
    return scores.log_loss(np.array(given))


def steps(*, quick: bool) -> int:
    return (
        len(makers())
        + len(grids())
        + 1
        + sum(len(g.settings()) for g in grids(quick=quick).values())
    )


def all_judged(
    real: Real, tick: Tick, *, quick: bool
) -> tuple[dict[str, Judged], dict[str, dict[str, float]]]:
    """Usual settings, chosen ones, and the one that looks back; and the settings chosen."""
    tuned = chosen(real, tick, quick=quick)
    found = judged(real, makers() | {name: make for name, (_, make) in tuned.items()}, tick)
    found[NAME] = Judged()
    for server, fights in real.servers.items():
        found[NAME].add(server, looked_back(fights))
    tick(NAME)
    return found, {name: settings for name, (settings, _) in tuned.items()}


def gain(one: Judged, other: Judged) -> tuple[float, float]:
    """How much less `one` is surprised by a judged kill, and the standard error by blocks."""
    gains = [
        np.log(scores.clipped(one.chances[server])) - np.log(scores.clipped(other.chances[server]))
        for server in one.chances
    ]
    means = [block.mean() for each in gains for block in _blocks(each)]
    error = float(np.std(means, ddof=1) / np.sqrt(len(means))) if len(means) > 1 else float("nan")
    return float(np.concatenate(gains).mean()), error


def _blocks(values: np.ndarray) -> Sequence[np.ndarray]:
    return np.array_split(values, max(1, len(values) // BLOCK))
