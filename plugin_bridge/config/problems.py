"""What is wrong with a settings file, said so that it can be mended without asking anybody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from plugin_bridge.errors import BridgeError

_LONGEST_EXCERPT: Final = 120
_MOST: Final = 100
"""More problems than these help nobody: it is another file, or a habit that is known by now."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend. `line` and `column` count from 1; 0 where the whole file is meant."""

    file: str
    line: int
    column: int
    text: str
    """The offending line as it stands in the file."""
    message: str
    suggestion: str | None = None
    """What was probably meant, ready to be pasted in."""

    @property
    def headline(self) -> str:
        """Place, message and suggestion in one line."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        hint = f"; did you mean `{self.suggestion}`?" if self.suggestion else ""
        return f"{place}: {self.message}{hint}"

    def __str__(self) -> str:
        excerpt = self._excerpt()
        return f"{self.headline}\n    {excerpt}" if excerpt else self.headline

    def _excerpt(self) -> str:
        """The line, or of a long one what is around the column."""
        if len(self.text) <= _LONGEST_EXCERPT:
            return self.text.strip()
        start = max(0, self.column - _LONGEST_EXCERPT // 2)
        end = start + _LONGEST_EXCERPT
        before, after = "… " if start else "", " …" if end < len(self.text) else ""
        return before + self.text[start:end].strip() + after


class ConfigError(BridgeError):
    """A settings file that cannot be used; `problems` holds everything that was found at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        # Rules shared by several ladders are checked for each, and fail alike.
        distinct = dict.fromkeys(problems)
        self.problems = tuple(sorted(distinct, key=lambda found: (found.line, found.column)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def note(found: list[Problem], problem: Problem) -> None:
    """Adds a problem to those found. Raises ConfigError when there are so many that they will do.

    So the work and the memory that a hopeless file takes have an end.
    """
    found.append(problem)
    if len(found) == _MOST:
        raise ConfigError([Problem(problem.file, 0, 0, "", f"{_MOST} problems or more"), *found])


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one most likely stands for."""
    near = get_close_matches(word.strip().lower().replace("-", "_"), sorted(known), n=1)
    return near[0] if near else None
