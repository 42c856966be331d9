"""report.md: the tables, with the words they need."""

from __future__ import annotations

from evaluation import toy
from evaluation.study import TRUTH, Study
from evaluation.tables import Column, measures, number, table
from evaluation.through_time import NAME
from evaluation.tune import LEARNING_SEEDS, Choice

PREDICTION: list[Column] = [
    ("log loss", "log loss", 4),
    ("above truth", "excess", 4),
    ("slope", "slope", 2),
    ("above truth, recalibrated", "recalibrated excess", 4),
    ("Brier", "brier", 4),
    ("AUC", "auc", 4),
    ("RMS error of the chance", "rms error", 4),
]
RATING: list[Column] = [
    ("rank corr. at end of training", "rank correlation", 3),
    ("events to 0.8", "events to 0.8", 0),
    ("events to 0.9", "events to 0.9", 0),
    ("events after a jump", "jump delay", 0),
    ("farm, places of 100", "farm places", 1),
    ("farm, SD", "farm rise", 2),
]
RETURN: list[Column] = [
    ("strong, all", "strong return", 3),
    ("strong, kill alone", "strong return by kill", 3),
    ("weak, all", "weak return", 3),
    ("weak, kill alone", "weak return by kill", 3),
]
PLAIN_TIERS: list[Column] = [
    ("changes per 100 events", "tier changes", 2),
    ("tiers off", "tier error", 2),
    ("distance to p_k", "tier distance", 3),
]
OWN_TIERS: list[Column] = [
    ("changes per 100 events", "own tier changes", 2),
    ("tiers off", "own tier error", 2),
    ("distance to p_k", "own tier distance", 3),
]


def figures(names: list[str]) -> str:
    return "\n".join(f"![{name}]({name})" for name in names)


def toy_section(
    paths: dict[str, list[float]], readings: list[tuple[toy.Reading, str, float, float]]
) -> str:
    rows = [
        [name, number(toy.rise(path), 2), number(toy.largest_step(path), 2)]
        for name, path in paths.items()
    ]
    for row in rows:
        row.append(number(toy.PUBLISHED.get(row[0], float("nan")), 2))
    held = [
        [
            preset,
            f"{reading.days:.0f}",
            str(reading.crowd),
            "yes" if reading.fixed else "no",
            number(rise, 2),
            number(step, 2),
        ]
        for reading, preset, rise, step in readings
    ]
    heads = ["ADR preset", "days away", "others at 1000", "opponent fixed", "rise", "largest step"]
    return f"""## The returning player of 10.6

{table(["", "rise after 50 wins", "largest step", "published rise"], rows)}

Elo (K = 32) and TrueSkill (25 against a fixed 40, the package's settings) follow from the text.
The published Glicko-2 number is that of a new 1500 (deviation 350) against a fixed 2000 (deviation
100); a player at 1000, as the text has it, would rise by 1572. ADR's 1197.93 does not follow from
the text, under any of these readings:

{table(heads, held)}

With nobody else the absence alone lifts the player: the mean it decays towards is 1500.
With exactly 60 days the safeguards of section 8 do not act, since they ask for more.
"""


def stream_section(study: Study) -> str:
    setting = study.setting
    columns: list[Column] = [
        ("log loss", "log loss", 4),
        ("above truth", "excess", 4),
        ("AUC", "auc", 4),
    ]
    return f"""## The stream of 10.7

{setting.players} players and {setting.kills} kills, as in the paper, on {len(study.seeds)} seeds;
the second half is judged. The paper publishes no numbers, only that Elo, Glicko-2 and TrueSkill had
a slightly lower log loss than ADR, at about the same AUC. Figure 3 shows means over the seeds.

{measures(study.values, columns)}

{{figures}}
"""


def arena_section(study: Study) -> str:
    setting, values = study.setting, study.values
    entropy = values[TRUTH]["entropy"]
    floor = number(sum(entropy) / len(entropy), 4)
    return f"""## The simulated arena of 10.4

{len(study.seeds)} seeds, {setting.players} players, {setting.kills} kills in
{setting.days:.0f} days ({setting.link} link). The first half is training, the second is test;
everybody goes on learning, and every prediction is made before its kill is learnt. Mean ± standard
deviation over the seeds. Staged kills are not scored. *Truth* knows every true chance: it is the
entropy floor (the expected log loss of the truth is {floor}), and nobody can be expected to do
better. *Slope* is the factor on the log odds that suits the training part best: below 1 a system
was too sure of itself, above 1 too timid. All systems have their usual settings here.
*{NAME}* gives each kill the probability that follows from all the others, also from later ones: no
competitor, but what could be known with hindsight ({_hindsight(study)} seeds, for it is slow).

### Prediction

{measures(values, PREDICTION)}

OpenSkill's package predicts with a normal curve what it learns with a logistic one of the same
width, which explains much of its slope; recalibrated it is like the others.

### Ratings

Events are those of a mean player, or of the player whose skill jumped by {setting.jump:.0f} until
half of the way to its new standing is behind it. A farm is up to {setting.farmed} staged kills just
outside the cooldown between two accounts: what it brings the farmer in places (of 100) and in
standard deviations of the ratings.

{measures(values, RATING)}

### The greatest visible change after an absence

Largest change of the shown rating at one of the first 50 events after 62 % of the time away, in
standard deviations of the ratings; *strong* players come back {setting.strong_gain:.0f} better,
*weak* ones {setting.weak_loss:.0f} worse. *Kill alone* leaves out the decay of section 5, which
ADR applies at the first event and which the cap of 8.4 does not cover.

{measures(values, RETURN)}

### Tiers

15 tiers, boundaries moved once a day as of 6.3 and, for everybody alike, without the accumulators
of 6.4. *Tiers off* is the mean distance to the tier that true skill deserves. *Distance to p_k* is
the total variation between the shares of the tiers and equal ones.

{measures(values, PLAIN_TIERS)}

With its own accumulators:

{measures(values, OWN_TIERS)}

{{figures}}
"""


def _hindsight(study: Study) -> int:
    return len(study.values.get(NAME, {}).get("log loss", []))


def links_section(studies: dict[str, Study]) -> str:
    columns: list[Column] = [
        ("log loss", "log loss", 4),
        ("above truth", "excess", 4),
        ("slope", "slope", 2),
        ("above truth, recalibrated", "recalibrated excess", 4),
        ("AUC", "auc", 4),
    ]
    parts = [
        f"### {link}, {len(study.seeds)} seeds\n\n{measures(study.values, columns)}"
        for link, study in studies.items()
    ]
    return (
        "## Other links\n\nThe generator favours whoever shares its link: Elo and Glicko-2 the"
        " logistic one, TrueSkill the probit, ADR the arctangent. All have the same slope between"
        " equals.\n\n" + "\n\n".join(parts) + "\n"
    )


def tuned_section(choices: dict[str, Choice], study: Study, learning: int) -> str:
    rows = []
    for name, choice in choices.items():
        settings = ", ".join(f"{key} {value:.4g}" for key, value in choice.settings.items())
        losses = [loss for _, loss in choice.losses]
        rows.append([name, settings, number(min(losses), 4), number(max(losses), 4)])
    return f"""## Tuned systems

The settings below predicted best (log loss) on {learning} other streams, of seeds from
{LEARNING_SEEDS + 1}; then everything is measured again on {len(study.seeds)} seeds. *ADR tuned*
begins with `consistent`; it is a candidate and no preset. The grids are small (results.json, under
"tried"): where the value chosen is the last that was tried, there may be better ones beyond.

{table(["", "chosen", "best log loss", "worst of the grid"], rows)}

### Prediction

{measures(study.values, PREDICTION)}

### Ratings

{measures(study.values, RATING)}

### The greatest visible change after an absence

{measures(study.values, RETURN)}

### Tiers, without and with the accumulators of ADR

{measures(study.values, PLAIN_TIERS)}

{measures(study.values, OWN_TIERS)}
"""
