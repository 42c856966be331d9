"""What can go wrong, as one tree.

::

    ValueError
    └── RatingError              everything this package raises on purpose
        ├── ParameterError       a parameter breaks its rule; has .field, .value and .rule
        ├── EventError           a kill, a time or a player id that cannot be meant
        ├── StateError           a stored state that no ladder can have written
        └── UnknownPlayerError   nobody by that id is tracked; also a KeyError

Whoever catches one of these may rely on the ladder being exactly as it was before the call.
"""

from __future__ import annotations


class RatingError(ValueError):
    """Anything this package refuses."""


class ParameterError(RatingError):
    """A parameter that breaks its rule, with the three facts an operator needs to mend it."""

    def __init__(self, field: str, value: object, rule: str) -> None:
        super().__init__(f"{field} = {value!r}: {rule}")
        self.field = field
        self.value = value
        self.rule = rule


class EventError(RatingError):
    """An event that cannot be meant: a suicide as a kill, an empty id, a time that is no time."""


class StateError(RatingError):
    """A stored state that contradicts itself or the parameters it is loaded under."""


class UnknownPlayerError(RatingError, KeyError):
    """Nobody by that id has taken part in a counted kill."""

    def __init__(self, player: object) -> None:
        super().__init__(f"no counted kill has had the player {player!r} in it")
        self.player = player

    def __str__(self) -> str:
        return str(self.args[0])
