"""A player's state as columns of a table."""

from typing import Final

from adr_core import PlayerState
from adr_core.state import FIELDS

STATE: Final = ", ".join(FIELDS).replace("returning", "safeguarded")
"""The columns of a state; `returning` is a word of SQL."""

columns_of = PlayerState.packed
state_of = PlayerState.unpacked
