"""The past: rated again from the log, checked against what is stored, and taken back in parts.

revision   which logged kills no longer count, and what else was taken back: pure
seasons    what the end of a season makes of a ladder: pure
replay     the log, rated again from its first entry
rules      other parameters for a replay
verify     what a replay gives against what is stored, bit for bit
effect     whom another past would move
redo       another past, worked out beside the daemon and put in force at one stroke
historian  takes orders to amend the past, and sees that the ratings follow
"""
