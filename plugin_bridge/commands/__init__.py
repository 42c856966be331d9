"""What players and admins type in the game. A new command word belongs in `dispatch`."""

from plugin_bridge.commands.dispatch import answer
from plugin_bridge.commands.question import Question

__all__ = ["Question", "answer"]
