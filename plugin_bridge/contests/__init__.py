"""Events: timed contests on one game server, rated as a whole when they are over.

charter   the rules of one contest, fixed when it starts
scoring   from kills and deaths to places and scores
book      what the log makes of contests: pure
changes   what a run of log entries changed in the book
referee   starts and ends them, and keeps up with who takes part
notices   what players are told
results   contests from outside: files with scores
"""
