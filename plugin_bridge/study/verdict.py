"""What an admin should make of a contest: an answer, or that there is none yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plugin_bridge.study.candidates import CANDIDATES, CURRENT, Candidate
from plugin_bridge.study.contest import BLOCKS, Score

LEAST = 20 * BLOCKS
"""Counted kills below which blocks are too short to tell anything by: ten judged kills in each."""

SURE = 2.0
"""Standard errors beyond which a difference is taken for one."""

TINY = 0.001
"""A difference in log loss that nobody would notice while playing."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """better: what to change to, if anything. gain, error: how much less surprised the best
    candidate is by a kill than the present settings, and the standard error; 0 without one."""

    text: str
    better: Candidate | None = None
    gain: float = 0.0
    error: float = 0.0


def too_few(kills: int) -> Verdict:
    return Verdict(
        f"Only {kills} kills have counted so far; with less than {LEAST} nothing can be told. "
        "Play on, and ask again later."
    )


def verdict(scores: Mapping[str, Score]) -> Verdict:
    """The answer for the scores of a contest that has `CURRENT` among its systems."""
    rivals = [candidate for candidate in CANDIDATES if candidate.name in scores]
    best = min(rivals, key=lambda one: scores[one.name].log_loss)
    steady = next(one for one in rivals if _as_good(scores[one.name], scores[best.name]))
    gain, error = scores[steady.name].gain(scores[CURRENT])
    told = f"{gain:+.4f} ± {error:.4f} a kill"
    if abs(gain) <= SURE * error:
        text = (
            f"It cannot be told whether `{steady.name}`, the best of the other presets, would "
            f"foretell kills better than your settings ({told}: within chance). There is no "
            "reason to change anything."
        )
        return Verdict(text, None, gain, error)
    if gain < 0.0:
        text = f"Your settings foretell kills best: `{steady.name}` comes next ({told}). Keep them."
        return Verdict(text, None, gain, error)
    if gain < TINY:
        text = (
            f"`{steady.name}` foretells kills better than your settings, but by so little that "
            f"no player would notice ({told}). There is no reason to change anything."
        )
        return Verdict(text, None, gain, error)
    text = f"`{steady.name}` foretells kills better than your settings ({told}, beyond chance)."
    if steady.drifts:
        text += f" But mind that under it {steady.drifts}."
    return Verdict(text, steady, gain, error)


def _as_good(one: Score, best: Score) -> bool:
    """Whether the best of all is not clearly better than this one."""
    gain, error = best.gain(one)
    return gain <= max(SURE * error, TINY)
