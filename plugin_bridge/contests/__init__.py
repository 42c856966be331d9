"""Events: timed contests on one game server, rated as a whole when they are over.

charter   the rules of one contest, fixed when it starts
notes     what is written into the log of contests
scoring   from kills and deaths to who took part, places and scores
book      all contests, in memory
clerk     what the log makes of contests: pure
changes   what a run of log entries changed in the book
hearing   whether what happened on a game server must have been told of
referee   starts and ends them, and keeps up with who takes part
notices   what players are told
results   contests from outside: files with scores
"""
