"""Other people's histories: what goes into the database beside the link, and out of it again.

happenings  a kill or death somewhere outside, before it is rated
logs        out of server logs
log_files   the lines of these, and usercache.json
kills_csv   out of a table of kills
tables      the rows of any table, with the place of each value
moments     points in time, as people write them there
entries     whether entries of a log make sense
exported    out of files that `export` wrote
exporting   into such files
packets     happenings as the packets of a mod
recorded    what the database knows already
merging     which of what was read is new
writing     into the database: everything, or nothing
"""
