"""`adr-bridge tune`: which preset foretells the kills of this server best, on its own log."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.ladders import known_ladder
from plugin_bridge.cli.numbers import positive
from plugin_bridge.cli.opening import reading
from plugin_bridge.cli.output import print_json, print_table
from plugin_bridge.cli.progress import progress_bar
from plugin_bridge.config import Config
from plugin_bridge.config.model import MAIN_LADDER, LadderConfig
from plugin_bridge.errors import UsageError
from plugin_bridge.study.candidates import CURRENT, systems
from plugin_bridge.study.contest import Score, contest, judged
from plugin_bridge.study.verdict import LEAST, Verdict, too_few, verdict

LATEST = 200_000
"""Kills that are looked at unless more are asked for; a minute's work."""
SHOWN_EVERY = 500
"""Kills, after which it is shown how far it is."""

_LEGEND = (
    "log loss: how much a kill surprised, on average. Less is better; a coin has 0.693.\n"
    "against yours: how much less than your settings, ± the standard error.\n"
    "favourite won: how often the killer was the one who was expected to win.\n"
    "Elo, Glicko-2 and others are there to compare with; only presets can be chosen,\n"
    "which are tried with the limits (`pair_limit`, `delta_max`) that you have set."
)


@dataclass(frozen=True, slots=True)
class _Answer:
    """inherited: parameters that hold unless the ladder says otherwise. kills: how many were looked
    at. scores: none where they were too few."""

    ladder: LadderConfig
    inherited: frozenset[str]
    kills: int
    verdict: Verdict
    scores: Mapping[str, Score]

    @property
    def ranked(self) -> list[tuple[str, Score]]:
        return sorted(self.scores.items(), key=lambda one: one[1].log_loss)

    @property
    def lines(self) -> str:
        """The section of config.yml to change to, if any."""
        better = self.verdict.better
        if better is None:
            return ""
        ladder = self.ladder
        return better.lines(ladder.parameters, ladder.given, inherited=self.inherited)

    @property
    def text(self) -> str:
        """The verdict, and what an admin would lose by following it."""
        better, current = self.verdict.better, self.ladder.parameters
        if better is None or not better.unguarded(current, self.ladder.given):
            return self.verdict.text
        return (
            f"{self.verdict.text} It does not limit what one player may win from another, as your "
            "settings do; to keep that, add this to its parameters: "
            f"`pair_limit: {current.pair_limit:g}`."
        )


def add_to(command: Command) -> None:
    """The command and its arguments."""
    parser = command("tune", tune, "which preset suits the kills of this server", output=True)
    parser.add_argument("--ladder", default=None, help="which ladder, where there are several")
    parser.add_argument(
        "--last",
        type=positive,
        default=LATEST,
        metavar="KILLS",
        help=f"look at no more than the latest ({LATEST})",
    )


async def tune(options: Namespace) -> int:
    async with reading(options) as (config, store):
        ladder = _configured(config, await known_ladder(store, options.ladder))
        end = await store.log.end()
        count = await store.survey.count(ladder.name, end=end)
        skip = max(0, count - options.last)
        fights = [fight async for fight in store.survey.kills(ladder.name, end=end, skip=skip)]
    main = config.ladder(MAIN_LADDER)
    inherited = frozenset[str]() if ladder.name == MAIN_LADDER else main.given
    if len(fights) < LEAST:
        answer = _Answer(ladder, inherited, len(fights), too_few(len(fights)), {})
    else:
        with progress_bar("trying them on your kills") as progress:

            def tick(done: int) -> None:
                if done % SHOWN_EVERY == 0:
                    progress(done, len(fights))

            scores = contest(fights, len(fights), systems(ladder.parameters, ladder.given), tick)
        answer = _Answer(ladder, inherited, len(fights), verdict(scores), scores)
    if options.json:
        print_json(_described(answer))
    else:
        _show(answer)
    return 0


def _configured(config: Config, ladder: str) -> LadderConfig:
    try:
        return config.ladder(ladder)
    except KeyError:
        raise UsageError(f"the ladder '{ladder}' is no longer in config.yml") from None


def _described(answer: _Answer) -> dict[str, object]:
    better = answer.verdict.better
    return {
        "ladder": answer.ladder.name,
        "kills": answer.kills,
        "judged": judged(answer.kills) if answer.scores else 0,
        "systems": [
            {
                "system": name,
                "log_loss": score.log_loss,
                "gain": score.gain(answer.scores[CURRENT])[0],
                "standard_error": score.gain(answer.scores[CURRENT])[1],
                "favourite_won": score.right,
            }
            for name, score in answer.ranked
        ],
        "verdict": answer.text,
        "change_to": better.name if better else None,
        "rating": answer.lines or None,
    }


def _show(answer: _Answer) -> None:
    if answer.scores:
        seen = f"{answer.kills} kills that counted, judged by the last {judged(answer.kills)}"
        print_table(
            ("system", "log loss", "against yours", "favourite won"),
            [_row(name, score, answer.scores[CURRENT]) for name, score in answer.ranked],
            title=f"Ladder {answer.ladder.name}: {seen}",
        )
        print(_LEGEND, end="\n\n")
    print(answer.text)
    if answer.lines:
        name = answer.ladder.name
        where = "" if name == MAIN_LADDER else f" for `{name}` under `ladders`"
        print(f"\nTo change to it, make this the `rating` section{where} in config.yml:\n")
        print(answer.lines, end="")


def _row(name: str, score: Score, current: Score) -> tuple[str, ...]:
    gain, error = score.gain(current)
    compared = "" if name == CURRENT else f"{gain:+.4f} ± {error:.4f}"
    return name, f"{score.log_loss:.4f}", compared, f"{100 * score.right:.1f} %"
