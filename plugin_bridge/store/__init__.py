"""SQLite behind narrow faces. Only `database` speaks to aiosqlite.

log          what happened, append-only: the truth
projection   what follows from it: players, outcomes, ladders, cooldown pairs
contests     what follows from it beside: contests, their standings and ratings
people       names, which change and must be erasable: never in the log
registry     servers and the hashes of their tokens
survey       questions over the whole log, such as how well kills were foretold
history      which amendments of the past are wanted, and which are taken account of
renewal      other ratings, brought in beside those in force and put in their place
health       what the daemon last knew of itself and of the game servers
"""

from plugin_bridge.store.store import Store

__all__ = ["Store"]
