"""report.md: the long runs and the claims."""

from __future__ import annotations

import math
import statistics

from evaluation.claims import AWAY_DAYS, WARM, WATCHED
from evaluation.long import DUELS, NEAR, SHARES, LongRun
from evaluation.tables import Column, measures, number, summary, table

Duels = dict[str, dict[float, tuple[float, float]]]
"""By preset and share won, where the two end."""


def long_section(runs: dict[str, LongRun], duels: Duels) -> str:
    kills = next(iter(runs.values())).snapshots[-1].kills
    return f"""## Long runs

{kills} kills in 100 days of an arena where nothing is injected, one seed. A player counts as being
at a bound within {NEAR:.0f} points of it. *Gain* and *loss* are what a kill gave the killer and
took from the victim, bounds included; *given* is the mean probability given to what happened.

{_ends(runs)}

{_course(runs)}

Two who meet nobody else, {DUELS} fights, by the share that the first one wins:

{_duels(duels)}

### Why the letter of 4.2 fills the bounds

{_paper_words(runs, duels)}

### Why `consistent` inflates

{_consistent_words(runs)}
"""


def _ends(runs: dict[str, LongRun]) -> str:
    rows = []
    for name, run in runs.items():
        last, shots = run.snapshots[-1], run.snapshots
        rows.append(
            [
                name,
                summary([run.first_full()], 0),
                f"{100 * last.bottom:.0f} %",
                f"{100 * last.top:.0f} %",
                number(statistics.fmean(s.gain for s in shots), 2),
                number(statistics.fmean(s.loss for s in shots), 2),
                number(statistics.fmean(s.expected for s in shots), 2),
            ]
        )
    heads = ["", "kills until 10 % are at a bound", "at 0 in the end", "at 4000", "gain", "loss"]
    return table([*heads, "given"], rows)


def _course(runs: dict[str, LongRun]) -> str:
    parts = (0.05, 0.25, 0.5, 1.0)
    rows = []
    for name, run in runs.items():
        shots = [run.snapshots[int(part * len(run.snapshots)) - 1] for part in parts]
        means = [number(shot.mean, 0) for shot in shots]
        rows.append([name, *means, *[number(shot.order, 3) for shot in shots]])
    shown = [f"{100 * part:.0f} %" for part in parts]
    means = [f"mean mu after {part}" for part in shown]
    return table(["", *means, *[f"rank corr. after {part}" for part in shown]], rows)


def _duels(duels: Duels) -> str:
    rows = [
        [name, *[" and ".join(number(mu, 0) for mu in ends[share]) for share in SHARES]]
        for name, ends in duels.items()
    ]
    return table(["", *[f"{100 * share:.0f} %" for share in SHARES]], rows)


def _paper_words(runs: dict[str, LongRun], duels: Duels) -> str:
    bare, decayed = runs["paper, no decay"], runs["paper"]
    last = bare.snapshots[-1]
    even, uneven = duels["paper"][0.50], duels["paper"][0.62]
    best = bare.best_at_bottom()
    tail = (
        f" Players who won up to {100 * best:.0f} % of their events lie at the lower bound."
        if math.isfinite(best)
        else ""
    )
    low, high = f"{100 * last.bottom:.0f} %", f"{100 * last.top:.0f} %"
    end = decayed.snapshots[-1]
    pulled, full = f"{100 * end.top:.0f} %", f"{100 * end.bottom:.0f} %"
    given = statistics.fmean(s.expected for s in bare.snapshots)
    return f"""Say that a player wins the share w of its fights with one opponent, and is given P.
A win brings η(1 − P). A loss costs c·η times what the *winner* had been given, and that is 1 − P
again. The expected change is η(1 − P)·(w − c(1 − w)): ratings change its size and never its sign,
so there is no rating at which it is zero. Whoever wins more than c / (1 + c) = 44.4 % of the fights
with an opponent rises on, whoever wins less sinks on, and where both win more than that both rise.
Two who win half each end at {even[0]:.0f} and {even[1]:.0f}; at 62 to 38 % they end at
{uneven[0]:.0f} and {uneven[1]:.0f}.

In a crowd the factor 1 − P makes the fights against those rated above weigh most, and there one
mostly loses; a kill that was expected costs its victim most (what happened had been given
{given:.2f} on average). So the lower bound fills first and fullest: {low} of the players are there
in the end and {high} at the upper one, and the best rank correlation of the whole run is
{max(s.order for s in bare.snapshots):.3f}.{tail} With the decay of section 5 the upper end is
pulled back towards the mean ({pulled} at 4000) and the lower end stays full ({full})."""


def _consistent_words(runs: dict[str, LongRun]) -> str:
    run = runs["consistent"]
    half = run.snapshots[: len(run.snapshots) // 2]
    gain, loss = (statistics.fmean(getattr(s, what) for s in half) for what in ("gain", "loss"))
    players = len(run.final)
    rate = (half[-1].mean - half[0].mean) / (half[-1].kills - half[0].kills) * 1000.0
    full = f"{100 * run.snapshots[-1].top:.0f} %"
    best = max(s.order for s in run.snapshots)
    whole = runs["consistent, c_loss 1"].snapshots
    plain = runs["consistent, c_loss 1, no streak, no trend"].snapshots
    return f"""Here the victim loses c·η(1 − P), so the sign is right, but only the share c = 0.8 of
what the killer gains is taken from anybody. In the first half of the run a kill gave {gain:.2f}
and took {loss:.2f} ({loss / gain:.2f} of it); {gain - loss:.2f} points per kill for {players}
players are {1000 * (gain - loss) / players:.1f} points per player and 1000 kills, and the mean rose
by {rate:.1f}. Put otherwise: a rating rests where P / (1 − P) = w / (c(1 − w)), which for even
fights is P = {1 / 1.8:.3f} instead of a half; not all can be expected to win more than they do, so
all climb, until the upper bound stops the best ({full} are there in the end). The order suffers
less: the rank correlation is {run.snapshots[-1].order:.3f}, after {best:.3f} at its best.

With c_loss = 1 the mean goes from {whole[0].mean:.0f} to {whole[-1].mean:.0f} in the whole run, and
without streak and trend from {plain[0].mean:.0f} to {plain[-1].mean:.0f}, instead of to
{run.snapshots[-1].mean:.0f}: it is c_loss that makes the inflation."""


CHEATS: list[Column] = [
    ("trading, SD", "trading: rise", 2),
    ("places", "trading: places", 1),
    ("trading fast, SD", "trading fast: rise", 2),
    ("feeding, SD", "feeding: rise", 2),
    ("places", "feeding: places", 1),
    ("fed newcomer, SD", "fed newcomer: peak", 2),
    ("many victims, SD", "many victims: rise", 2),
    ("places", "many victims: places", 1),
]
GUESTS: list[Column] = [
    ("smurf, events to the best tenth", "smurf: events", 0),
    ("champion back, places lost at once", "champion: places lost", 1),
    ("events until back", "champion: events", 0),
    ("impostor, events above the middle", "impostor: events", 0),
]


def claims_section(values: dict[str, dict[str, list[float]]], seeds: int) -> str:
    return f"""## The claims of 7.2 and 7.3

{seeds} seeds; {WARM} fair kills come first, and every system stands behind the cooldown of 2.1.
Mean ± standard deviation over the seeds; a rise is in standard deviations of the ratings, places
are of 100.

*Trading*: two middling accounts kill each other in turn, 100 times each, a minute apart (*fast*:
5 seconds apart). *Feeding*: one of them kills the other {WATCHED} times; *fed newcomer*: a new
account does. A tier is some 6.7 places. *Many victims*: somebody from the upper third kills the
weakest 30 % in turn, {WATCHED} times, and never loses.

{measures(values, CHEATS)}

*Smurf*: a new account of somebody better than all. *Champion*: the third best comes back after
{AWAY_DAYS:.0f} days, as good as before; it is back when within 5 places of where it stood.
*Impostor*: it comes back played by somebody from the lowest fifth.

{measures(values, GUESTS)}
"""
