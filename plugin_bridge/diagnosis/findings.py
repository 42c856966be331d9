"""One observation about an installation, with its cure."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`cure`: what to do; empty only where all is well."""

    subject: str
    state: State
    words: str
    cure: str = ""


def ok(subject: str, words: str) -> Finding:
    return Finding(subject, "ok", words)


def warning(subject: str, words: str, cure: str) -> Finding:
    return Finding(subject, "warning", words, cure)


def bad(subject: str, words: str, cure: str) -> Finding:
    return Finding(subject, "bad", words, cure)
