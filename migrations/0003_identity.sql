-- Banzuke, migration 3: what happens to devices and tokens after they were made.

ALTER TABLE device ADD COLUMN last_used_on TEXT CHECK (last_used_on GLOB '????-??-??'); -- UTC
ALTER TABLE device ADD COLUMN revoked_at_ms INTEGER; -- NULL: in use

-- A rotated token goes on until its successor is used, at most until its end. Ended ones are kept
-- for a while: a late use of one is worth knowing.
ALTER TABLE token ADD COLUMN used_at_ms INTEGER; -- first use; NULL: never used
ALTER TABLE token ADD COLUMN ends_at_ms INTEGER; -- NULL: no end

-- A code that lets another device join a player, one a player: only a keyed hash is kept.
CREATE TABLE link_code (
    player_no     INTEGER NOT NULL PRIMARY KEY REFERENCES player,
    code_hash     BLOB    NOT NULL UNIQUE CHECK (length(code_hash) = 16),
    expires_at_ms INTEGER NOT NULL
) STRICT;
