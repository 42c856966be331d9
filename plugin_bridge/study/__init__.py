"""How good ratings are: systems side by side, how well they foretell kills, and a verdict.

Pure, and without the database: `adr-bridge tune` feeds it the log of a server, `scripts/evaluate`
simulated arenas.

bounds          whether ratings pile up at the lowest and the highest
elo, glicko2    the classic systems
systems         all systems behind one small interface
packages        systems from libraries, which a server need not have
candidates      the settings in force and what stands to choice beside them
contest         several systems through one stream of kills
verdict         which of them is better, and whether that can be told at all
"""
