-- Banzuke, migration 18: what the personal stream of a player tells, kept for 24 hours so that a
-- client that was away misses nothing.

-- Events so far; the next one's number is one more, also when those before it are gone.
ALTER TABLE player ADD COLUMN personal_seq INTEGER NOT NULL DEFAULT 0 CHECK (personal_seq >= 0);

CREATE TABLE personal_event (
    player_no INTEGER NOT NULL REFERENCES player,
    seq       INTEGER NOT NULL CHECK (seq >= 1),
    type      TEXT    NOT NULL CHECK (type IN ('matched', 'game_started', 'game_finished', 'replay',
                                               'rematch', 'table')),
    at_ms     INTEGER NOT NULL,
    game_no   INTEGER REFERENCES game, -- NULL: of no game
    table_no  INTEGER,                 -- NULL: of no table
    CHECK ((type = 'table') = (table_no IS NOT NULL)),
    CHECK (type = 'table' OR game_no IS NOT NULL),
    PRIMARY KEY (player_no, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX personal_event_by_age ON personal_event (at_ms);
