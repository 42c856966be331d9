"""report.md: kills of real servers."""

from __future__ import annotations

import numpy as np

from evaluation import scores
from evaluation.real import Judged, Real, gain
from evaluation.tables import number, table
from evaluation.through_time import NAME

AGAINST = "Elo"
COIN = float(np.log(2.0))


def values_of(found: dict[str, Judged]) -> dict[str, dict[str, float]]:
    """The measures of every system over all servers, the pairs in the same random order for all."""
    size = len(next(iter(found.values())).pooled)
    coins = np.random.default_rng(1).random(size) < 0.5
    return {name: one.values(coins) for name, one in found.items()}


def real_section(
    real: Real, found: dict[str, Judged], settings: dict[str, dict[str, float]]
) -> str:
    values = values_of(found)
    ranked = sorted(found, key=lambda name: values[name]["log loss"])
    chosen = "; ".join(
        f"{name}: " + ", ".join(f"{key} {value:.4g}" for key, value in one.items())
        for name, one in settings.items()
    )
    pace = (
        "Kills of the very same time were put in random order."
        if real.timed
        else "The file has no times: the kills were taken in its order, a minute apart."
    )
    half = len(next(iter(found.values())).pooled)
    return f"""## Kills of real servers

{real.kills} kills of {len(real.servers)} servers, each rated for itself; {real.suicides} suicides
and {real.left_out} kills on servers with too few were left out. {pace} The first half of each
server's kills is for learning, the second quarter for choosing settings (*tuned*), and the second
half, {half} kills, is judged. Nobody knows the true chances, so the only floor to name is that of a
coin: {COIN:.4f}. *{NAME}* has seen all the other kills, later ones included.

{_pooled(found, values, ranked)}

The standard error of the gain over {AGAINST} is that of blocks of judged kills. Settings chosen:
{chosen}.

### Log loss by server

{_by_server(real, found, ranked)}
"""


def _pooled(
    found: dict[str, Judged], values: dict[str, dict[str, float]], ranked: list[str]
) -> str:
    rows = []
    for name in ranked:
        one, (better, error) = values[name], gain(found[name], found[AGAINST])
        compared = "–" if name == AGAINST else f"{better:+.4f} ± {error:.4f}"
        rows.append(
            [
                name,
                number(one["log loss"], 4),
                compared,
                number(one["slope"], 2),
                number(one["recalibrated"], 4),
                number(one["brier"], 4),
                number(one["auc"], 4),
                f"{100 * one['favourite won']:.1f} %",
            ]
        )
    heads = ["", "log loss", f"gain over {AGAINST}", "slope", "recalibrated", "Brier", "AUC"]
    return table([*heads, "favourite won"], rows)


def _by_server(real: Real, found: dict[str, Judged], ranked: list[str]) -> str:
    servers = sorted(real.servers, key=lambda name: -len(real.servers[name]))
    rows = [
        [name, *[number(scores.log_loss(found[name].chances[server]), 4) for server in servers]]
        for name in ranked
    ]
    sizes = [f"{server or 'the server'} ({len(real.servers[server])} kills)" for server in servers]
    return table(["", *sizes], rows)
