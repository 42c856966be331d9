"""What may be wrong with an installation, and what an admin does about it.

findings      one observation, with its cure
examination   looks at everything, in order
machine       this machine: files, rights, disk, clock, port
certificates  that for wss://: until when, and whether it is the one that the daemon shows
crowds        ladders whose players pile up at the bounds of the ratings
links         the daemon, the mods and the game servers, as the daemon left word of them: pure
excerpts      the ends of logs, as text
masking       texts without secrets and addresses: pure
bundle        everything that helps somebody else to help, masked, in one file
"""
