"""The columns in which a table has a packed state."""

from typing import Final

from adr_core.state import FIELDS

STATE: Final = ", ".join(FIELDS).replace("returning", "safeguarded")
"""`returning` is a word of SQL."""
