"""What a game server's own log tells of: who came and went, who said what, who killed whom.

Pure: lines in, values out. `import` reads old logs with it, `follow` the one being written.

lines    a line as it stands in the file: its clock, and its text without colours
days     from clocks to moments: the day a log begins, midnights, and changed clocks
deaths   the death messages of the game
news     from texts to what happened
people   from names to ids
mobs     killers that are nobody
looks    what teams put around names
shapes   what was not understood, counted by what it looks like
"""
