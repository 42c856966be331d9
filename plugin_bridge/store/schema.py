"""Tables, and the steps from each older version of them to the newest."""

APPLICATION_ID = 0x41445242
"""Marks the file as ours in SQLite's header ("ADRB")."""

_FIRST = """
CREATE TABLE lanes (
    lane    INTEGER PRIMARY KEY,
    server  TEXT NOT NULL,          -- '' is the daemon itself
    spool   TEXT NOT NULL,
    UNIQUE (server, spool)
) STRICT;

CREATE TABLE events (
    position INTEGER PRIMARY KEY,   -- 1, 2, 3, ... in the order of arrival
    lane     INTEGER NOT NULL REFERENCES lanes,
    seq      INTEGER NOT NULL,      -- as the lane's writer numbered it
    kind     TEXT NOT NULL,         -- kill, death, rejected, calibrate, parameters, contest_...
                                    -- and amendments: exclude, undo, merge, place, season, ...
    time     REAL NOT NULL,         -- when it happened, seconds since 1970
    received REAL NOT NULL,         -- when the daemon took it
    ladder   TEXT,                  -- null: it is not rated
    killer   TEXT,
    victim   TEXT,
    cause    TEXT,
    weapon   TEXT,
    world    TEXT,
    detail   TEXT,                  -- parameters as JSON, or the rejected packet
    UNIQUE (lane, seq)
) STRICT;

CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
CREATE TRIGGER events_are_never_replaced BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE position >= NEW.position)
  OR EXISTS (SELECT 1 FROM events WHERE lane = NEW.lane AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;

CREATE TABLE outcomes (
    position      INTEGER PRIMARY KEY REFERENCES events,
    reason        TEXT,             -- why it did not count; null: it counted
    probability   REAL,
    killer_before REAL,             -- ratings
    killer_after  REAL,
    victim_before REAL,
    victim_after  REAL
) STRICT;

CREATE TABLE players (
    ladder      TEXT NOT NULL,
    player      TEXT NOT NULL,
    mu          REAL NOT NULL,
    sigma       REAL NOT NULL,
    streak      INTEGER NOT NULL,
    trend       REAL NOT NULL,
    pool        REAL NOT NULL,
    events      INTEGER NOT NULL,
    last_event  REAL,
    safeguarded INTEGER NOT NULL,   -- events still under the safeguards of a return
    tier        INTEGER,
    promotion   REAL NOT NULL,
    demotion    REAL NOT NULL,
    window      BLOB NOT NULL,      -- doubles, little-endian
    recent      BLOB NOT NULL,      -- doubles, little-endian
    kills       INTEGER NOT NULL,
    deaths      INTEGER NOT NULL,
    best_streak INTEGER NOT NULL,
    PRIMARY KEY (ladder, player)
) STRICT, WITHOUT ROWID;

CREATE TABLE ladders (
    ladder     TEXT PRIMARY KEY,
    parameters TEXT NOT NULL,       -- JSON
    clock      REAL,
    boundaries BLOB NOT NULL        -- doubles, little-endian
) STRICT;

CREATE TABLE pairs (
    ladder   TEXT NOT NULL,
    killer   TEXT NOT NULL,
    victim   TEXT NOT NULL,
    time     REAL NOT NULL,
    position INTEGER NOT NULL,      -- of the counted kill: the order of arrival
    PRIMARY KEY (ladder, killer, victim)
) STRICT, WITHOUT ROWID;
CREATE INDEX pairs_by_arrival ON pairs (ladder, position);

CREATE TABLE people (
    player TEXT PRIMARY KEY,
    name   TEXT NOT NULL,
    folded TEXT NOT NULL,           -- without regard to letter case
    loose  TEXT NOT NULL,           -- nor to prefixes, spaces and underscores
    seen   REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX people_by_folded ON people (folded);
CREATE INDEX people_by_loose ON people (loose);

CREATE TABLE servers (
    server     TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    created    REAL NOT NULL
) STRICT;

CREATE TABLE health (
    subject TEXT PRIMARY KEY,       -- '' is the daemon, else a game server
    detail  TEXT NOT NULL,          -- JSON
    seen    REAL NOT NULL
) STRICT;
"""

_FLOW = """
-- what lately went from the victim to the killer, as the ladder counts it, at that time
ALTER TABLE pairs ADD COLUMN flow REAL NOT NULL DEFAULT 0;
"""

_CONTESTS = """
ALTER TABLE events ADD COLUMN contest INTEGER;  -- the contest that it belongs to

CREATE TABLE contests (
    contest  INTEGER PRIMARY KEY,   -- 1, 2, 3, ...
    ladder   TEXT NOT NULL,
    server   TEXT NOT NULL,
    name     TEXT NOT NULL,         -- may be empty
    started  REAL NOT NULL,
    ends     REAL NOT NULL,         -- when its time is over
    ended    REAL,                  -- null: it is running
    position INTEGER,               -- of the entry that ended it: the order of rating
    state    TEXT NOT NULL,         -- running, rated, unrated, cancelled, void
    rules    TEXT NOT NULL          -- JSON
) STRICT;

CREATE TABLE contest_standings (
    contest  INTEGER NOT NULL REFERENCES contests,
    player   TEXT NOT NULL,
    kills    INTEGER NOT NULL,
    deaths   INTEGER NOT NULL,
    out      REAL,                  -- since when the player is out of it
    place    INTEGER,               -- from here on null: not rated (yet)
    score    REAL,
    contests INTEGER,               -- played before
    before   REAL,                  -- ratings
    after    REAL,
    expected REAL,
    raw      REAL,
    PRIMARY KEY (contest, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX contests_by_player ON contest_standings (player, contest);

CREATE TABLE contest_ratings (
    ladder   TEXT NOT NULL,
    player   TEXT NOT NULL,
    rating   REAL NOT NULL,
    contests INTEGER NOT NULL,
    PRIMARY KEY (ladder, player)
) STRICT, WITHOUT ROWID;
"""

_HISTORY = """
CREATE TABLE orders (               -- amendments of the past that an admin wants
    number INTEGER PRIMARY KEY,     -- 1, 2, 3, ...: their `seq` in a lane of their own of the log
    made   REAL NOT NULL,
    detail TEXT NOT NULL            -- JSON
) STRICT;

CREATE TABLE revision (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    revised INTEGER NOT NULL        -- the last amendment in the log that all ratings go by
) STRICT;
INSERT INTO revision (one, revised) VALUES (1, 0);
"""

_STEPS = """
ALTER TABLE outcomes ADD COLUMN steps BLOB;  -- what made the change of each: see history.steps
"""

_SEASONS = """
CREATE TABLE seasons (
    season INTEGER PRIMARY KEY,     -- the log position of its end
    ladder TEXT NOT NULL,
    name   TEXT NOT NULL,
    ended  REAL NOT NULL,
    kept   REAL NOT NULL,           -- of each distance from the starting rating; 0: all began anew
    tiers  TEXT NOT NULL            -- their names at that time, JSON, the best first
) STRICT;

CREATE TABLE season_places (
    season      INTEGER NOT NULL REFERENCES seasons,
    player      TEXT NOT NULL,
    place       INTEGER NOT NULL,
    rating      REAL NOT NULL,
    uncertainty REAL NOT NULL,
    tier        INTEGER,
    kills       INTEGER NOT NULL,   -- in this season
    deaths      INTEGER NOT NULL,
    PRIMARY KEY (season, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX season_places_by_place ON season_places (season, place, player);
"""

_REPLACEABLE = """
-- Without indices that have a name of their own, one table can take the place of another. The one
-- of the pairs cost more with each kill than it spared when they are loaded.
DROP INDEX pairs_by_arrival;

CREATE TABLE contest_standings_anew (
    contest  INTEGER NOT NULL REFERENCES contests,
    player   TEXT NOT NULL,
    kills    INTEGER NOT NULL,
    deaths   INTEGER NOT NULL,
    out      REAL,                  -- since when the player is out of it
    place    INTEGER,               -- from here on null: not rated (yet)
    score    REAL,
    contests INTEGER,               -- played before
    before   REAL,                  -- ratings
    after    REAL,
    expected REAL,
    raw      REAL,
    PRIMARY KEY (contest, player),
    UNIQUE (player, contest)
) STRICT, WITHOUT ROWID;
INSERT INTO contest_standings_anew SELECT * FROM contest_standings;
DROP TABLE contest_standings;
ALTER TABLE contest_standings_anew RENAME TO contest_standings;

CREATE TABLE season_places_anew (
    season      INTEGER NOT NULL REFERENCES seasons,
    player      TEXT NOT NULL,
    place       INTEGER NOT NULL,
    rating      REAL NOT NULL,
    uncertainty REAL NOT NULL,
    tier        INTEGER,
    kills       INTEGER NOT NULL,   -- in this season
    deaths      INTEGER NOT NULL,
    PRIMARY KEY (season, player),
    UNIQUE (season, place, player)
) STRICT, WITHOUT ROWID;
INSERT INTO season_places_anew SELECT * FROM season_places;
DROP TABLE season_places;
ALTER TABLE season_places_anew RENAME TO season_places;
"""

_WITHDRAWN = """
ALTER TABLE orders ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';  -- or taken, or withdrawn
"""

MIGRATIONS: tuple[str, ...] = (
    _FIRST,
    _CONTESTS,
    _FLOW,
    _HISTORY,
    _STEPS,
    _SEASONS,
    _REPLACEABLE,
    _WITHDRAWN,
)
"""`MIGRATIONS[n]` takes a file from version n to n + 1."""

SCHEMA_VERSION = len(MIGRATIONS)
