"""SQLite behind narrow faces. Only `database` speaks to aiosqlite.

log          what happened, append-only: the truth
projection   what follows from it: players, outcomes, ladders, cooldown pairs
past         the same row by row, for whoever compares it with a replay
contests     what follows from it beside: contests, their standings and ratings
seasons      boards of seasons that have ended
fights       the fights of a player, and by which rules they were rated
board        ratings, for programs that do not hold the ladders in memory
people       names, which change and must be erasable: never in the log
erasure      a name erased wherever it stands
registry     servers and the hashes of their tokens
survey       questions over the whole log, such as how well kills were foretold
history      which amendments of the past are wanted, and which are taken account of
renewal      other ratings, brought in beside those in force and put in their place
transfer     whole tables, out of the database and into it
health       what the daemon last knew of itself and of the game servers

Below them:

rows         what is written and read, as values
states       a player's state as columns
writing      how a batch is written
bulk         many rows in few statements
database     one connection: statements and transactions
opening      a database is made or migrated, or refused
schema       the tables, and the way to them from older versions
place        whether the files are still those that were opened
lock         who works with the database
faults       what SQLite complains of, in our own errors
backup       whole copies, made and put back
"""

from plugin_bridge.store.store import Store

__all__ = ["Store"]
