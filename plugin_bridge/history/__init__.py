"""The past: rated again from the log, checked against what is stored, and taken back in parts.

amendments  what an admin can want of the past: pure
revision    what follows from all amendments: which kills count, and who is who: pure
steps       what is kept of each kill, and why a rating moved by so much: pure
between     what other than fights has moved a rating: pure
story       the fights of a player, and what else moved the rating, as read for telling
seasons     what the end of a season makes of a ladder: pure
replay      the log, rated again from its first entry: pure
tally       what a whole log has changed: pure
rules       other parameters for a replay
comparison  rows stored and replayed, and where they differ: pure
verify      what a replay gives against what is stored, bit for bit
effect      whom another past would move
redo        another past, worked out in a process of its own
worker      that process: begun, listened to, and ended
successor   what that made of the ladders, kept up with the log until it is put in force
historian   takes orders to amend the past, and sees that the ratings follow
"""
