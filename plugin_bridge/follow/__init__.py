"""A mod for game servers that take no mod: it reads the server's log while it is being written.

It keeps to PROTOCOL.md as any other mod does. What it sends it takes from the log alone; what it
can show is what the server's remote console (RCON) lets it say. Labels are out of its reach.

following   what is followed, and where to
places      places in a log, whatever file it is by then
rotated     what was rotated away before it was read
tail        the lines of a log that grows, is rotated, or begins anew
reader      from lines to what the daemon is told: pure
spool       what is not acknowledged yet, and how far the log was read: on disk
spool_file  the file of that, with checksums
salvage     what can be read of such a file, also when it is damaged
backlog     where it begins, and what was written while nobody followed
client      the link to the daemon
heard       what comes back over it: pure
rcon        the remote console of a game server
speech      what the daemon says, as commands of that console: pure
follower    all of it together
"""
